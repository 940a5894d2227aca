import Logging
import Synchronization

/// What a server says in its log of what failed, a line each: the sentence, and what goes with it.
final class TestLog: Sendable {
    private let kept = Mutex<[String]>([])

    var lines: [String] { kept.withLock { $0 } }

    var logger: Logger {
        Logger(label: "test", factory: { _ in Handler(keeper: self) })
    }

    private struct Handler: LogHandler {
        let keeper: TestLog
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.warning

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let fields = (event.metadata ?? [:]).sorted { $0.key < $1.key }
            let line = (["\(event.message)"] + fields.map { "\($0.key)=\($0.value)" })
                .joined(separator: " ")
            keeper.kept.withLock { $0.append(line) }
        }
    }
}
