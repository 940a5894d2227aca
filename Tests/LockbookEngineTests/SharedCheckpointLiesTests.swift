import Foundation
import LockbookAPI
import LockbookCrypto
import LockbookEngine
import LockbookModel
import LockbookTestSupport
import SwiftProtobuf
import Synchronization
import Testing

/// What a server that lies about a checkpoint of a log with shares is believed: nothing.
struct SharedCheckpointLiesTests: SharingStories {
    let people: Sharers
    let laptop: Device
    let desk: Device
    let tablet: Device

    /// Bob writes in `/team`, carol in `/team/sub`; ada has more besides, which neither sees.
    init() async throws {
        people = try Sharers()
        (laptop, desk, tablet) = try await people.oneDeviceEach(holding: [
            "/team/plan.md": "plan", "/team/note.md": "note", "/team/sub/note.md": "sub",
            "/mine/secret.md": "secret",
        ])
        try await share("/team", .write, laptop, desk)
        try await share("/team/sub", .write, laptop, tablet)
        try await share("/mine", .read, laptop, tablet)
        try await desk.sync()
    }

    /// Ada's device signs a checkpoint, and the server lets go of what is behind it.
    func letGo() async throws {
        let signing = try laptop.again(signingAfter: 1)
        try signing.write("/signed.md", "signed \(try signing.paths().count)")
        try await signing.sync()
        try await people.server.collect(afterDays: 91)
    }

    typealias Lie = @Sendable (inout Lockbook_V1_CheckpointPage) throws -> Void

    /// The next sync of a device stops, changes nothing, and the one after that comes through.
    func isRefused(
        by device: Device,
        _ lie: @escaping Lie,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        // A new device has its own tree by then, and nothing of what others share.
        let before = try? await device.snapshot()
        device.lieAboutLogs { log in
            if !log.checkpoint.states.isEmpty { try lie(&log.checkpoint) }
        }
        await isFoundOut(sourceLocation: sourceLocation) { try await device.sync() }
        if let before, !before.isEmpty {
            #expect(try await device.snapshot() == before, sourceLocation: sourceLocation)
        } else {
            let paths = try? device.paths()
            #expect(
                (paths ?? []).allSatisfy { $0.lastIndex(of: "/") == $0.startIndex },
                sourceLocation: sourceLocation
            )
        }
        device.faults.tellTruth()
    }

    private func id(_ path: String) throws -> FileID {
        try #require(FileID(hex: laptop.lockbook.info(.path(path)).id))
    }

    /// What else each reader gets of the checkpoint.
    private func shown(to device: Device) async throws -> [SeenScopeState] {
        let seen = Seen()
        device.faults.lie("/v1/pull") { body in
            let response = try Lockbook_V1_PullResponse(serializedBytes: Data(body))
            for log in response.logs { seen.add(log.checkpoint.states.map { Array($0) }) }
            return body
        }
        try await device.sync()
        device.faults.tellTruth()
        return try seen.states.map { try SeenScopeState($0) }
    }

    final class Seen: Sendable {
        private let kept = Mutex<[[UInt8]]>([])
        var states: [[UInt8]] { kept.withLock { $0 } }
        func add(_ more: [[UInt8]]) { kept.withLock { $0 += more } }
    }

    @Test func `each is shown whole scopes of his, and of the others their hashes`() async throws {
        try await letGo()
        let phone = try await ada.device(named: "phone", like: laptop, synced: false)
        let notebook = try await bob.device(named: "notebook", like: desk, synced: false)
        let slate = try await carol.device(named: "slate", like: tablet, synced: false)
        let (team, sub, mine) = (try id("/team"), try id("/team/sub"), try id("/mine"))
        #expect(Set(try await shown(to: phone).map(\.scope)).count == 4)
        #expect(Set(try await shown(to: notebook).map(\.scope)) == [team, sub])
        #expect(Set(try await shown(to: slate).map(\.scope)) == [sub, mine])
        try await converge(ada, laptop, phone)
        try await converge(bob, desk, notebook)
        try await converge(carol, tablet, slate)
    }

    @Test func `a scope that is kept back is missed`() async throws {
        try await letGo()
        let phone = try await ada.device(named: "phone", like: laptop, synced: false)
        let notebook = try await bob.device(named: "notebook", like: desk, synced: false)
        let sub = try id("/team/sub")
        for device in [phone, notebook] {
            try await isRefused(by: device) { page in
                page.drop { $0.scope == sub }
                page.items.removeAll { (try? FileRecord(Array($0.record)).facts.scope) == sub }
            }
        }
        try await notebook.sync()
        #expect(try await notebook.text("/team/sub/note.md") == "sub")
        try await converge(bob, desk, notebook)
    }

    @Test func `a record that is kept back, or another one, is missed`() async throws {
        try await letGo()
        for (person, first) in [(ada, laptop), (bob, desk)] {
            let device = try await person.device(named: "other", like: first, synced: false)
            try await isRefused(by: device) { $0.items.removeLast() }
            try await isRefused(by: device) { $0.items.append($0.items[0]) }
            try await isRefused(by: device) { page in
                page.items[0].record = page.items[1].record
            }
        }
    }

    @Test func `a grant that is left out, put in or changed is no part of what was signed`()
        async throws
    {
        try await letGo()
        let slate = try await carol.device(named: "slate", like: tablet, synced: false)
        try await isRefused(by: slate) { try $0.change { $0.grants.removeFirst() } }
        try await isRefused(by: slate) { try $0.change { $0.grants.append($0.grants[0]) } }
        try await isRefused(by: slate) { try $0.change { $0.wraps.removeFirst() } }
        try await isRefused(by: slate) { try $0.change { $0.inner.append($0.scope) } }
        try await slate.sync()
        try await converge(carol, tablet, slate)
    }

    @Test func `a scope that is another's is not taken for one's own`() async throws {
        try await letGo()
        let phone = try await ada.device(named: "phone", like: laptop, synced: false)
        let all = try await shown(to: phone)
        let notebook = try await bob.device(named: "notebook", like: desk, synced: false)
        let mine = try id("/mine")
        let other = try #require(all.first { $0.scope == mine })
        try await isRefused(by: notebook) { $0.states.append(Data(other.bytes)) }
        // Nor shown in the place of it.
        let team = try id("/team")
        try await isRefused(by: notebook) { page in
            page.drop { $0.scope == team }
            page.states.append(Data(other.bytes))
        }
    }

    @Test func `that a right ended is not kept back, and none ends by the server's word`()
        async throws
    {
        try laptop.lockbook.setShare(.path("/team"), of: "bob", to: nil)
        try await laptop.sync()
        try await letGo()
        let (team, sub) = (try id("/team"), try id("/team/sub"))
        // Not as if it were none of his, nor with another's grant, nor whole.
        try await isRefused(by: desk) { $0.drop { $0.scope == team } }
        let phone = try await ada.device(named: "phone", like: laptop, synced: false)
        let all = try await shown(to: phone)
        let whole = try #require(all.first { $0.scope == team })
        let hidden = try ScopeState(whole).seen(by: phone.account).bytes
        try await isRefused(by: desk) { page in
            page.drop { $0.scope == team }
            page.states.append(Data(hidden))
        }
        try await isRefused(by: desk) { page in
            page.drop { $0.scope == team }
            page.states.append(Data(whole.bytes))
        }
        // Of carol, whose right has not ended.
        let still = try #require(all.first { $0.scope == sub })
        let veiled = try ScopeState(still).seen(by: tablet.account).bytes
        try await isRefused(by: tablet) { page in
            page.drop { $0.scope == sub }
            page.states.append(Data(veiled))
            page.items.removeAll { (try? FileRecord(Array($0.record)).facts.scope) == sub }
        }
        try await desk.sync()
        #expect(try desk.paths().isEmpty)
        try await converge(bob, desk)
        try await converge(carol, tablet)
        try await converge(ada, laptop)
    }
}

extension Lockbook_V1_CheckpointPage {
    fileprivate mutating func drop(_ isDropped: (SeenScopeState) -> Bool) {
        states.removeAll { (try? SeenScopeState(Array($0))).map(isDropped) ?? false }
    }

    /// Changes every state that is shown whole.
    fileprivate mutating func change(_ change: (inout ScopeState) throws -> Void) throws {
        states = try states.map { bytes in
            var state = try ScopeState(SeenScopeState(Array(bytes)))
            try change(&state)
            return Data(state.seen.bytes)
        }
    }
}

extension Device {
    fileprivate var account: AccountID {
        get throws {
            let id = try lockbook.accountInfo().id
            return AccountID(hash: try #require(Hash256([UInt8](hex: id) ?? [])))
        }
    }
}
