/// Section 2 of docs/FORMAT.md.
package struct SecondAccount {
    package let entryKey: Bytes
    package let requestKey: Bytes
    package let agreementKey: Bytes
    package let rootKey: Bytes
    package let rootTag: Bytes

    package init(seed: Bytes) {
        let extracted = OpenSSL.extract(salt: ascii("lockbook/v1/account"), seed)
        func derive(_ purpose: String) -> Bytes {
            OpenSSL.expand(extracted, ascii("lockbook/v1/account/" + purpose), 32)
        }
        entryKey = derive("entry-signing")
        requestKey = derive("request-signing")
        agreementKey = derive("key-agreement")
        rootKey = derive("root-key")
        rootTag = derive("root-tag")
    }

    package var entryPublic: Bytes { OpenSSL.ed25519Public(entryKey) }
    package var requestPublic: Bytes { OpenSSL.ed25519Public(requestKey) }
    package var agreementPublic: Bytes { OpenSSL.x25519Public(agreementKey) }
    package var publicKeys: Bytes { entryPublic + requestPublic + agreementPublic }
    package var id: Bytes { labelled("account-id", publicKeys) }
    package var root: Bytes { Bytes(labelled("root-id", id).prefix(16)) }

    /// The numbers of the 24 words in the list.
    package static func phrase(seed: Bytes) -> [Int] {
        let bits = (seed + [OpenSSL.sha256(seed)[0]]).flatMap { byte in
            (0..<8).map { Int(byte >> (7 - $0) & 1) }
        }
        return stride(from: 0, to: 264, by: 11).map { start in
            bits[start..<start + 11].reduce(0) { $0 << 1 | $1 }
        }
    }

    package static func compactKey(seed: Bytes, position: UInt64, head: Bytes) -> String {
        var bytes: Bytes = [1] + seed + u64(position) + head
        bytes += labelled("compact-key", bytes).prefix(4)
        var bits = bytes.flatMap { byte in (0..<8).map { byte >> (7 - $0) & 1 } }
        while !bits.count.isMultiple(of: 5) { bits.append(0) }
        let alphabet = Array("abcdefghijklmnopqrstuvwxyz234567")
        return "lb1"
            + String(
                stride(from: 0, to: bits.count, by: 5).map { start in
                    alphabet[bits[start..<start + 5].reduce(0) { $0 << 1 | Int($1) }]
                }
            )
    }

    /// Section 1: over the purpose's label and the message.
    package func sign(_ message: Bytes, _ purpose: String) -> Bytes {
        message + OpenSSL.sign(label(purpose) + message, entryKey)
    }

    /// Section 8.
    package func certificate(username: String, created: Int64) -> Bytes {
        sign([1] + counted(ascii(username)) + publicKeys + i64(created), "account")
    }

    /// Section 8a.
    package func end(created: Int64) -> Bytes {
        sign([1] + publicKeys + i64(created), "account-end")
    }

    /// The value of Signature-Input and of Signature: section 13.
    package func signRequest(
        method: String,
        authority: String,
        path: String,
        query: String,
        digestField: String,
        created: Int64,
        base64: (Bytes) -> String
    ) -> (input: String, signature: String) {
        let key = requestPublic.map { byte in
            let digits = Array("0123456789abcdef")
            return String([digits[Int(byte >> 4)], digits[Int(byte & 15)]])
        }.joined()
        let parameters =
            #"("@method" "@authority" "@path" "@query" "content-digest");created="#
            + #"\#(created);keyid="\#(key)";alg="ed25519";tag="lockbook-v1""#
        let base = [
            #""@method": "# + method, #""@authority": "# + authority, #""@path": "# + path,
            #""@query": "# + query, #""content-digest": "# + digestField,
            #""@signature-params": "# + parameters,
        ].joined(separator: "\n")
        return (
            "lockbook=" + parameters,
            "lockbook=:" + base64(OpenSSL.sign(ascii(base), requestKey)) + ":"
        )
    }
}
