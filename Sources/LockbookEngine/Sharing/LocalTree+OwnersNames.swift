import LockbookCrypto
import LockbookModel

/// What owners call what they share with this account.
extension LocalTree {
    func ownersNames() throws -> [FileID: FileName] { try ownersNames(of: held().keys) }

    /// The names before a page is merged, of what it tells something of.
    func ownersNames(in news: [FileID: File]) throws -> [FileID: FileName] {
        guard isForeign else { return [:] }
        return try ownersNames(of: held().keys.filter { news[$0] != nil })
    }

    private func ownersNames(of files: some Sequence<FileID>) throws -> [FileID: FileName] {
        var names: [FileID: FileName] = [:]
        for file in files {
            guard let row = try row(file), !row.isDamaged else { continue }
            do { names[file] = try ownersName(of: row) } catch is DamagedRecord { continue }
        }
        return names
    }

    // MARK: Names that links are yet to follow

    /// What links may be called that followed their owners' names so far.
    func namesFollowed() throws -> [FileID: FileName] {
        try ownersNames().merging(namesGivenUp()) { _, given in given }
    }

    /// Keeps what owners called what has another name now, until links have followed that: a sync that is
    /// killed before leaves it to the next one.
    func keepNames(_ before: [FileID: FileName]) throws {
        guard !before.isEmpty else { return }
        let after = try ownersNames(of: before.keys)
        let given = before.filter { file, name in after[file].map { $0 != name } ?? false }
        guard !given.isEmpty else { return }
        let names = given.merging(try namesGivenUp()) { _, first in first }
        let texts = names.map { ($0.key.description, $0.value.text) }
        try seal(
            Dictionary(uniqueKeysWithValues: texts),
            as: .namesGivenUp,
            for: Self.givenUp
        )
    }

    func hasNamesGivenUp() throws -> Bool { try setting(.namesGivenUp) != nil }

    func forgetNamesGivenUp() throws { try set(.namesGivenUp, to: nil) }

    private func namesGivenUp() throws -> [FileID: FileName] {
        let texts: [String: String] = try sealed(.namesGivenUp, for: Self.givenUp) ?? [:]
        return texts.reduce(into: [:]) { names, text in
            guard let file = FileID(hex: text.key) else { return }
            names[file] = try? FileName(text.value)
        }
    }

    private static let givenUp: StaticString = "names given up"
}
