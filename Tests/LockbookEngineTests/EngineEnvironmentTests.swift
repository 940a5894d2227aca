import Foundation
import Testing

@testable import LockbookEngine

/// What the variables of a process say, each in a process of its own.
@Suite struct EngineEnvironmentTests {
    @Test func `days of the trash that are set to nothing are not set`() async {
        await #expect(processExitsWith: .exitCode(30)) {
            setenv("LOCKBOOK_TRASH_DAYS", "", 1)
            _exit(Int32(EngineEnvironment.system.trashDays ?? 1))
        }
    }

    @Test func `days of the trash that are no number keep it`() async {
        await #expect(processExitsWith: .exitCode(1)) {
            setenv("LOCKBOOK_TRASH_DAYS", "never", 1)
            _exit(Int32(EngineEnvironment.system.trashDays ?? 1))
        }
    }
}
