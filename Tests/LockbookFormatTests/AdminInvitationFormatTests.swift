import LockbookCrypto
import LockbookModel
import SecondImplementation
import Testing

/// Invitations by an admin, byte for byte as docs/FORMAT.md says it, and what an owner's stay.
struct AdminInvitationFormatTests {
    private let ann: Person
    private let ben: Person
    private let cat: Person
    private let secret = InvitationSecret(random: .seeded(50))
    private let file = FileID(random: .seeded(40))
    private let expires = Timestamp(milliseconds: 1_700_000_000_000)

    init() throws {
        ann = try Person(1)
        ben = try Person(2)
        cat = try Person(3)
    }

    /// To a folder of ann's; by cat, or by ann herself.
    private func terms(by inviter: Person? = nil, _ mode: ShareMode = .write) -> InvitationTerms {
        InvitationTerms(
            owner: ann.id,
            inviter: inviter?.id,
            file: file,
            mode: mode,
            expires: expires
        )
    }

    private func certificate(of person: Person, _ name: String) throws -> AccountCertificate {
        try AccountCertificate(
            username: try #require(Username(name)),
            keys: person.keys,
            created: Timestamp(milliseconds: 9)
        )
    }

    private func code(_ terms: InvitationTerms, from name: String) throws -> InvitationCode {
        InvitationCode(
            terms,
            secret: secret,
            from: try #require(Username(name)),
            server: "https://notes.example"
        )
    }

    // MARK: As the document has it

    private func fields(_ accounts: [Person], _ mode: UInt8) -> Bytes {
        accounts.flatMap { $0.id.hash.bytes } + file.bytes + [mode] + i64(1_700_000_000_000)
    }

    private func secondCode(_ format: UInt8, _ fields: Bytes, from name: String) -> Bytes {
        let bytes =
            [format] + fields + secret.bytes + counted(ascii(name))
            + counted(ascii("https://notes.example"))
        return bytes + labelled("invitation-code", bytes).prefix(4)
    }

    private func secondClaim(
        _ format: UInt8,
        _ label: String,
        _ fields: Bytes,
        by certificate: AccountCertificate
    ) -> Bytes {
        let key = labelled("invitation-key", secret.bytes)
        let message = SecondImplementation.label(label) + fields + counted(certificate.bytes)
        return [format] + labelled("invitation-id", secret.bytes).prefix(16)
            + counted(certificate.bytes) + OpenSSL.hmac(key, message)
    }

    private func bytes(of code: InvitationCode) throws -> Bytes {
        try #require(Base32.decode(code.text.utf8.dropFirst(4)))
    }

    @Test func `an owner's code and the claim on it are of the first format`() throws {
        let own = try code(terms(), from: "ann")
        let ben = try certificate(of: ben, "ben")

        #expect(try bytes(of: own) == secondCode(1, fields([ann], 2), from: "ann"))
        #expect(
            InvitationClaim(terms(), secret: secret, by: ben).bytes
                == secondClaim(1, "invitation-claim", fields([ann], 2), by: ben)
        )
        #expect(terms(by: ann) == terms())
        #expect(try InvitationCode(own.text) == own)
    }

    @Test func `an admin's code and the claim on it name whose it is and who invites`() throws {
        let code = try code(terms(by: cat), from: "cat")
        let ben = try certificate(of: ben, "ben")
        let claim = InvitationClaim(terms(by: cat), secret: secret, by: ben)

        #expect(try bytes(of: code) == secondCode(2, fields([ann, cat], 2), from: "cat"))
        #expect(
            claim.bytes
                == secondClaim(2, "invitation-claim-by-admin", fields([ann, cat], 2), by: ben)
        )
        let read = try InvitationCode(code.text)
        #expect(read == code)
        #expect(read.terms.owner == ann.id && read.terms.inviter == cat.id)
        try InvitationClaim(claim.bytes).verify(read.terms, secret: secret)
    }

    @Test func `a code of another format is no other one`() throws {
        func text(_ bytes: Bytes) -> String { InvitationCode.prefix + Base32.encode(bytes) }
        // What a program that knows owners alone says of an admin's.
        let newer = secondCode(3, fields([ann, cat], 2), from: "cat")
        #expect(throws: InvitationCodeFailure.newerFormat(3)) { try InvitationCode(text(newer)) }
        for bytes in [
            // An owner's in the admins' form, an admin's in the owners', and one who makes admins.
            secondCode(2, fields([ann, ann], 2), from: "ann"),
            secondCode(1, fields([ann, cat], 2), from: "cat"),
            secondCode(2, fields([ann], 2), from: "ann"),
            secondCode(2, fields([ann, cat], 3), from: "cat"),
            secondCode(2, fields([ann, cat], 0), from: "cat"),
            secondCode(0, fields([ann], 2), from: "ann"),
        ] {
            #expect(throws: InvitationCodeFailure.self) { try InvitationCode(text(bytes)) }
        }
    }

    @Test func `a claim holds for this owner and this inviter alone`() throws {
        let ben = try certificate(of: ben, "ben")
        let claim = InvitationClaim(terms(by: cat), secret: secret, by: ben)
        byteFlips(claim.bytes) { changed, index in
            #expect(throws: (any Error).self, "byte \(index)") {
                try InvitationClaim(changed).verify(terms(by: cat), secret: secret)
            }
        }
        let swapped = InvitationTerms(
            owner: cat.id,
            inviter: ann.id,
            file: file,
            mode: .write,
            expires: expires
        )
        for other in [terms(by: self.ben), terms(by: cat, .read), swapped] {
            #expect(throws: VerificationFailure.signature) {
                try InvitationClaim(claim.bytes).verify(other, secret: secret)
            }
        }
        // An owner's says nothing for an admin, nor the other way round, whatever it calls itself.
        let own = InvitationClaim(terms(), secret: secret, by: ben)
        for (bytes, terms) in [(own.bytes, terms(by: cat)), (claim.bytes, terms())] {
            #expect(throws: VerificationFailure.misplaced) {
                try InvitationClaim(bytes).verify(terms, secret: secret)
            }
            let renamed = [3 - bytes[0]] + bytes.dropFirst()
            #expect(throws: VerificationFailure.signature) {
                try InvitationClaim(renamed).verify(terms, secret: secret)
            }
        }
        #expect(throws: DecodingFailure.unknownFormat(found: 3, known: 2)) {
            try InvitationClaim([3] + claim.bytes.dropFirst())
        }
    }

    // MARK: The address book

    private func book(by owner: Person?, givingAway isGiving: Bool = false) -> AddressBook {
        AddressBook(
            names: [],
            invitations: [
                AddressBook.Invitation(
                    secret: secret,
                    owner: owner?.id,
                    file: file,
                    mode: .write,
                    expires: expires,
                    state: .used(by: ben.id)
                )
            ],
            transfers: isGiving
                ? [AddressBook.Transfer(file: file, heir: ben.id, number: 1)] : []
        )
    }

    private func secondBook(_ format: UInt8, _ owner: Bytes, _ transfers: Bytes) -> Bytes {
        [format] + u32(0) + u32(1) + secret.bytes + file.bytes + [2] + i64(1_700_000_000_000)
            + owner + [1] + ben.id.hash.bytes + transfers
    }

    @Test func `the address book is of a third format with an admin's invitation alone`() throws {
        let given = u32(1) + file.bytes + ben.id.hash.bytes + u32(1)
        let isAnns: Bytes = [1] + ann.id.hash.bytes
        for (book, bytes) in [
            (book(by: nil), secondBook(1, [], [])),
            (book(by: nil, givingAway: true), secondBook(2, [], given)),
            (book(by: ann), secondBook(3, isAnns, u32(0))),
            (book(by: ann, givingAway: true), secondBook(3, isAnns, given)),
        ] {
            #expect(book.bytes == bytes)
            #expect(try AddressBook(bytes) == book)
            byteFlips(bytes) { changed, index in
                let read = try? AddressBook(changed)
                #expect(read == nil || read?.bytes == changed, "byte \(index)")
            }
        }
        #expect(throws: DecodingFailure.invalid(field: "format")) {
            _ = try AddressBook(secondBook(3, [0], u32(0)))
        }
        #expect(throws: DecodingFailure.self) { _ = try AddressBook(secondBook(2, isAnns, given)) }
    }

    @Test func `own invitations and an admin's stand in one book, and as many names as fit`()
        throws
    {
        var invitations: [AddressBook.Invitation] = []
        for number in 0..<40 as Range<UInt64> {
            invitations.append(
                AddressBook.Invitation(
                    secret: InvitationSecret(random: .seeded(100 + number)),
                    owner: number % 2 == 0 ? ann.id : nil,
                    file: FileID(random: .seeded(200 + number)),
                    mode: .read,
                    expires: expires,
                    state: number % 3 == 0 ? .open : .used(by: ben.id)
                )
            )
        }
        let names = try (0..<1_000 as Range<UInt64>).map { number in
            AddressBook.Name(
                username: try #require(Username("somebody-with-a-long-name-\(number)")),
                account: AccountID(hash: Hash256(sha256: noise(8, seed: number)))
            )
        }
        let book = AddressBook(names: names, invitations: invitations)
        #expect(book.bytes.count <= AddressBook.maximumByteCount)
        #expect(book.names.count > 100 && book.invitations.count == 40)
        #expect(try AddressBook(book.bytes) == book)
    }
}
