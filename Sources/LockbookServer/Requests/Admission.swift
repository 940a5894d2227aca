import FoundationEssentials
import HTTPTypes
import LockbookAPI
import LockbookCrypto

/// A request whose signature is good, before its body was read.
///
/// The signature covers the digest that the request claims for its body, so that the server reads
/// a large body only from somebody whom it knows.
struct Admission: Sendable {
    let route: Route
    /// Who signed; nil for what needs no signature.
    let signer: Signer?

    struct Signer: Sendable {
        let key: VerifyingKey
        let bodyDigest: Hash256
    }

    init(_ request: HTTPRequest, now: Int64) throws {
        let path = request.path ?? ""
        let mark = path.firstIndex(of: "?") ?? path.endIndex
        let route = Route(method: request.method, path: path[..<mark], query: path[mark...])
        if route == .health {
            self.route = .health
            signer = nil
            return
        }
        // Before anything else: a newer program may know other routes and signatures.
        guard request.headerFields[.lockbookVersion] == String(Wire.version) else {
            throw Refusal(
                .updateNeeded,
                "this server speaks version \(Wire.version) of the protocol"
            )
        }
        guard let route else { throw Refusal(.notFound, "there is nothing at this path") }
        self.route = route
        let fields = request.headerFields
        guard let input = fields[.signatureInput], let signature = fields[.signature],
            let claimed = fields[.contentDigest], let digest = Self.digest(claimed)
        else { throw Refusal(.unauthorized, "the request is not signed") }
        let parts = SignedParts(
            method: request.method.rawValue,
            authority: (request.authority ?? "").lowercased(),
            path: String(path[..<mark]),
            query: mark < path.endIndex ? String(path[mark...]) : "?",
            bodyDigest: digest
        )
        let key: VerifyingKey
        do {
            key = try RequestSignature.verify(
                parts,
                input: input,
                signature: signature,
                contentDigest: claimed,
                now: now
            )
        } catch .clock {
            throw Refusal(.clock(now), "the request's time is not the server's")
        } catch {
            throw Refusal(.unauthorized, "the signature does not fit the request")
        }
        signer = Signer(key: key, bodyDigest: digest)
    }

    private static func digest(_ field: String) -> Hash256? {
        let prefix = "sha-256=:"
        guard field.hasPrefix(prefix), field.hasSuffix(":"), field.utf8.count < 80 else {
            return nil
        }
        return Data(base64Encoded: String(field.dropFirst(prefix.count).dropLast()))
            .flatMap { Hash256($0) }
    }
}
