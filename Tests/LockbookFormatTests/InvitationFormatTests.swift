import LockbookCrypto
import LockbookModel
import Testing

/// Codes of invitations, claims on them, and the address book.
struct InvitationFormatTests {
    private let ann: Person
    private let ben: Person
    private let secret = InvitationSecret(random: .seeded(50))
    private let terms: InvitationTerms

    init() throws {
        ann = try Person(1)
        ben = try Person(2)
        terms = InvitationTerms(
            owner: ann.id,
            file: FileID(random: .seeded(40)),
            mode: .read,
            expires: Timestamp(milliseconds: 1_700_000_000_000)
        )
    }

    private func code() throws -> InvitationCode {
        InvitationCode(
            terms,
            secret: secret,
            from: try #require(Username("ann")),
            server: "https://notes.example"
        )
    }

    private func certificate(of person: Person, _ name: String) throws -> AccountCertificate {
        try AccountCertificate(
            username: try #require(Username(name)),
            keys: person.keys,
            created: Timestamp(milliseconds: 9)
        )
    }

    @Test func `a code says all that the invited has to know`() throws {
        let text = try code().text

        let read = try InvitationCode(text)

        #expect(try read == code())
        #expect(try InvitationCode(" " + text.uppercased() + "\n") == read)
        #expect(text.hasPrefix("lbi1"))
    }

    @Test func `a code with any letter changed is none`() throws {
        let text = try code().text
        for index in text.indices.dropFirst(4) {
            var changed = text
            changed.replaceSubrange(index...index, with: text[index] == "a" ? "b" : "a")
            #expect(throws: InvitationCodeFailure.self) { try InvitationCode(changed) }
        }
        #expect(throws: InvitationCodeFailure.self) { try InvitationCode(String(text.dropLast(9))) }
        #expect(throws: InvitationCodeFailure.notACode) { try InvitationCode("lbi1") }
        #expect(throws: InvitationCodeFailure.notACode) { try InvitationCode("hello") }
    }

    @Test func `a claim is vouched for by who has the secret, for one account and these terms`()
        throws
    {
        let claim = InvitationClaim(
            terms,
            secret: secret,
            by: try certificate(of: ben, "ben")
        )

        let read = try InvitationClaim(claim.bytes)
        try read.verify(terms, secret: secret)
        #expect(read.certificate.account == ben.id)

        let others = [
            InvitationTerms(
                owner: ben.id,
                file: terms.file,
                mode: terms.mode,
                expires: terms.expires
            ),
            InvitationTerms(
                owner: terms.owner,
                file: FileID(random: .seeded(41)),
                mode: terms.mode,
                expires: terms.expires
            ),
            InvitationTerms(
                owner: terms.owner,
                file: terms.file,
                mode: .write,
                expires: terms.expires
            ),
            InvitationTerms(
                owner: terms.owner,
                file: terms.file,
                mode: terms.mode,
                expires: Timestamp(milliseconds: terms.expires.milliseconds + 1)
            ),
        ]
        for other in others {
            #expect(throws: VerificationFailure.signature) {
                try read.verify(other, secret: secret)
            }
        }
        #expect(throws: VerificationFailure.misplaced) {
            try read.verify(terms, secret: InvitationSecret(random: .seeded(51)))
        }
    }

    @Test func `a claim with any byte changed is refused or is not vouched for`() throws {
        let claim = InvitationClaim(terms, secret: secret, by: try certificate(of: ben, "ben"))
        byteFlips(claim.bytes) { changed, index in
            #expect(throws: (any Error).self, "byte \(index)") {
                try InvitationClaim(changed).verify(terms, secret: secret)
            }
        }
    }

    @Test func `the keys of somebody else are not what was vouched for`() throws {
        let eve = try Person(3)
        let claim = InvitationClaim(terms, secret: secret, by: try certificate(of: ben, "ben"))
        let other = InvitationClaim(
            terms,
            secret: InvitationSecret(random: .seeded(52)),
            by: try certificate(of: eve, "ben")
        )
        // Her certificate under his code.
        let forged = secret.name + other.bytes[17...].dropLast(32) + claim.bytes.suffix(32)
        #expect(throws: VerificationFailure.signature) {
            try InvitationClaim([1] + forged).verify(terms, secret: secret)
        }
    }

    // MARK: The address book

    private func book() throws -> AddressBook {
        AddressBook(
            names: [
                AddressBook.Name(username: try #require(Username("zoe")), account: ben.id),
                AddressBook.Name(
                    username: try #require(Username("ben")),
                    account: ann.id,
                    isVerified: true,
                    blocking: 3
                ),
            ],
            invitations: [
                AddressBook.Invitation(
                    secret: secret,
                    file: terms.file,
                    mode: .write,
                    expires: terms.expires
                ),
                AddressBook.Invitation(
                    secret: InvitationSecret(random: .seeded(51)),
                    file: terms.file,
                    mode: .read,
                    expires: terms.expires,
                    state: .used(by: ben.id)
                ),
                AddressBook.Invitation(
                    secret: InvitationSecret(random: .seeded(52)),
                    file: terms.file,
                    mode: .read,
                    expires: terms.expires,
                    state: .takenBack
                ),
            ]
        )
    }

    @Test func `an address book is read as it was written`() throws {
        let book = try book()
        #expect(try AddressBook(book.bytes) == book)
        #expect(book.names.map(\.username.text) == ["ben", "zoe"])
        #expect(book.names.map(\.isBlocked) == [true, false])
        #expect(try AddressBook(AddressBook.empty.bytes).isEmpty)
    }

    @Test func `an address book has one form`() throws {
        let bytes = try book().bytes
        #expect(throws: DecodingFailure.self) { try AddressBook(bytes + [0]) }
        #expect(throws: DecodingFailure.self) { try AddressBook(bytes.dropLast()) }
        #expect(throws: DecodingFailure.unknownFormat(found: 5, known: 4)) {
            try AddressBook([5] + bytes.dropFirst())
        }
        byteFlips(bytes) { changed, index in
            // Whatever else it says then, it is no second form of the same.
            let read = try? AddressBook(changed)
            #expect(read == nil || read?.bytes == changed, "byte \(index)")
        }
    }

    @Test func `of too many names the same ones stay on every device`() throws {
        func names(_ range: Range<UInt64>) throws -> [AddressBook.Name] {
            try range.map { number in
                AddressBook.Name(
                    username: try #require(Username("somebody-with-a-long-name-\(number)")),
                    account: AccountID(hash: Hash256(sha256: noise(8, seed: number))),
                    isVerified: number == 999
                )
            }
        }
        let all = AddressBook(names: try names(0..<1_000), invitations: [])

        #expect(all.bytes.count <= AddressBook.maximumByteCount)
        #expect(all.names.count > 200)
        #expect(all.names.contains { $0.isVerified })
        // One device knows these and half of the others, and comes to the same.
        let known = try names(500..<1_000)
        let others = all.names.filter { !known.contains($0) }
        let half = AddressBook(names: others + known, invitations: [])
        #expect(Set(half.names.map(\.username)) == Set(all.names.map(\.username)))
    }
}
