import Testing

@testable import LockbookEngine

/// What is said of a file that an import or export leaves out.
struct TransferSentenceTests {
    private let errors: [LockbookError] = [
        .changedHere(path: "/a"), .undecidedHere(path: "/a", isListed: true),
        .unknownHere(path: "/a"), .exists(path: "/a"), .notAFolder(path: "/a"),
        .notADocument(path: "/a"), .damaged(file: "/a", author: ""), .contentNotHere(path: "/a"),
        .contentGone(path: "/a"), .ownerDeleted(path: "/a", username: "bob"),
        .contentNotKept(path: "/a", reason: "no space left"),
        .badContent(path: "/a", reason: "it is cut off"), .notFound(path: "/a"), .root,
        .readOnly(path: "/a"),
    ]

    @Test func `it is a sentence for whatever keeps a file out`() {
        for error in errors {
            #expect(error.concernsOneFile)
            #expect(error.importSentence != "\(error)", "\(error)")
        }
    }
}
