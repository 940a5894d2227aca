import Foundation

/// Why text is not the name of a file.
package enum FileNameFailure: Error, Equatable, Sendable {
    case empty
    case tooLong(bytes: Int)
    case slash
    case controlCharacter
    /// `.` and `..` mean other folders everywhere else.
    case relative
    case notUnicode
}

/// The name of a file: one path component, safe to show, to export and to hand to a shell's eyes.
///
/// The bytes are kept as they were typed; two names are the same name when their normal forms
/// (NFC) are equal.
package struct FileName: Hashable, Sendable {
    package static let maximumByteCount = 255

    package let text: String

    package init(_ text: String) throws(FileNameFailure) {
        guard !text.isEmpty else { throw .empty }
        let count = text.utf8.count
        guard count <= Self.maximumByteCount else { throw .tooLong(bytes: count) }
        guard text.utf8.elementsEqual(".".utf8) == false, !text.utf8.elementsEqual("..".utf8) else {
            throw .relative
        }
        // Nearly every name is printable ASCII: a listing reads thousands of them.
        let isPlain = text.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7f && $0 != 0x2f }
        for scalar in isPlain ? "".unicodeScalars : text.unicodeScalars {
            switch scalar.value {
            case 0x2f: throw .slash
            case 0..<0x20, 0x7f..<0xa0: throw .controlCharacter
            default: break
            }
        }
        self.text = text
    }

    package init(bytes: [UInt8]) throws(FileNameFailure) {
        try self.init(bytes: bytes[...])
    }

    /// From bytes that somebody else wrote.
    package init(bytes: ArraySlice<UInt8>) throws(FileNameFailure) {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw .notUnicode
        }
        try self.init(text)
    }

    package var bytes: [UInt8] { Array(text.utf8) }

    /// The bytes of the name's normal form, by which names are compared.
    package var normalized: [UInt8] {
        // Nearly every name is ASCII, which is its own normal form.
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return Array(text.utf8) }
        return Array(text.precomposedStringWithCanonicalMapping.utf8)
    }

    /// Whether two names could not stand in one folder.
    package func isSame(as other: FileName) -> Bool {
        normalized == other.normalized
    }

    // Exactly these bytes: `String` would call names equal whose bytes differ.
    package static func == (left: FileName, right: FileName) -> Bool {
        left.text.utf8.elementsEqual(right.text.utf8)
    }

    package func hash(into hasher: inout Hasher) {
        for byte in text.utf8 { hasher.combine(byte) }
    }
}

extension FileName {
    /// What stands behind the last dot, without it; empty when there is none.
    package var fileExtension: String {
        guard let dot = text.lastIndex(of: "."), dot != text.startIndex else { return "" }
        return String(text[text.index(after: dot)...])
    }

    /// The name with a number before its extension (`note-1.md`), cut to fit.
    package func numbered(_ number: Int) -> FileName {
        let ending = fileExtension.isEmpty ? "" : ".\(fileExtension)"
        let stem = String(text.dropLast(ending.count))
        let suffix = "-\(number)\(ending)"
        guard suffix.utf8.count < Self.maximumByteCount else {
            // An ending this long is no ending: number the whole name.
            return cut(stem: text, suffix: "-\(number)")
        }
        return cut(stem: stem, suffix: suffix)
    }

    private func cut(stem: String, suffix: String) -> FileName {
        var stem = stem
        while stem.utf8.count + suffix.utf8.count > Self.maximumByteCount, !stem.isEmpty {
            stem.unicodeScalars.removeLast()
        }
        return (try? FileName(stem + suffix)) ?? self
    }
}
