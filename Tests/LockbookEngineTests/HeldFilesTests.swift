import LockbookCrypto
import LockbookModel
import Testing

@testable import LockbookEngine

/// After which entries a member has to be asked anew what he holds.
struct HeldFilesTests {
    private let scope = FileID(random: .system)
    private let note = FileID(random: .system)
    private let away = FileID(random: .system)

    /// A share that is seen, and one that was moved to where it is not.
    private var held: HeldFiles { HeldFiles(granted: [scope, away], seen: [scope]) }

    private func group(of files: FileID...) -> EntryGroup {
        EntryGroup(
            scope: scope,
            records: files.map { RecordReference(file: $0, hash: Hash256(sha256: $0.bytes)) }
        )
    }

    @Test func `a note that changes in a share changes nothing of that`() {
        #expect(held.stays(after: []))
        #expect(held.stays(after: [group(of: note), group(of: FileID(random: .system))]))
    }

    @Test func `what comes, goes or moves may`() {
        #expect(!held.stays(after: [group(of: note), group(of: away)]))
        #expect(!held.stays(after: [group(of: scope)]))
        let changes: [(inout EntryGroup) -> Void] = [
            { $0.left = [note] }, { $0.purged = [note] }, { $0.inner = [away] },
            { $0.isMoved = true },
        ]
        for change in changes {
            var changed = group(of: note)
            change(&changed)
            #expect(!held.stays(after: [group(of: note), changed]))
        }
    }

    @Test func `a grant may`() throws {
        let keys = try AccountKeys(seed: AccountSeed(random: .system))
        let name = try #require(Username("bob"))
        let grant = try Grant(
            owner: AccountID(keys.publicKeys),
            file: scope,
            grantee: keys.publicKeys,
            named: name,
            mode: .none,
            grantor: AccountID(keys.publicKeys),
            serial: 2,
            created: Timestamp(milliseconds: 0),
            signedBy: keys.signing
        )
        var changed = group(of: note)
        changed.grants = [grant]
        #expect(!held.stays(after: [changed]))
    }
}
