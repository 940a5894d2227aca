import LockbookCrypto
import LockbookModel

// What goes wrong below the engine, for a sentence to end with.

extension DecodingFailure {
    var words: String {
        switch self {
        case .length: "it is shorter or longer than it says"
        case .invalid(let field): "its field `\(field)` has a value that means nothing"
        case .unknownFormat(let found, let known):
            "it is of format \(found), and this program knows those up to \(known)"
        }
    }
}

extension VerificationFailure {
    /// A sentence of its own.
    var words: String {
        switch self {
        case .signature: "a signature is not of the account that it should be of"
        case .publicKey: "a public key is none"
        case .misplaced: "something is of another log, account or place than where it stands"
        case .hash: "what was sent is not what was signed"
        case .author: "something is signed by an account that may not sign it"
        }
    }
}

extension DamagedRecord {
    var words: String {
        switch self {
        case .keyDoesNotOpen: "its key is sealed for another folder, or damaged"
        case .bodyDoesNotOpen: "what is sealed in it is damaged"
        case .bodyInvalid: "what is sealed in it means nothing"
        case .nameTagWrong: "its name is another one than was signed"
        case .newerFormat(let format): "it is of format \(format), which a newer program wrote"
        }
    }
}

extension Violation {
    var words: String {
        switch self {
        case .root(let id): "the root is changed or missing, or id:\(id) is a second one"
        case .pathConflict(let id, let other): "id:\(id) and id:\(other) have one path"
        case .cycle(let id): "id:\(id) is in itself"
        case .orphan(let id): "id:\(id) is in no folder"
        case .childOfNonFolder(let id): "id:\(id) is in what is no folder"
        case .typeChanged(let id): "id:\(id) became something of another kind"
        case .belowDead(let id): "id:\(id) is in a deleted folder"
        case .foreignAuthor(let id): "id:\(id) is changed by somebody who may not"
        case .foreignOwner(let id): "id:\(id) is of another owner than its folder"
        case .epoch(let id): "id:\(id) is sealed with a key of another time"
        case .scope(let id): "id:\(id) is in another share than it says"
        case .grant(let id): "id:\(id) is shared by somebody who may not, or not as it can be"
        case .rotation(let id):
            "id:\(id) has a key that not all who should have it have, or others have, too"
        case .linkInShare(let id): "id:\(id) is a link in what is shared"
        }
    }
}
