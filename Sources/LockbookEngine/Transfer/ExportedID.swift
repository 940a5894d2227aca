import LockbookCrypto
import LockbookModel

/// By what an export knows again what it is of.
///
/// An owner chooses the ids of his files, and may choose one that is another's, too.
struct ExportedID: Hashable, Sendable {
    let file: FileID
    /// Nil where an earlier program remembered it.
    let owner: AccountID?

    init(_ file: FileID, of owner: AccountID) {
        (self.file, self.owner) = (file, owner)
    }

    /// Whether both are of one file; where an owner is not known, as far as the id tells.
    func isSame(as other: ExportedID) -> Bool {
        file == other.file && (owner == nil || other.owner == nil || owner == other.owner)
    }

    func append(to encoder: inout CanonicalEncoder) {
        encoder.append(owner != nil)
        if let owner { encoder.append(owner.hash) }
        encoder.append(fixed: file.bytes)
    }

    /// - Parameter isAlone: whether an earlier program wrote it, without the owner.
    init(from decoder: inout CanonicalDecoder, alone isAlone: Bool) throws {
        let hasOwner = try !isAlone && decoder.bool("owner")
        owner = hasOwner ? AccountID(hash: try decoder.hash()) : nil
        guard let file = FileID(try decoder.fixed(16)) else { throw DecodingFailure.length }
        self.file = file
    }
}
