import LockbookCrypto
import Testing

@testable import LockbookEngine
@testable import LockbookModel

/// What goes wrong below the engine is told in words, and not by the name that the code has for it.
struct FailureSentenceTests {
    @Test(arguments: [OpeningFailure.doesNotOpen, .wrongKey, .malformed])
    func `what does not open in the store`(failure: OpeningFailure) {
        let reason = "something in it is not as it was written"
        #expect(LockbookError(inside: failure) == .store(reason: reason))
        #expect(LockbookError(inside: DecodingFailure.length) == .store(reason: reason))
        #expect(LockbookError(inside: FileNameFailure.controlCharacter) == .store(reason: reason))
        let newer = DecodingFailure.unknownFormat(found: 9, known: 1)
        guard case .updateNeeded = LockbookError(inside: newer) else {
            Issue.record("it is taken for damage")
            return
        }
    }

    @Test func `what does not open is told beside what else a sync fails of, and each once`() {
        var failures = SyncFailures()
        failures.add(LockbookError.keyChanged(username: "bob"))
        for _ in 0..<2 { failures.add(OpeningFailure.doesNotOpen) }
        let reason = "something in it is not as it was written"
        let all = [LockbookError.keyChanged(username: "bob"), .store(reason: reason)]
        #expect(throws: LockbookError.several(all)) { try failures.check() }
    }

    @Test func `what the server sent is told without a name of the code`() {
        let id = FileID(Array(repeating: 0xab, count: 16))!
        let failures: [any Error] = [
            DecodingFailure.length, DecodingFailure.invalid(field: "mode"),
            VerificationFailure.signature, VerificationFailure.publicKey,
            VerificationFailure.misplaced, VerificationFailure.hash, VerificationFailure.author,
            Violation.root(id), Violation.pathConflict(id, with: id), Violation.cycle(id),
            Violation.childOfNonFolder(id), Violation.typeChanged(id), Violation.belowDead(id),
        ]
        for failure in failures {
            let told = Sync.failure(failure) as? LockbookError
            guard case .integrity(let reason, nil) = told else {
                Issue.record("\(failure)")
                continue
            }
            #expect(!reason.contains("("), "\(reason)")
            let name = "\(failure)".prefix { $0 != "(" }
            #expect(!reason.contains("(\(name))") && !reason.hasSuffix(": \(name)"), "\(reason)")
        }
        let told = Sync.failure(DecodingFailure.invalid(field: "mode")) as? LockbookError
        #expect(
            told
                == .integrity(
                    reason:
                        "the server sent something malformed: its field `mode` has a value that "
                        + "means nothing"
                )
        )
    }

    @Test func `changes that do not become one tree`() {
        let told = Sync.failure(UnsettledMerge()) as? LockbookError
        let reason = "its changes do not become one tree with those of this device"
        #expect(told == .integrity(reason: reason))
    }
}
