import Glibc
import Synchronization

/// Tells at Ctrl-C, or another signal that ends a program, how far something is that is done piece by
/// piece, before the program ends by it.
final class Interruption: Sendable {
    private let done = Atomic<Int>(0)
    private let sentence: @Sendable (Int) -> String
    private let signals: [Int32]

    /// - Parameters:
    ///   - signals: which.
    ///   - sentence: for how many are done; it may put things in order before it is told.
    init(_ signals: [Int32], _ sentence: @escaping @Sendable (Int) -> String) {
        self.sentence = sentence
        // Who had one ignored, as `nohup` does, means that it should end nothing.
        self.signals = signals.filter { !EndingSignals.isIgnored($0) }
        guard !self.signals.isEmpty else { return }
        var held = set
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

    private var set: sigset_t {
        var set = sigset_t()
        sigemptyset(&set)
        for signal in signals { sigaddset(&set, signal) }
        return set
    }

    func note(_ count: Int) {
        done.store(count, ordering: .relaxed)
    }

    /// What is at work meanwhile may be killed at any moment anyway.
    private func wait() {
        var held = set
        var number: Int32 = 0
        guard sigwait(&held, &number) == 0 else { return }
        if Terminal.errorIsTerminal, Terminal.mayDraw { Terminal.raw("\r\u{1b}[K") }
        Terminal.notice(sentence(done.load(ordering: .relaxed)))
        EndingSignals.end(by: number)
    }
}
