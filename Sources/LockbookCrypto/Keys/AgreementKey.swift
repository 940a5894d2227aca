import Crypto
import FoundationEssentials

/// Opens file keys that others wrapped for this account (HPKE base mode, RFC 9180).
package struct AgreementKey: Sendable {
    private let key: Curve25519.KeyAgreement.PrivateKey

    static let suite = HPKE.Ciphersuite.Curve25519_SHA256_ChachaPoly

    init(seed: [UInt8]) throws {
        key = try Curve25519.KeyAgreement.PrivateKey(rawRepresentation: seed)
    }

    package var publicKey: AgreementPublicKey { AgreementPublicKey(trusted: key.publicKey) }

    /// Opens what `AgreementPublicKey.wrap` sealed: 32 bytes of encapsulated key, then ciphertext.
    package func unwrap(_ sealed: [UInt8], info: [UInt8]) throws(OpeningFailure) -> FileKey {
        guard sealed.count == AgreementPublicKey.sealedByteCount,
            // A low-order encapsulated key would make the secret known to all.
            !Curve25519Points.isUnsafeMontgomery(Array(sealed[..<32]))
        else { throw .doesNotOpen }
        do {
            var recipient = try HPKE.Recipient(
                privateKey: key,
                ciphersuite: Self.suite,
                info: Data(info),
                encapsulatedKey: Data(sealed[..<32])
            )
            guard let fileKey = FileKey(Array(try recipient.open(Data(sealed[32...])))) else {
                throw OpeningFailure.doesNotOpen
            }
            return fileKey
        } catch {
            throw .doesNotOpen
        }
    }
}

extension AgreementPublicKey {
    /// 32 bytes of encapsulated key, 32 of file key, 16 of tag.
    package static let sealedByteCount = 80

    /// Whether the key that stands in front of what was sealed is one that only its maker can have had a
    /// secret with.
    package static func isSafe(sealed: [UInt8]) -> Bool {
        guard let encapsulated = Hash256(sealed.prefix(32)) else { return false }
        return (try? AgreementPublicKey(encapsulated)) != nil
    }

    /// Seals a file key so that only the holder of the private half can open it.
    package func wrap(_ fileKey: FileKey, info: [UInt8]) throws -> [UInt8] {
        let key = try Curve25519.KeyAgreement.PublicKey(rawRepresentation: bytes.bytes)
        var sender = try HPKE.Sender(
            recipientKey: key,
            ciphersuite: AgreementKey.suite,
            info: Data(info)
        )
        let ciphertext = try sender.seal(fileKey.bytes)
        return Array(sender.encapsulatedKey) + Array(ciphertext)
    }
}
