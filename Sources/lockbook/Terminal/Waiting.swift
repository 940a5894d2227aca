import Dispatch
import Synchronization

/// Runs what may need the network and waits for it, so that commands stay synchronous.
///
/// It runs on this thread until it waits for something: what is on this device takes neither threads nor
/// what they need.
func waiting<Value: Sendable>(
    for work: @escaping @Sendable () async throws -> Value
) throws -> Value {
    let outcome = Outcome<Value>()
    Task.immediate {
        let result: Result<Value, any Error>
        do {
            result = .success(try await work())
        } catch {
            result = .failure(error)
        }
        outcome.result.withLock { $0 = result }
        outcome.isThere.signal()
    }
    outcome.isThere.wait()
    guard let result = outcome.result.withLock({ $0 }) else { throw CancellationError() }
    return try result.get()
}

private final class Outcome<Value: Sendable>: Sendable {
    let result = Mutex<Result<Value, any Error>?>(nil)
    let isThere = DispatchSemaphore(value: 0)
}
