import Foundation
import LockbookAPI
import LockbookCrypto
import LockbookEngine
import LockbookModel
import LockbookTestSupport
import Testing

/// What a server that lies about the log of an account that shares nothing is believed: nothing.
struct PullLiesTests {
    private let alice: Person
    private let laptop: Device
    private let phone: Device

    /// The phone has not seen the last two entries, of a note each.
    init() async throws {
        alice = Person("alice", on: try TestServer())
        (laptop, phone) = try await alice.twoDevices(holding: ["/a.md": "a", "/b.md": "b"])
        for note in ["/a.md", "/b.md"] {
            try laptop.write(note, "changed")
            try await laptop.sync()
        }
    }

    enum Lie: CaseIterable {
        case anotherLog
        /// The first entry is left out.
        case gap
        /// The second entry stands before the first.
        case order
        /// The last entry once more, behind itself.
        case again
        /// The last entry has a signature that is none.
        case unsigned
        /// Each entry has what the other one says.
        case otherGroups
        case noGroups
        /// Of what an entry says the hash alone, as if it were not for this account.
        case hiddenGroup
        /// A record that an entry lists is left out.
        case withheld
        /// A record has another byte than the one that an entry lists.
        case otherRecord

        func change(_ log: inout Lockbook_V1_LogUpdate) throws {
            try #require(log.entries.count == 2 && log.records.count == 2 && !log.more)
            let last = log.entries[1]
            switch self {
            case .anotherLog: log.log[0] ^= 1
            case .gap: log.entries.removeFirst()
            case .order: log.entries.swapAt(0, 1)
            case .again: log.entries.append(last)
            case .unsigned: log.entries[1].header[last.header.count - 1] ^= 1
            case .otherGroups:
                log.entries[1].groups = log.entries[0].groups
                log.entries[0].groups = last.groups
            case .noGroups: log.entries[1].groups = []
            case .hiddenGroup:
                let hash = EntryGroup.hash(of: Array(last.groups[0].whole))
                log.entries[1].groups[0].hidden = Data(hash.bytes)
            case .withheld: log.records.removeLast()
            case .otherRecord: log.records[1][log.records[1].count - 20] ^= 1
            }
        }
    }

    @Test(arguments: Lie.allCases)
    func `a log with something wrong in it changes nothing`(lie: Lie) async throws {
        let before = try await phone.snapshot()
        phone.lieAboutLogs { try lie.change(&$0) }
        await isFoundOut { try await phone.sync() }
        #expect(try await phone.snapshot() == before)
        phone.faults.tellTruth()
        try await converge(alice, laptop, phone)
        #expect(try await phone.text("/b.md") == "changed")
    }
}

/// The same of a checkpoint of such an account.
struct CheckpointLiesTests {
    private let alice: Person
    private let laptop: Device

    /// The server has let go of what is behind the checkpoint.
    init() async throws {
        let server = try TestServer()
        alice = Person("alice", on: server)
        laptop = try await alice.firstDevice(holding: ["/a.md": "a", "/b.md": "b"])
        let signing = try laptop.again(signingAfter: 1)
        try signing.write("/a.md", "changed")
        try await signing.sync()
        try await server.collect(afterDays: 91)
    }

    enum Lie: CaseIterable {
        /// The checkpoint has a signature that is none.
        case unsigned
        /// The first header has one.
        case unsignedHeader
        /// The last header is not the one that the checkpoint is of.
        case otherHeader
        /// The last header is left out.
        case noLastHeader
        case noHeaders
        /// A page with nothing in it, and more to come.
        case nothing
        case withheld
        case again
        /// A record stands in the place of another one.
        case otherRecord
        /// A record does not have the hash that is told of it.
        case otherHash
        /// Something is said of shares, of which there are none.
        case shares

        func change(_ page: inout Lockbook_V1_CheckpointPage) throws {
            try #require(page.headers.count > 1 && page.items.count > 2 && page.complete)
            let last = page.headers.count - 1
            switch self {
            case .unsigned: page.checkpoint[page.checkpoint.count - 1] ^= 1
            case .unsignedHeader: page.headers[0][page.headers[0].count - 1] ^= 1
            case .otherHeader: page.headers[last][page.headers[last].count - 1] ^= 1
            case .noLastHeader: page.headers.removeLast()
            case .noHeaders: page.headers = []
            case .nothing: (page.headers, page.items, page.complete) = ([], [], false)
            case .withheld: page.items.removeLast()
            case .again: page.items.append(page.items[0])
            case .otherRecord: page.items[0].record = page.items[1].record
            case .otherHash: page.items[0].recordHash = page.items[1].recordHash
            case .shares: page.states = [Data([1])]
            }
        }
    }

    @Test(arguments: Lie.allCases)
    func `a state with something wrong in it is none`(lie: Lie) async throws {
        let phone = try await alice.device(named: "phone", like: laptop, synced: false)
        phone.lieAboutLogs { log in
            try #require(log.hasCheckpoint)
            try lie.change(&log.checkpoint)
        }
        await isFoundOut { try await phone.sync() }
        #expect(((try? phone.paths()) ?? []).isEmpty)
        phone.faults.tellTruth()
        try await converge(alice, laptop, phone)
        #expect(try await phone.text("/a.md") == "changed")
    }
}
