import Foundation
import LockbookAPI
import LockbookCrypto
import LockbookModel
import SecondImplementation
import Testing

struct RequestSignatureTests {
    private let ann: Person
    private let now: Int64 = 1_700_000_000

    init() throws { ann = try Person(1) }

    private func parts(body: Bytes = [1, 2], query: String = "?") -> SignedParts {
        SignedParts(
            method: "POST",
            authority: "notes.example:7654",
            path: "/v1/pull",
            query: query,
            bodyDigest: Hash256(sha256: body)
        )
    }

    private func verify(
        _ parts: SignedParts,
        _ signed: (input: String, signature: String),
        digest: String? = nil,
        now: Int64? = nil
    ) throws(RequestSignature.Failure) -> VerifyingKey {
        try RequestSignature.verify(
            parts,
            input: signed.input,
            signature: signed.signature,
            contentDigest: digest ?? parts.contentDigestField,
            now: now ?? self.now
        )
    }

    @Test func `signed requests are the second implementation's, byte for byte`() throws {
        for (body, query) in [([1, 2] as Bytes, "?"), ([], "?a=b&c=%20"), (noise(5_000), "?x")] {
            let parts = parts(body: body, query: query)
            let digest = "sha-256=:" + Data(OpenSSL.sha256(body)).base64EncodedString() + ":"
            #expect(parts.contentDigestField == digest)
            for created in [0, now, -5, .max] as [Int64] {
                let ours = try RequestSignature.sign(
                    parts,
                    created: created,
                    with: ann.keys.request
                )
                let theirs = ann.second.signRequest(
                    method: "POST",
                    authority: "notes.example:7654",
                    path: "/v1/pull",
                    query: query,
                    digestField: digest,
                    created: created
                ) { Data($0).base64EncodedString() }
                #expect(ours.input == theirs.input)
                #expect(ours.signature == theirs.signature)
                #expect(
                    try verify(parts, theirs, now: min(created, .max - 300))
                        == ann.keys.request.publicKey
                )
            }
        }
    }

    @Test func `every covered part is covered`() throws {
        let signed = try RequestSignature.sign(parts(), created: now, with: ann.keys.request)
        #expect(try verify(parts(), signed) == ann.keys.request.publicKey)
        let changes: [(inout SignedParts) -> Void] = [
            { $0.method = "PUT" }, { $0.method = "post" }, { $0.authority = "notes.example" },
            { $0.authority = "other.example:7654" }, { $0.path = "/v1/push" },
            { $0.path = "/v1/pull/" }, { $0.query = "?a" }, { $0.query = "" },
        ]
        for change in changes {
            var changed = parts()
            change(&changed)
            #expect(throws: RequestSignature.Failure.signature) { try verify(changed, signed) }
        }
        // Another body, announced honestly and not.
        #expect(throws: RequestSignature.Failure.signature) {
            try verify(parts(body: [1]), signed)
        }
        #expect(throws: RequestSignature.Failure.digest) {
            try verify(parts(body: [1]), signed, digest: parts().contentDigestField)
        }
        #expect(throws: RequestSignature.Failure.digest) { try verify(parts(), signed, digest: "") }
    }

    @Test func `the time is signed, and five minutes from the clock at the most`() throws {
        for offset in [-300, -1, 0, 299, 300] as [Int64] {
            let signed = try RequestSignature.sign(
                parts(),
                created: now + offset,
                with: ann.keys.request
            )
            #expect(throws: Never.self) { try verify(parts(), signed) }
        }
        for offset in [-301, 301, -1_000_000_000, 1_000_000_000] as [Int64] {
            let signed = try RequestSignature.sign(
                parts(),
                created: now + offset,
                with: ann.keys.request
            )
            #expect(throws: RequestSignature.Failure.clock(created: now + offset)) {
                try verify(parts(), signed)
            }
            let redated = (
                signed.input.replacing("created=\(now + offset)", with: "created=\(now)"),
                signed.signature
            )
            #expect(throws: RequestSignature.Failure.signature) { try verify(parts(), redated) }
        }
    }

    @Test func `the fields have one spelling`() throws {
        let (input, signature) = try RequestSignature.sign(
            parts(),
            created: now,
            with: ann.keys.request
        )
        let key = ann.keys.request.publicKey.bytes.description
        let inputs = [
            "", "lockbook=", input + " ", " " + input, input.uppercased(),
            input.replacing("lockbook=", with: "sig1="),
            input.replacing("created=\(now)", with: "created=+\(now)"),
            input.replacing("created=\(now)", with: "created=0\(now)"),
            input.replacing("created=\(now)", with: "created=99999999999999999999"),
            input.replacing("created=\(now)", with: "created="),
            input.replacing(key, with: key.uppercased()), input.replacing(key, with: ""),
            input.replacing(key, with: String(key.dropLast(2))),
            input.replacing(key, with: String(repeating: "+f", count: 32)),
            input.replacing("ed25519", with: "none"), input.replacing("lockbook-v1", with: "x"),
            input.replacing(";tag=\"lockbook-v1\"", with: ""),
            input.replacing(" \"content-digest\"", with: ""),
            input.replacing("\"@method\" \"@authority\"", with: "\"@authority\" \"@method\""),
            input + ";nonce=\"a\"", input + String(repeating: "a", count: 600),
        ]
        for input in inputs {
            #expect(throws: RequestSignature.Failure.malformed, "\(input)") {
                try verify(parts(), (input, signature))
            }
        }
        let signatures = [
            "", "lockbook=::", "lockbook=:", signature + ":", signature.replacing("=:", with: ":"),
            "x" + signature, String(signature.dropLast(3)) + ":",
            "lockbook=:" + Data(noise(63)).base64EncodedString() + ":",
            "lockbook=:" + Data(noise(65)).base64EncodedString() + ":",
            "lockbook=:" + Data(noise(500)).base64EncodedString() + ":",
        ]
        for signature in signatures {
            #expect(throws: RequestSignature.Failure.malformed, "\(signature)") {
                try verify(parts(), (input, signature))
            }
        }
    }

    @Test func `another key, or one under which anybody can sign, is refused`() throws {
        let (input, signature) = try RequestSignature.sign(
            parts(),
            created: now,
            with: ann.keys.request
        )
        let key = ann.keys.request.publicKey.bytes.description
        let other = try Person(2).keys.request.publicKey.bytes.description
        #expect(throws: RequestSignature.Failure.signature) {
            try verify(parts(), (input.replacing(key, with: other), signature))
        }
        let identity = "01" + String(repeating: "0", count: 62)
        let forged = Data([1] + Bytes(repeating: 0, count: 63)).base64EncodedString()
        #expect(throws: RequestSignature.Failure.keyUnsafe) {
            try verify(
                parts(),
                (input.replacing(key, with: identity), "lockbook=:\(forged):")
            )
        }
    }

    @Test func `a signature with any byte changed is refused`() throws {
        let (input, signature) = try RequestSignature.sign(
            parts(),
            created: now,
            with: ann.keys.request
        )
        let bytes = try #require(
            Data(base64Encoded: String(signature.dropFirst(10).dropLast())).map { Bytes($0) }
        )
        byteFlips(bytes) { changed, _ in
            let field = "lockbook=:" + Data(changed).base64EncodedString() + ":"
            #expect(throws: RequestSignature.Failure.signature) {
                try verify(parts(), (input, field))
            }
        }
    }
}
