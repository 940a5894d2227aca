import LockbookModel

/// What somebody typed of the name of an offer.
///
/// Only with its owner's: anybody may offer something by a name that is expected of another one.
private struct OfferName {
    let owner: String
    let name: String
    /// Set where a slash stands behind it.
    let isFolder: Bool

    init?(_ word: String) {
        // By bytes: a character may be a slash and the mark that combines with it.
        let slash = UInt8(ascii: "/")
        let isFolder = word.utf8.last == slash
        let parts = word.utf8.dropLast(isFolder ? 1 : 0)
            .split(separator: slash, maxSplits: 1, omittingEmptySubsequences: false)
            .map { String(Substring($0)) }
        guard parts.count > 1 else { return nil }
        self.isFolder = isFolder
        (owner, name) = (parts[0], parts[1])
    }

    /// - Parameter offer: one of that owner's.
    func fits(_ offer: ShareOffer) -> Bool {
        name == offer.name && (!isFolder || offer.type == .folder)
    }
}

extension Lockbook {
    /// Whether a word means an offer by its id, or its beginning, also with `NAME:` in front.
    ///
    /// Such a one means nothing else, whatever somebody calls what he offers: who copied an id that
    /// is gone by now must not get something else for it.
    public static func isOfferID(_ word: String) -> Bool {
        !word.utf8.contains(UInt8(ascii: "/"))
    }

    /// The offer that is meant: by its id or the beginning of it, or by its owner and name.
    ///
    /// In front of an id `NAME:` may say whose it is; in front of a name `NAME/` does.
    /// - Throws: `.noOffer`, `.ambiguous` for an id, `.ambiguousOffer` for a name; why a tree cannot be
    ///   looked into, where it is in none of the others.
    func one(_ word: String) throws -> Received {
        try Self.isOfferID(word) ? one(id: word) : one(named: word)
    }

    private func one(id prefix: String) throws -> Received {
        // Two accounts may offer files of one id: `NAME:ID` says whose.
        let parts = prefix.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let wanted = parts.last?.lowercased() ?? ""
        let name = parts.count > 1 && parts[0] != "id" ? String(parts[0]) : nil
        let unread = UnreadTrees()
        let matches = try received(unread) { from, id in
            !wanted.isEmpty && id.hasPrefix(wanted) && (name ?? from) == from
        }
        return try matches.theOne(
            orNone: obstacle(unread, of: name)
                ?? .noOffer(id: name == nil && !wanted.isEmpty ? wanted : prefix),
            orSeveral: .ambiguous(prefix: "id:" + wanted, matches: matches.map(\.name).sorted())
        )
    }

    private func one(named word: String) throws -> Received {
        guard let name = OfferName(word) else { throw LockbookError.noOffer(id: word) }
        // What was rejected is not listed, so its name means something that is.
        let unread = UnreadTrees()
        let known = try received(unread) { from, _ in from == name.owner }.filter {
            !$0.isRejected && name.fits($0.offer)
        }
        let open = known.filter(\.isOpen)
        let matches = open.isEmpty ? known : open
        return try matches.theOne(
            orNone: obstacle(unread, of: name.owner) ?? .noOffer(id: word),
            orSeveral: .ambiguousOffer(name: word, matches: matches.map(\.name).sorted())
        )
    }

    /// Why it cannot be looked into what somebody shares; without a name, what anybody does.
    private func obstacle(_ unread: UnreadTrees, of name: String?) throws -> LockbookError? {
        try store.read { tree in
            try unread.first { try name == nil || tree.username(of: $0) == name }
        }
    }
}

extension Lockbook.Received {
    /// What means it alone.
    fileprivate var name: String { "\(offer.from):\(offer.id)" }
}
