import LockbookCrypto
import LockbookModel

extension Refusal {
    /// What is not in its canonical form.
    init(_ failure: DecodingFailure) {
        switch failure {
        case .length: self.init(.malformed, "something is longer or shorter than its format")
        case .invalid(let field): self.init(.malformed, "a wrong value: \(field)")
        case .unknownFormat(let found, let known):
            self.init(
                .updateNeeded,
                "this server knows format \(known), and was sent format \(found)"
            )
        }
    }

    /// What is signed, or hashed, by somebody or as something else.
    init(_ failure: VerificationFailure) {
        switch failure {
        case .signature: self.init(.notPermitted, "a signature does not fit")
        case .publicKey: self.init(.malformed, "an unsafe public key")
        case .misplaced: self.init(.malformed, "not of this log, or of another place in it")
        case .hash: self.init(.malformed, "the hashes do not fit what was sent")
        case .author: self.init(.notPermitted, "the author is somebody else")
        }
    }
}
