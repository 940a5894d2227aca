import FoundationEssentials
import LockbookAPI
import LockbookCrypto
import LockbookModel
import LockbookTestSupport
import SwiftProtobuf
import Testing

@testable import LockbookEngine

/// An admin who gives a member another key of a share that this one reads already, which opens nothing.
struct JunkWrapTests: SharingStories {
    let people: Sharers

    init() throws {
        people = try Sharers()
    }

    /// Bob is the admin, carol may write.
    private func members() async throws -> (laptop: Device, phone: Device, intruder: Intruder) {
        let (laptop, desk) = try await shared(.admin)
        let phone = try await carol.firstDevice(named: "phone")
        try await share("/team", .write, laptop, phone)
        try await desk.sync()
        let cafe = try await bob.device(named: "cafe", like: desk)
        return (laptop, phone, try Intruder(cafe, in: "/team"))
    }

    @Test func `no server takes it`() async throws {
        let (laptop, phone, intruder) = try await members()
        let wrap = try intruder.junk(for: "carol")
        await #expect {
            try await intruder.push([try intruder.note()], wraps: [wrap], device: intruder.own)
        } throws: { error in
            (error as? RefusedChange)?.file == intruder.scope
        }
        try await intruder.push([try intruder.note()], device: intruder.own)
        try await phone.sync()
        #expect(try await phone.text("/team/plan.md") == "plan.md")
        try await converge(ada, laptop)
    }

    @Test func `it does not take the place of the one that opens`() async throws {
        let (laptop, phone, intruder) = try await members()
        try phone.write("/team/plan.md", "of carol")
        let wrap = try intruder.junk(for: "carol")
        let liar = Liar(owner: intruder.owner, keys: intruder.lockbook.keys)
        phone.faults.lie("/v1/pull") { body in
            let logs = try Lockbook_V1_PullResponse(serializedBytes: Data(body)).logs
            let log = logs.firstIndex { Array($0.log) == intruder.owner.hash.bytes }
            return try log.map {
                try liar.add([], [wrap], in: intruder.scope, to: body, log: $0)
            } ?? body
        }
        for _ in 0..<2 { _ = try? await phone.sync() }
        let kept = try #require(try phone.lockbook.shared(by: intruder.owner)).store.read {
            try $0.wrap(of: intruder.scope, epoch: wrap.epoch)
        }
        #expect(kept != nil && kept?.bytes != wrap.bytes)
        #expect(try await phone.text("/team/plan.md") == "of carol")
        phone.faults.tellTruth()
        try await laptop.sync()
    }

    /// What is new in it: an epoch, and for carol alone another key than for the others.
    @Test func `with new keys it shuts her out until the owner gives others`() async throws {
        let (laptop, phone, intruder) = try await members()
        try phone.write("/team/plan.md", "of carol")
        try await intruder.rotate(shuttingOut: "carol")
        for _ in 0..<2 { _ = try await phone.sync() }
        _ = try phone.lockbook.status()
        try await laptop.sync()
        try laptop.lockbook.setShare(.path("/team"), of: "bob", to: nil)
        try await laptop.sync()

        for _ in 0..<2 { try await phone.sync() }
        try laptop.write("/team/plan.md", "after that")
        try await laptop.sync()
        try await phone.sync()
        #expect(try await phone.text("/team/plan.md") == "after that")
        var words = ""
        for path in try phone.paths() where path.hasSuffix(".md") {
            words += try await phone.text(path)
        }
        #expect(words.contains("of carol"))
    }

    @Test func `whom he lets in with it is told, and let in by the owner anew`() async throws {
        let (laptop, desk) = try await shared(.admin)
        let phone = try await carol.firstDevice(named: "phone")
        let cafe = try await bob.device(named: "cafe", like: desk)
        let intruder = try Intruder(cafe, in: "/team")
        try await intruder.letIn(phone.lockbook.keys.publicKeys, named: "carol")
        for _ in 0..<2 { _ = try await phone.sync() }
        _ = try phone.lockbook.status()
        _ = try phone.lockbook.offers()
        try await laptop.sync()
        try laptop.lockbook.setShare(.path("/team"), of: "carol", to: nil)
        try await laptop.sync()
        try await phone.sync()
        try await share("/team", .write, laptop, phone)
        #expect(try await phone.text("/team/plan.md") == "plan.md")
    }
}

extension Intruder {
    /// A key of the shared folder's newest epoch that is none.
    fileprivate func junk(for username: String) throws -> GranteeWrap {
        try share.store.read { tree in
            let grant = try #require(
                try tree.grants(of: scope).first {
                    try tree.username(of: AccountID($0.grantee)) == username
                }
            )
            let top = try #require(try tree.row(scope))
            return try GranteeWrap(
                FileKey(random: .system),
                owner: owner,
                file: scope,
                epoch: tree.record(of: top).facts.epoch,
                grantee: grant.grantee
            )
        }
    }

    fileprivate var own: DeviceID { lockbook.account.device }

    /// A change of the shared note.
    fileprivate func note() throws -> FileRecord {
        try share.store.read { tree in
            let top = try #require(try tree.row(scope))
            let row = try #require(try tree.child(FileName("plan.md"), of: top))
            var file = try tree.file(row)
            (file.author, file.device) = (lockbook.store.context.author, own)
            return try FileRecord(
                sealing: file,
                owner: owner,
                key: tree.key(of: row),
                in: tree.folderKeys(above: row),
                random: .system
            )
        }
    }

    /// Gives all of the share new keys, and one of its members another one than the others.
    fileprivate func rotate(shuttingOut username: String) async throws {
        _ = try await lockbook.sync()
        let victim = try junk(for: username).grantee
        let (records, wraps) = try share.store.read { tree in
            let top = try #require(try tree.row(scope))
            let sealed = try tree.records(below: top, rotating: true)
            let key = try #require(sealed.keys[scope])
            let owner = try #require(try tree.contact(self.owner)).keys
            let wraps = try ([owner] + tree.grants(of: scope).map(\.grantee)).map { grantee in
                try GranteeWrap(
                    AccountID(grantee) == victim ? FileKey(random: .system) : key.key,
                    owner: self.owner,
                    file: scope,
                    epoch: key.epoch,
                    grantee: grantee
                )
            }
            return (sealed.records, wraps)
        }
        let device = try #require(records.first).facts.device
        try await push(records, wraps: wraps.sorted { $0.grantee < $1.grantee }, device: device)
    }

    /// Lets somebody in to whom he gives a key that opens nothing.
    fileprivate func letIn(_ keys: AccountPublicKeys, named name: String) async throws {
        _ = try await lockbook.sync()
        let (records, grants, wrap) = try share.store.read { tree in
            let top = try #require(try tree.row(scope))
            let sealed = try tree.records(below: top, rotating: false)
            let grant = try Grant(
                owner: owner,
                file: scope,
                grantee: keys,
                named: #require(Username(name)),
                mode: .write,
                grantor: lockbook.store.context.author,
                serial: 1,
                created: Timestamp(milliseconds: 1),
                signedBy: lockbook.keys.signing
            )
            let wrap = try GranteeWrap(
                FileKey(random: .system),
                owner: owner,
                file: scope,
                epoch: tree.record(of: top).facts.epoch,
                grantee: keys
            )
            let others = try tree.grants(of: scope).filter { $0.mode > .none }
            return (sealed.records, others + [grant], wrap)
        }
        let device = try #require(records.first).facts.device
        try await push(
            records,
            grants: grants.sorted { AccountID($0.grantee) < AccountID($1.grantee) },
            wraps: [wrap],
            device: device
        )
    }
}
