import GRDB
import LockbookCrypto
import LockbookModel

/// What this account wants of the files that others share with it; all its devices know it.
extension LocalTree {
    func answers() throws -> [AddressBook.Answer] {
        try Row.fetchAll(db.cachedStatement(sql: "SELECT owner, file, number FROM answer"))
            .compactMap { row in
                guard let owner = Hash256(row.bytes(0)), let file = FileID(row.bytes(1)) else {
                    return nil
                }
                return AddressBook.Answer(
                    to: LinkTarget(owner: AccountID(hash: owner), file: file),
                    number: UInt32(clamping: row[2] as Int64)
                )
            }
    }

    /// Files of an account that were rejected or left, and are not shown as offered.
    func rejected(of owner: AccountID) throws -> Set<FileID> {
        Set(try rejected().filter { $0.owner == owner }.map(\.file))
    }

    func rejected() throws -> Set<LinkTarget> {
        Set(try answers().filter(\.isRejection).map(\.offer))
    }

    func setRejected(_ offer: LinkTarget, _ isRejected: Bool) throws {
        let answer = try answers().first { $0.offer == offer }
        guard (answer?.isRejection ?? false) != isRejected else { return }
        try set(AddressBook.Answer(to: offer, number: (answer?.number ?? 0) &+ 1))
    }

    /// The higher number holds.
    func takeAnswers(of book: AddressBook) throws {
        for answer in book.answers { try set(answer) }
    }

    private func set(_ answer: AddressBook.Answer) throws {
        try db.execute(
            sql: """
                INSERT INTO answer (owner, file, number) VALUES (?, ?, ?)
                ON CONFLICT (owner, file) DO UPDATE SET number = max(number, excluded.number)
                """,
            arguments: [
                answer.offer.owner.hash.bytes.data, answer.offer.file.bytes.data,
                Int64(answer.number),
            ]
        )
    }
}
