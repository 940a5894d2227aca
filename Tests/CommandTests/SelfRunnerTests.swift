import Glibc
import Testing

@testable import lockbook

@Suite struct SelfRunnerTests {
    @Test func `a process of which nothing can be told has failed`() {
        // No process is a child of its own.
        #expect(SelfRunner.wait(for: getpid()) == 127 << 8)
    }
}
