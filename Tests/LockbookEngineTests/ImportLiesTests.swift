import Foundation
import LockbookAPI
import LockbookCrypto
import LockbookModel
import LockbookTestSupport
import SwiftProtobuf
import Testing

@testable import LockbookEngine

/// What a server says of an account that is brought to a device, which knows nothing else of it.
struct ImportLiesTests {
    private let laptop: Device

    init() async throws {
        laptop = try await Person("ada", on: try TestServer()).firstDevice()
    }

    private func header(by author: AccountID, in log: AccountID? = nil) throws -> EntryHeader {
        try EntryHeader(
            log: log ?? laptop.lockbook.store.context.owner,
            position: 1 << 40,
            previous: .zero,
            author: author,
            device: DeviceID(random: .system),
            bodyHash: .zero,
            created: Timestamp(milliseconds: 1),
            signedBy: laptop.lockbook.keys.signing
        )
    }

    /// Brings the account to a device to which the server shows this as the newest change.
    private func imported(
        showing newest: [UInt8],
        of other: [UInt8]? = nil,
        _ body: (ImportedAccount) throws -> Void
    ) async throws {
        let own = try laptop.lockbook.store.read { try $0.setting(.certificate) }
        let certificate = try #require(other ?? own)
        let answer: [UInt8] = try Lockbook_V1_AccountResponse.with {
            $0.certificate = Data(certificate)
            $0.newest = Data(newest)
        }.serializedBytes()
        var environment = EngineEnvironment.system
        environment.connect = { _ in CannedAnswer(body: answer) }
        let place = FileManager.default.temporaryDirectory
            .appending(path: "lockbook-import-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: place) }
        try body(
            try await Lockbook.importAccount(
                key: laptop.lockbook.recoveryPhrase().joined(separator: " "),
                server: try ServerAddress("http://127.0.0.1:7654"),
                directory: place.path,
                environment: environment
            )
        )
    }

    @Test func `what nobody can have checked is neither shown nor required`() async throws {
        let keys = try AccountKeys(seed: AccountSeed(random: .system))
        let stranger = AccountID(keys.publicKeys)
        try await imported(showing: try header(by: stranger).bytes) { account in
            #expect(account.newest == nil)
            #expect(account.isNewestOfOthers)
            let required = try account.lockbook.store.read { try $0.requiredHeads() }
            #expect(required == [])
        }
        let own = try header(by: laptop.lockbook.store.context.owner)
        try await imported(showing: own.bytes) { account in
            #expect(account.newest == NewestEntry(own))
            #expect(!account.isNewestOfOthers)
            let required = try account.lockbook.store.read { try $0.requiredHeads() }
            #expect(required == [LogHead(own)])
        }
    }

    @Test func `a server that tells nothing of it is not believed`() async throws {
        await #expect(
            throws: LockbookError.integrity(reason: "the server does not tell the newest change")
        ) {
            try await imported(showing: []) { _ in }
        }
    }

    @Test func `nor is one that tells of another account, or what nobody signed`() async throws {
        let own = laptop.lockbook.store.context.owner
        let keys = try AccountKeys(seed: AccountSeed(random: .system))
        let newest = try header(by: own).bytes
        let stranger = try AccountCertificate(
            username: try #require(Username("ada")),
            keys: keys,
            created: Timestamp(milliseconds: 1)
        )
        await #expect(
            throws: LockbookError.integrity(reason: "the server answers for another account")
        ) {
            try await imported(showing: newest, of: stranger.bytes) { _ in }
        }
        let elsewhere = try header(by: own, in: stranger.account).bytes
        await isFoundOut { try await imported(showing: elsewhere) { _ in } }
        let unsigned = newest.dropLast() + [newest[newest.count - 1] ^ 1]
        await isFoundOut { try await imported(showing: Array(unsigned)) { _ in } }
    }
}

/// A connection to a server that says the same to every request.
private struct CannedAnswer: ServerConnection {
    let body: [UInt8]

    func send(_ request: WireRequest) async throws -> WireResponse {
        WireResponse(status: 200, fields: ["lockbook-version": "\(Wire.version)"], body: body)
    }

    func close() async {}
}
