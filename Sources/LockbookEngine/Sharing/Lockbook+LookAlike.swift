import GRDB
import LockbookModel

extension Lockbook {
    /// The name of an account that any device has met, and that reads nearly like another one's.
    ///
    /// Names are of small letters, digits and a few signs: what is left to be mistaken are letters and
    /// digits of one shape, and signs.
    public func lookAlike(of username: String) throws -> String? {
        let shape = Self.shape(of: username)
        let met = try store.read { tree in
            try String.fetchAll(tree.db, sql: "SELECT username FROM known ORDER BY username")
        }
        return (met + [account.username]).first {
            $0 != username && Self.shape(of: $0) == shape
        }
    }

    /// Who makes an offer, and the account that reads nearly like that one.
    /// - Parameter word: an id, or the owner and the name, as for `accept(id:)`.
    /// - Returns: nil where there is none, and where somebody compared the owner's keys.
    public func lookAlike(ofOffer word: String) throws -> (owner: String, known: String)? {
        let offer = try one(word).offer
        guard !offer.verified, let known = try lookAlike(of: offer.from) else { return nil }
        return (offer.from, known)
    }

    /// The same of an account whose keys nobody compared.
    public func lookAlike(ofUnverified username: String) throws -> String? {
        let isVerified = try store.read { tree in
            try tree.known(username).map { try tree.isVerified($0.account) } ?? false
        }
        return isVerified ? nil : try lookAlike(of: username)
    }

    private static func shape(of name: String) -> String {
        var shape = ""
        for character in name.lowercased() where character.isLetter || character.isNumber {
            switch character {
            case "0": shape.append("o")
            case "1", "i": shape.append("l")
            case "5": shape.append("s")
            case "2": shape.append("z")
            default: shape.append(character)
            }
        }
        return shape.replacing("rn", with: "m").replacing("vv", with: "w")
    }
}
