// Section 1 of docs/FORMAT.md.

package func ascii(_ text: String) -> Bytes { Bytes(text.utf8) }
package func u16(_ value: UInt16) -> Bytes { bigEndian(UInt64(value), 2) }
package func u32(_ value: UInt32) -> Bytes { bigEndian(UInt64(value), 4) }
package func u64(_ value: UInt64) -> Bytes { bigEndian(value, 8) }
package func i64(_ value: Int64) -> Bytes { u64(UInt64(bitPattern: value)) }
package func counted(_ bytes: Bytes) -> Bytes { u32(UInt32(bytes.count)) + bytes }
package func label(_ name: String) -> Bytes { ascii("lockbook/v1/" + name) + [0] }

/// `H(label, x)`.
package func labelled(_ name: String, _ bytes: Bytes) -> Bytes {
    OpenSSL.sha256(label(name) + bytes)
}

private func bigEndian(_ value: UInt64, _ count: Int) -> Bytes {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> UInt64(8 * (count - 1 - $0))) }
}

/// Says that bytes are not of the format.
package struct FormatError: Error {
    package init() {}
}

/// Takes fields off the front.
package struct Reader {
    package private(set) var rest: ArraySlice<UInt8>

    package init(_ bytes: Bytes) { rest = bytes[...] }

    package mutating func take(_ count: Int) throws -> Bytes {
        guard rest.count >= count else { throw FormatError() }
        defer { rest = rest.dropFirst(count) }
        return Bytes(rest.prefix(count))
    }

    package mutating func number(_ count: Int) throws -> UInt64 {
        try take(count).reduce(0) { $0 << 8 | UInt64($1) }
    }

    package mutating func bool() throws -> Bool {
        switch try number(1) {
        case 0: return false
        case 1: return true
        default: throw FormatError()
        }
    }

    package mutating func counted() throws -> Bytes { try take(Int(try number(4))) }

    package mutating func format() throws {
        guard try number(1) == 1 else { throw FormatError() }
    }

    package func finish() throws {
        guard rest.isEmpty else { throw FormatError() }
    }
}

/// A value in the manner of section 1: nonce, ciphertext, tag.
package func seal(_ plaintext: Bytes, _ key: Bytes, nonce: Bytes, _ associated: Bytes) -> Bytes {
    nonce + Cipher.aes256GCM.seal(plaintext, key: key, nonce: nonce, associated: associated)
}

package func open(_ sealed: Bytes, _ key: Bytes, _ associated: Bytes) -> Bytes? {
    Cipher.aes256GCM.open(
        Bytes(sealed.dropFirst(12)),
        key: key,
        nonce: Bytes(sealed.prefix(12)),
        associated: associated
    )
}
