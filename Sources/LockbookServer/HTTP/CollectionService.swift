import Hummingbird
import Logging
import ServiceLifecycle

/// Collects what may go, at the start and then every hour.
struct CollectionService: Service {
    let server: LockbookServer
    let logger: Logger

    func run() async throws {
        try? await cancelWhenGracefulShutdown {
            while true {
                await collect()
                try await Task.sleep(for: .seconds(3_600))
            }
        }
    }

    private func collect() async {
        do {
            let count = try await server.collectNext()
            if count > 0 { logger.info("collected", metadata: ["rows": "\(count)"]) }
        } catch is CancellationError {
            return
        } catch {
            // What could not go now goes next time.
            logger.error("the collection failed", metadata: ["reason": "\(error)"])
        }
    }
}
