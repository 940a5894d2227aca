import Glibc
import Synchronization

/// Tells at Ctrl-C how far something is that is done piece by piece, before the program ends by it.
final class Interruption: Sendable {
    private let done = Atomic<Int>(0)
    private let sentence: @Sendable (Int) -> String

    /// - Parameter sentence: for how many are done.
    init(_ sentence: @escaping @Sendable (Int) -> String) {
        self.sentence = sentence
        // Who had it ignored, as `nohup` does, means that it should end nothing.
        var action = sigaction()
        sigaction(SIGINT, nil, &action)
        guard action.__sigaction_handler.sa_handler == nil else { return }
        var held = Self.interrupt
        pthread_sigmask(SIG_BLOCK, &held, nil)
        var thread = pthread_t()
        let problem = pthread_create(
            &thread,
            nil,
            { context in
                guard let context else { return nil }
                Unmanaged<Interruption>.fromOpaque(context).takeRetainedValue().wait()
                return nil
            },
            Unmanaged.passRetained(self).toOpaque()
        )
        guard problem != 0 else { return }
        pthread_sigmask(SIG_UNBLOCK, &held, nil)
    }

    private static var interrupt: sigset_t {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGINT)
        return signals
    }

    func note(_ count: Int) {
        done.store(count, ordering: .relaxed)
    }

    /// What is at work meanwhile may be killed at any moment anyway.
    private func wait() {
        var signals = Self.interrupt
        var number: Int32 = 0
        guard sigwait(&signals, &number) == 0 else { return }
        if Terminal.errorIsTerminal { Terminal.raw("\r\u{1b}[K") }
        Terminal.notice(sentence(done.load(ordering: .relaxed)))
        raise(number)
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    }
}
