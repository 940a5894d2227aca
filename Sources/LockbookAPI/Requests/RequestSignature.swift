import FoundationEssentials
package import LockbookCrypto
import LockbookModel

/// The parts of a request that its signature covers.
package struct SignedParts: Sendable, Equatable {
    package var method: String
    package var authority: String
    package var path: String
    /// With its question mark; `?` alone when there is none (RFC 9421 2.2.7).
    package var query: String
    /// SHA-256 of the body (RFC 9530).
    package var bodyDigest: Hash256

    package init(
        method: String,
        authority: String,
        path: String,
        query: String = "?",
        bodyDigest: Hash256
    ) {
        self.method = method
        self.authority = authority
        self.path = path
        self.query = query
        self.bodyDigest = bodyDigest
    }

    package var contentDigestField: String {
        "sha-256=:\(Data(bodyDigest.bytes).base64EncodedString()):"
    }
}

/// The one profile of RFC 9421 (HTTP Message Signatures) that Lockbook uses: Ed25519 over method,
/// authority, path, query and content digest, with a time and the key itself as its id.
///
/// No nonce: every request of the protocol may be repeated without effect.
package enum RequestSignature {
    private static let components =
        "(\"@method\" \"@authority\" \"@path\" \"@query\" \"content-digest\")"

    /// Why a request is not believed.
    package enum Failure: Error, Equatable, Sendable {
        /// The fields are missing or not of this profile.
        case malformed
        case keyUnsafe
        case signature
        /// The body is not the one that was signed.
        case digest
        /// Outside the window; what the request's clock said.
        case clock(created: Int64)
    }

    /// The values of the `Signature-Input` and `Signature` fields.
    package static func sign(_ parts: SignedParts, created: Int64, with key: RequestKey) throws
        -> (input: String, signature: String)
    {
        let parameters = parameters(created: created, key: key.publicKey.bytes)
        let signature = try key.sign(signatureBase: base(parts, parameters: parameters))
        return (
            "lockbook=\(parameters)", "lockbook=:\(Data(signature).base64EncodedString()):"
        )
    }

    /// Checks a request's signature and time.
    /// - Returns: the key that signed.
    package static func verify(
        _ parts: SignedParts,
        input: String,
        signature: String,
        contentDigest: String,
        now: Int64
    ) throws(Failure) -> VerifyingKey {
        guard contentDigest == parts.contentDigestField else { throw .digest }
        guard let (created, keyBytes) = parse(input: input),
            let signatureBytes = parse(signature: signature)
        else { throw .malformed }
        let key: VerifyingKey
        do {
            key = try VerifyingKey(keyBytes)
        } catch {
            throw .keyUnsafe
        }
        // Strict: the parameters must be spelled as `sign` spells them.
        let parameters = parameters(created: created, key: keyBytes)
        guard input == "lockbook=\(parameters)" else { throw .malformed }
        guard
            key.verifies(signatureBytes, ofSignatureBase: base(parts, parameters: parameters))
        else { throw .signature }
        guard (now - Wire.clockWindow...now + Wire.clockWindow).contains(created) else {
            throw .clock(created: created)
        }
        return key
    }

    private static func parameters(created: Int64, key: Hash256) -> String {
        "\(components);created=\(created);keyid=\"\(key)\";alg=\"ed25519\";tag=\"lockbook-v1\""
    }

    /// The signature base of RFC 9421 section 2.5.
    package static func base(_ parts: SignedParts, parameters: String) -> [UInt8] {
        Array(
            """
            "@method": \(parts.method)
            "@authority": \(parts.authority)
            "@path": \(parts.path)
            "@query": \(parts.query)
            "content-digest": \(parts.contentDigestField)
            "@signature-params": \(parameters)
            """.utf8
        )
    }

    private static func parse(input: String) -> (created: Int64, key: Hash256)? {
        let prefix = "lockbook=\(components);created="
        guard input.hasPrefix(prefix), input.utf8.count < 512 else { return nil }
        let rest = input.dropFirst(prefix.count)
        guard let end = rest.firstIndex(of: ";"), let created = Int64(rest[..<end]) else {
            return nil
        }
        let keyPrefix = ";keyid=\""
        let tail = rest[end...]
        guard tail.hasPrefix(keyPrefix) else { return nil }
        let hex = tail.dropFirst(keyPrefix.count).prefix(64)
        guard let bytes = [UInt8](hex: hex), let key = Hash256(bytes) else { return nil }
        return (created, key)
    }

    private static func parse(signature: String) -> [UInt8]? {
        let prefix = "lockbook=:"
        guard signature.hasPrefix(prefix), signature.hasSuffix(":"), signature.utf8.count < 128
        else { return nil }
        let base64 = String(signature.dropFirst(prefix.count).dropLast())
        guard let bytes = Data(base64Encoded: base64), bytes.count == 64 else { return nil }
        return Array(bytes)
    }
}
