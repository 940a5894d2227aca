import LockbookCrypto
import LockbookModel
import SecondImplementation
import Testing

/// Groups of scopes that come into another one, and of those that they leave or come into.
struct MovedFormatTests {
    @Test(arguments: [false, true])
    func `a group says what leaves, what is inside, and that it stands elsewhere`(isMoved: Bool)
        throws
    {
        let scope = noise(16)
        let ids = (1...4).map { Bytes(repeating: $0, count: 16) }
        func files(_ range: Range<Int>) throws -> [FileID] {
            try ids[range].map { try #require(FileID($0)) }
        }
        let lists: [(purged: Range<Int>, left: Range<Int>, inner: Range<Int>)] = [
            (0..<1, 1..<2, 2..<4), (0..<0, 1..<2, 2..<4), (0..<0, 0..<0, 2..<4),
            (0..<0, 1..<3, 0..<0), (0..<2, 0..<0, 0..<0), (0..<0, 0..<0, 0..<0),
        ]
        for list in lists {
            let group = EntryGroup(
                scope: try #require(FileID(scope)),
                records: [],
                purged: try files(list.purged).reversed(),
                left: try files(list.left),
                inner: try files(list.inner).reversed(),
                isMoved: isMoved
            )
            let theirs = SecondLog.group(
                scope: scope,
                records: [],
                purged: Array(ids[list.purged]),
                left: Array(ids[list.left]),
                inner: Array(ids[list.inner]),
                isMoved: isMoved
            )
            #expect(group.bytes == theirs)
            let read = try EntryGroup(theirs)
            #expect(read == group)
            #expect(read.isMoved == isMoved)
        }
    }

    @Test func `of one thing there is one form`() throws {
        let scope = noise(16)
        let file = Bytes(repeating: 1, count: 16)
        let moved = SecondLog.group(scope: scope, records: [], isMoved: true)
        // The same without its mark says nothing of what is inside or left.
        #expect(throws: DecodingFailure.invalid(field: "left")) {
            try EntryGroup([3] + moved.dropFirst())
        }
        #expect(throws: DecodingFailure.self) { try EntryGroup([1] + moved.dropFirst()) }
        #expect(throws: DecodingFailure.invalid(field: "inner")) {
            try EntryGroup(
                SecondLog.group(scope: scope, records: [], inner: [scope], isMoved: true)
            )
        }
        #expect(throws: DecodingFailure.invalid(field: "left")) {
            try EntryGroup(
                SecondLog.group(
                    scope: scope,
                    records: [(file, noise(32))],
                    left: [file],
                    isMoved: true
                )
            )
        }
    }
}
