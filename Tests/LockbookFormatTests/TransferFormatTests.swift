import LockbookCrypto
import LockbookModel
import Testing

/// What says that a share has another owner, and what it takes to be believed.
struct TransferFormatTests {
    let ada: AccountKeys
    let bob: AccountKeys
    let eve: AccountKeys
    let file: FileID
    let copy: FileID
    let next: FileID

    init() throws {
        func keys(_ byte: UInt8) throws -> AccountKeys {
            try AccountKeys(seed: try #require(AccountSeed(Array(repeating: byte, count: 32))))
        }
        (ada, bob, eve) = (try keys(1), try keys(2), try keys(3))
        func id(_ byte: UInt8) throws -> FileID {
            try #require(FileID(Array(repeating: byte, count: 16)))
        }
        (file, copy, next) = (try id(1), try id(2), try id(3))
    }

    private func offer(
        of file: FileID,
        by owner: AccountKeys,
        to heir: AccountKeys,
        _ number: UInt32 = 1
    ) throws -> TransferOffer {
        try TransferOffer(
            of: file,
            to: AccountID(heir.publicKeys),
            number: number,
            created: Timestamp(milliseconds: 5),
            by: owner
        )
    }

    private func succession(_ offer: TransferOffer, _ file: FileID, by heir: AccountKeys) throws
        -> Succession
    {
        try Succession(to: offer, with: file, created: Timestamp(milliseconds: 6), by: heir)
    }

    @Test func `an offer and a succession are read as they were written`() throws {
        let offer = try offer(of: file, by: ada, to: bob)
        #expect(offer.bytes.count == 221)
        #expect(try TransferOffer(verifying: offer.bytes) == offer)
        #expect(offer.source == LinkTarget(owner: AccountID(ada.publicKeys), file: file))
        let succession = try succession(offer, copy, by: bob)
        #expect(succession.bytes.count == 1 + 4 + 221 + 96 + 16 + 8 + 64)
        #expect(try Succession(verifying: succession.bytes) == succession)
        #expect(succession.target == LinkTarget(owner: AccountID(bob.publicKeys), file: copy))
    }

    @Test func `a byte that was changed is noticed wherever it stands`() throws {
        let offer = try offer(of: file, by: ada, to: bob)
        let succession = try succession(offer, copy, by: bob)
        for index in offer.bytes.indices {
            var bytes = offer.bytes
            bytes[index] ^= 1
            #expect(throws: (any Error).self) { _ = try TransferOffer(verifying: bytes) }
        }
        for index in succession.bytes.indices {
            var bytes = succession.bytes
            bytes[index] ^= 1
            #expect(throws: (any Error).self) { _ = try Succession(verifying: bytes) }
        }
        for length in 0..<succession.bytes.count {
            #expect(throws: (any Error).self) {
                _ = try Succession(verifying: Array(succession.bytes.prefix(length)))
            }
        }
    }

    @Test func `nobody takes over what was offered to somebody else`() throws {
        let stolen = try succession(try offer(of: file, by: ada, to: bob), copy, by: eve)
        #expect(throws: VerificationFailure.author) {
            _ = try Succession(verifying: stolen.bytes)
        }
        var mark = FileMark()
        mark.successions = [stolen]
        let read = FileMark(reading: mark.bytes)
        #expect(read.successions == [])
        #expect(read.sources(of: stolen.target) == [])
    }

    @Test func `how a file died is told also beside what does not verify`() throws {
        let honest = try succession(try offer(of: file, by: ada, to: bob), copy, by: bob)
        let stolen = try succession(try offer(of: file, by: ada, to: bob), next, by: eve)
        var mark = FileMark()
        (mark.diedWithFolder, mark.diedUnseen) = (true, true)
        mark.successions = [honest, stolen, honest]
        let read = FileMark(reading: mark.bytes)
        #expect(read.diedWithFolder && read.diedUnseen)
        #expect(read.successions == [honest])
        #expect(read.source(of: honest.target) == honest)
        #expect(read.source(of: stolen.target) == nil)
        // What stands there stays, also what this program does not believe.
        #expect(read.bytes == mark.bytes)
    }

    /// A mark of a file that died with its folder.
    private func mark(offer: [UInt8] = [], _ successions: [UInt8]...) -> [UInt8] {
        var encoder = CanonicalEncoder()
        encoder.append(2 as UInt8)
        encoder.append(counted: offer)
        encoder.append(UInt32(successions.count))
        for succession in successions { encoder.append(counted: succession) }
        encoder.append(false)
        return encoder.bytes
    }

    @Test func `what is longer than offers and successions are is no mark and takes no room`()
        throws
    {
        let honest = try succession(try offer(of: file, by: ada, to: bob), copy, by: bob)
        #expect(FileMark(reading: mark(honest.bytes)).successions == [honest])
        let long = [UInt8](repeating: 7, count: 14_000)
        for bytes in [mark(long), mark(honest.bytes, long), mark(offer: long)] {
            var read = FileMark(reading: bytes)
            #expect(read == FileMark())
            read.offer = honest.offer
            #expect(FileMark(reading: read.bytes).offer == honest.offer)
            #expect(read.bytes.count < 300)
        }
    }

    @Test func `a mark is read as it was written, and anything else says nothing`() throws {
        var mark = FileMark()
        #expect(mark.bytes.isEmpty)
        let first = try succession(try offer(of: file, by: ada, to: bob), copy, by: bob)
        mark.successions = [first]
        mark.offer = try offer(of: copy, by: bob, to: eve)
        for copy in [nil, VersionID(Array(repeating: 9, count: 16))] {
            mark.origin = FileMark.Origin(file: file, version: nil, copy: copy)
            #expect(FileMark(reading: mark.bytes) == mark)
        }
        for format in 1...4 as ClosedRange<UInt8> {
            mark.diedWithFolder = format == 2 || format == 4
            mark.diedUnseen = format > 2
            #expect(mark.bytes.first == format && FileMark(reading: mark.bytes) == mark)
        }
        let later: [UInt8] = [5] + mark.bytes.dropFirst()
        let none: [UInt8] = [0] + mark.bytes.dropFirst()
        for bytes in [
            [], [2], later, none, mark.bytes + [0], Array(mark.bytes.dropLast()), [1, 0, 0, 0, 0],
        ] {
            #expect(FileMark(reading: bytes) == FileMark())
        }
    }

    @Test func `a share is followed from owner to owner, and not to another file`() throws {
        let first = try succession(try offer(of: file, by: ada, to: bob), copy, by: bob)
        var mark = FileMark()
        mark.successions = [first]
        #expect(mark.sources(of: first.target) == [first])
        #expect(mark.sources(of: LinkTarget(owner: first.target.owner, file: next)) == [])
        let second = try succession(try offer(of: copy, by: bob, to: eve), next, by: eve)
        mark.successions = mark.succeeded(by: second)
        #expect(mark.sources(of: second.target) == [second, first])
        // What was offered of another file leads nowhere.
        let apart = try succession(try offer(of: file, by: bob, to: eve), next, by: eve)
        mark.successions = [apart, first]
        #expect(mark.sources(of: apart.target) == [apart])
    }

    @Test func `what goes back to an earlier owner is followed, and what nobody else had is not`()
        throws
    {
        let first = try succession(try offer(of: file, by: ada, to: bob), copy, by: bob)
        let back = try succession(try offer(of: copy, by: bob, to: ada), next, by: ada)
        var mark = FileMark()
        mark.successions = [back, first]
        #expect(mark.sources(of: back.target) == [back, first])
        let own = try succession(try offer(of: copy, by: bob, to: bob), next, by: bob)
        mark.successions = [own, first]
        #expect(FileMark(reading: mark.bytes) == mark)
        #expect(mark.sources(of: own.target) == [])
    }

    @Test func `the address book knows what is given away, in a format of its own`() throws {
        let entry = AddressBook.Transfer(
            file: file,
            heir: AccountID(bob.publicKeys),
            number: 3
        )
        let book = AddressBook(names: [], invitations: [], transfers: [entry])
        #expect(entry.isOpen && !book.isEmpty)
        #expect(book.bytes.first == 2 && book.bytes.count == 1 + 4 + 4 + 4 + 52)
        #expect(try AddressBook(book.bytes) == book)
        #expect(AddressBook(names: [], invitations: []).bytes.first == 1)
        // One format for one book.
        #expect(throws: DecodingFailure.invalid(field: "format")) {
            _ = try AddressBook(Array(book.bytes.prefix(9)) + [0, 0, 0, 0])
        }
    }

    @Test func `answers to offers are in a fourth format`() throws {
        func answer(_ owner: AccountKeys, _ file: FileID, _ number: UInt32) -> AddressBook.Answer {
            let target = LinkTarget(owner: AccountID(owner.publicKeys), file: file)
            return AddressBook.Answer(to: target, number: number)
        }
        let answers = [answer(ada, next, 2), answer(ada, file, 1), answer(eve, file, 3)]
        let book = AddressBook(names: [], invitations: [], answers: answers)
        #expect(!book.isEmpty && book.answers.map(\.offer) == answers.map(\.offer).sorted())
        #expect(book.answers.filter(\.isRejection).count == 2)
        let bytes = book.bytes
        #expect(bytes.first == 4 && bytes.count == 1 + 4 + 4 + 4 + 4 + 3 * 52)
        #expect(try AddressBook(bytes) == book)
        for index in bytes.indices {
            var changed = bytes
            changed[index] ^= 1
            let read = try? AddressBook(changed)
            #expect(read == nil || read?.bytes == changed, "byte \(index)")
        }
        // One format for one book, and each answer once.
        #expect(throws: DecodingFailure.invalid(field: "format")) {
            _ = try AddressBook(Array(bytes.prefix(13)) + [0, 0, 0, 0])
        }
        #expect(throws: DecodingFailure.invalid(field: "answers")) {
            _ = try AddressBook(
                Array(bytes.prefix(16)) + [2] + bytes[17..<69] + bytes[17..<69]
            )
        }
    }

    @Test func `of too many answers the rejections stay, on every device the same ones`() throws {
        let owner = AccountID(ada.publicKeys)
        let all = try (0..<200 as Range<UInt8>).map { byte in
            let file = try #require(FileID(Array(repeating: byte, count: 16)))
            return AddressBook.Answer(
                to: LinkTarget(owner: owner, file: file),
                number: byte % 4 == 0 ? 1 : 2
            )
        }
        let book = AddressBook(names: [], invitations: [], answers: all.reversed())
        #expect(book.answers.count == AddressBook.maximumAnswerCount)
        #expect(book.answers.filter(\.isRejection).count == 50)
        #expect(book == AddressBook(names: [], invitations: [], answers: book.answers))
        #expect(book == AddressBook(names: [], invitations: [], answers: all))
    }
}
