import Dispatch
import LockbookEngine
import Synchronization

/// Runs what may need the network and waits for it, so that commands stay synchronous.
///
/// It runs on this thread until it waits for something: what is on this device takes neither threads nor
/// what they need.
/// - Parameter line: shows what is waited for, when nothing is heard of it for some seconds.
func waiting<Value: Sendable>(
    _ line: ProgressLine? = nil,
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
    outcome.wait(line)
    guard let result = outcome.result.withLock({ $0 }) else { throw CancellationError() }
    return try result.get()
}

private final class Outcome<Value: Sendable>: Sendable {
    let result = Mutex<Result<Value, any Error>?>(nil)
    let isThere = DispatchSemaphore(value: 0)

    func wait(_ line: ProgressLine?) {
        guard isThere.wait(timeout: .now()) == .timedOut else { return }
        while let left = line?.silenceLeft() {
            guard isThere.wait(timeout: .now() + .milliseconds(left)) == .timedOut else { return }
        }
        isThere.wait()
    }
}

/// Waits for what may have to ask a server, which is named when it says nothing for some seconds.
/// - Parameter awaited: asked when that is to be said.
func asking<Value: Sendable>(
    _ awaited: @autoclosure @escaping @Sendable () -> AwaitedWork?,
    for work: @escaping @Sendable () async throws -> Value
) throws -> Value {
    let line = ProgressLine(waitingFor: awaited)
    defer { line.clear() }
    return try waiting(line, for: work)
}
