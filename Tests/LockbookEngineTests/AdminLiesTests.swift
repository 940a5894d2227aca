import Foundation
import LockbookAPI
import LockbookCrypto
import LockbookModel
import LockbookTestSupport
import SwiftProtobuf
import Testing

@testable import LockbookEngine

/// What readers take from an admin whose client checks nothing, and whose server lets it through.
struct AdminLiesTests {
    let server: TestServer
    let laptop: Device
    let desk: Device
    let tablet: Device
    let liar: Liar
    let team: FileID
    let other: FileID

    /// Ada shares two folders with bob and eve; bob is an admin of the first one alone.
    init() async throws {
        server = try TestServer()
        laptop = try await Person("ada", on: server).firstDevice()
        desk = try await Person("bob", on: server).firstDevice(named: "desk")
        tablet = try await Person("eve", on: server).firstDevice(named: "tablet")
        try laptop.write("/team/plan.md", "plan")
        try laptop.write("/other/note.md", "note")
        try await laptop.sync()
        for (path, modes) in [
            ("/team", [ShareRight.admin, .read]), ("/other", [.write, .read]),
        ] {
            for (name, mode) in zip(["bob", "eve"], modes) {
                _ = try await laptop.lockbook.share(.path(path), with: name, mode: mode)
            }
        }
        for device in [laptop, desk, tablet] { try await device.sync() }
        team = try #require(FileID(hex: try laptop.lockbook.info(.path("/team")).id))
        other = try #require(FileID(hex: try laptop.lockbook.info(.path("/other")).id))
        liar = Liar(
            owner: AccountID(try laptop.keys().publicKeys),
            keys: try desk.keys()
        )
    }

    /// A grant of bob's to eve, in an entry of bob's.
    private func grant(
        _ mode: ShareMode,
        of file: FileID? = nil,
        serial: UInt64 = 2,
        by grantor: AccountKeys? = nil,
        named: AccountKeys? = nil
    ) throws -> Grant {
        try Grant(
            owner: liar.owner,
            file: file ?? team,
            grantee: try tablet.keys().publicKeys,
            named: try #require(Username("eve")),
            mode: mode,
            grantor: AccountID((named ?? liar.keys).publicKeys),
            serial: serial,
            created: Timestamp(milliseconds: 1),
            signedBy: (grantor ?? liar.keys).signing
        )
    }

    /// Every reader's sync stops, and what he may do stays what it was.
    private func refuse(
        _ grant: Grant?,
        in scope: FileID? = nil,
        by author: AccountKeys? = nil,
        asMoved isMoved: Bool = false,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        for (device, log) in [(tablet, 1), (laptop, 0)] {
            let before = try await device.state()
            device.faults.lie("/v1/pull") { body in
                try liar.add(
                    grant.map { [$0] } ?? [],
                    in: scope ?? team,
                    by: author,
                    asMoved: isMoved,
                    to: body,
                    log: log
                )
            }
            await #expect(sourceLocation: sourceLocation) {
                try await device.sync()
            } throws: { error in
                if case LockbookError.integrity = error { true } else { false }
            }
            #expect(try await device.state() == before, sourceLocation: sourceLocation)
            device.faults.tellTruth()
            try await device.sync()
            #expect(try await device.state() == before, sourceLocation: sourceLocation)
        }
    }

    @Test func `what an admin may do is taken from an entry made the same way`() async throws {
        let grant = try grant(.write)
        tablet.faults.lie("/v1/pull") { try liar.add([grant], in: team, to: $0, log: 1) }
        try await tablet.sync()
        #expect(try tablet.lockbook.offers().map(\.mode) == [.read, .write])
        laptop.faults.lie("/v1/pull") { try liar.add([grant], in: team, to: $0, log: 0) }
        try await laptop.sync()
        #expect(try laptop.lockbook.shares(of: .path("/team")).map(\.mode) == [.admin, .write])
    }

    @Test func `no admin makes an admin`() async throws {
        try await refuse(try grant(.admin))
    }

    @Test func `a serial that was used counts no more`() async throws {
        try await refuse(try grant(.write, serial: 1))
        try await refuse(try grant(.write, serial: 0))
    }

    @Test func `no grant has a serial that none may follow`() async throws {
        try await refuse(try grant(.write, serial: .max))
        try await refuse(try grant(.write, serial: 2 + Grant.maximumSerialStep))
    }

    @Test func `an admin of one share says nothing about another`() async throws {
        try await refuse(try grant(.write, of: other))
        try await refuse(try grant(.write, of: other), in: other)
    }

    @Test func `no admin makes an admin by way of a share that nobody sees`() async throws {
        let unseen = FileID(hex: "00112233445566778899aabbccddeeff")
        try await refuse(try grant(.admin, of: unseen))
        // Nor by what the owner signed about another one.
        let ada = try laptop.keys()
        try await refuse(try grant(.admin, of: unseen, serial: 1, by: ada, named: ada))
    }

    @Test func `an admin of a share that a reader does not see is none in what he sees`()
        async throws
    {
        let phone = try await Person("dan", on: server).firstDevice(named: "phone")
        _ = try await laptop.lockbook.share(.path("/other"), with: "dan", mode: .read)
        try await laptop.sync()
        try await phone.sync()
        let before = try await phone.state()
        let right = try laptop.lockbook.store.read { tree in
            try tree.grants(of: team).first {
                AccountID($0.grantee) == AccountID(liar.keys.publicKeys)
            }
        }
        let grants = [try #require(right), try grant(.write, of: other)]
        phone.faults.lie("/v1/pull") { try liar.add(grants, in: other, to: $0, log: 1) }
        await #expect {
            try await phone.sync()
        } throws: { error in
            if case LockbookError.integrity = error { true } else { false }
        }
        #expect(try await phone.state() == before)
        phone.faults.tellTruth()
        try await phone.sync()
    }

    @Test func `that a share which is not here ended, its owner alone says`() async throws {
        let unseen = try #require(FileID(hex: "00112233445566778899aabbccddeeff"))
        let (ada, eve) = (try laptop.keys(), AccountID(try tablet.keys().publicKeys))
        let share = try #require(try tablet.lockbook.shared(by: liar.owner))
        // As it was told of in another one.
        let told = try grant(.read, of: unseen, serial: 1, by: ada, named: ada)
        try share.store.write { try $0.keep(told) }
        for (signer, isOwner) in [(liar.keys, false), (ada, true)] {
            let end = try grant(.none, of: unseen, by: signer, named: ada)
            tablet.faults.tellTruth()
            tablet.faults.lie("/v1/pull") { try liar.add([end], in: unseen, to: $0, log: 1) }
            if isOwner {
                try await tablet.sync()
            } else {
                await #expect {
                    try await tablet.sync()
                } throws: { error in
                    if case LockbookError.integrity = error { true } else { false }
                }
            }
            let grants = try share.store.read { try $0.grants(to: eve) }
            #expect(grants.contains { $0.file == unseen && $0.mode > .none } == !isOwner)
        }
    }

    @Test func `no admin says that a share stands elsewhere`() async throws {
        try await refuse(nil, asMoved: true)
        try await refuse(try grant(.write), asMoved: true)
    }

    @Test func `nobody signs for somebody else`() async throws {
        // As if by the owner; by the one it is for; brought by who may not.
        try await refuse(try grant(.write, named: try laptop.keys()))
        try await refuse(try grant(.write, by: try tablet.keys()))
        try await refuse(try grant(.write), by: try tablet.keys())
    }

    @Test func `a grant of which a field was changed is none`() async throws {
        let whole = try grant(.read).bytes
        // The mode stands behind format, owner, file, keys and the counted name.
        let place = 1 + 32 + 16 + 96 + 4 + 3
        var bytes = whole
        #expect(bytes[place] == ShareMode.read.rawValue)
        bytes[place] = ShareMode.write.rawValue
        try await refuse(try Grant(bytes))
    }
}

/// Signs entries of a log that checks nothing.
struct Liar: Sendable {
    let owner: AccountID
    let keys: AccountKeys

    /// The answer to a pull with one more entry at the end of a log.
    func add(
        _ grants: [Grant],
        _ wraps: [GranteeWrap] = [],
        in scope: FileID,
        by author: AccountKeys? = nil,
        asMoved isMoved: Bool = false,
        to body: [UInt8],
        log: Int
    ) throws -> [UInt8] {
        var response = try Lockbook_V1_PullResponse(serializedBytes: Data(body))
        let group = EntryGroup(
            scope: scope,
            records: [],
            grants: grants,
            wraps: wraps,
            isMoved: isMoved
        )
        let author = author ?? keys
        let header = try EntryHeader(
            log: owner,
            position: response.logs[log].headPosition + 1,
            previous: try #require(Hash256(Array(response.logs[log].head))),
            author: AccountID(author.publicKeys),
            device: try #require(DeviceID(Array(repeating: 7, count: 16)[...])),
            bodyHash: EntryBody(groups: [.whole(group.bytes)], scopes: [scope]).hash,
            created: Timestamp(milliseconds: 1),
            signedBy: author.signing
        )
        response.logs[log].entries.append(
            .with {
                $0.header = Data(header.bytes)
                $0.groups = [.with { $0.whole = Data(group.bytes) }]
            }
        )
        response.logs[log].headPosition += 1
        response.logs[log].head = Data(header.hash.bytes)
        return Array(try response.serializedData() as Data)
    }
}

extension Device {
    fileprivate func keys() throws -> AccountKeys {
        let words = lockbook.recoveryPhrase().joined(separator: " ")
        return try AccountKeys(seed: try RecoveryPhrase.seed(from: words))
    }

    /// Files, texts, offers and who may do what.
    fileprivate func state() async throws -> [String] {
        let offers = try lockbook.offers().map { "\($0)" }
        let shares = try lockbook.shares().map { "\($0)" }
        return try await snapshot() + offers + shares
    }
}
