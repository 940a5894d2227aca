import LockbookCrypto
import LockbookModel
import SecondImplementation
import Testing

/// Groups that purge files.
struct PurgeFormatTests {
    @Test func `a list of purged files is sorted, not empty, and of files that do not change`()
        throws
    {
        let scope = noise(16)
        let (low, high) = (Bytes(repeating: 1, count: 16), Bytes(repeating: 2, count: 16))
        for (records, purged) in [([], [high, low]), ([], [low, low]), ([high], [low, high])] {
            let group = SecondLog.group(
                scope: scope,
                records: records.map { ($0, noise(32)) },
                purged: purged
            )
            #expect(throws: DecodingFailure.invalid(field: "purged")) { try EntryGroup(group) }
        }
        let plain = SecondLog.group(scope: scope, records: [])
        let empty = [2] + plain.dropFirst().dropLast(4) + Bytes(repeating: 0, count: 8)
        #expect(throws: DecodingFailure.invalid(field: "purged")) { try EntryGroup(empty) }
        let group = EntryGroup(
            scope: try #require(FileID(scope)),
            records: [],
            purged: [try #require(FileID(high)), try #require(FileID(low))]
        )
        let theirs = SecondLog.group(scope: scope, records: [], purged: [low, high])
        #expect(group.bytes == theirs)
        #expect(try EntryGroup(theirs) == group)
    }
}
