import LockbookCrypto
import LockbookModel
import SecondImplementation
import Testing

/// What says that an account is deleted, and what it takes to be believed.
struct AccountEndFormatTests {
    let ada: AccountKeys
    let eve: AccountKeys

    init() throws {
        func keys(_ byte: UInt8) throws -> AccountKeys {
            try AccountKeys(seed: try #require(AccountSeed(Array(repeating: byte, count: 32))))
        }
        (ada, eve) = (try keys(1), try keys(3))
    }

    private func end(by owner: AccountKeys, at time: Int64 = 5) throws -> AccountEnd {
        try AccountEnd(created: Timestamp(milliseconds: time), by: owner)
    }

    @Test func `an end is read as it was written`() throws {
        let end = try end(by: ada)
        #expect(end.bytes.count == 1 + 96 + 8 + 64)
        #expect(try AccountEnd(verifying: end.bytes) == end)
        #expect(end.account == AccountID(ada.publicKeys))
        #expect(try AccountEnd(verifying: end.bytes, of: end.account) == end)
    }

    @Test func `a byte that was changed is noticed wherever it stands`() throws {
        let end = try end(by: ada)
        for index in end.bytes.indices {
            var bytes = end.bytes
            bytes[index] ^= 1
            #expect(throws: (any Error).self) { _ = try AccountEnd(verifying: bytes) }
        }
        for length in 0..<end.bytes.count {
            #expect(throws: (any Error).self) {
                _ = try AccountEnd(verifying: Array(end.bytes.prefix(length)))
            }
        }
        #expect(throws: (any Error).self) { _ = try AccountEnd(verifying: end.bytes + [0]) }
    }

    @Test func `nobody ends another account`() throws {
        let account = AccountID(ada.publicKeys)
        #expect(throws: VerificationFailure.author) {
            _ = try AccountEnd(verifying: try end(by: eve).bytes, of: account)
        }
        // With the keys of one and the signature of the other.
        let forged = try end(by: ada).bytes.dropLast(64) + end(by: eve).bytes.suffix(64)
        #expect(throws: VerificationFailure.signature) {
            _ = try AccountEnd(verifying: Array(forged), of: account)
        }
    }

    @Test func `both implementations write the same bytes`() throws {
        let account = SecondAccount(seed: Bytes(repeating: 1, count: 32))
        #expect(try end(by: ada).bytes == account.end(created: 5))
    }
}
