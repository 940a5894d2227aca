import LockbookEngine
import Testing

@testable import lockbook

/// Of what a sync fails of besides all else, the gravest says how the program ends.
@Suite struct GravestFailureTests {
    @Test(arguments: [
        (LockbookError.updateNeeded(what: "a newer program wrote it"), Status.updateNeeded),
        (.unsyncedChanges(count: 1), .guarded),
        (.integrity(reason: "a hash is wrong"), .integrity),
    ])
    func `a refusal is told behind what is graver`(error: LockbookError, status: Status) {
        let refusal = LockbookError.refused(reason: "no room")
        let failure = Failure(LockbookError.several([refusal, error]))
        #expect(failure.status == status)
        #expect(failure.hint == Failure(error).hint)
        #expect(failure.message?.hasSuffix("no room") == true)
    }
}
