/// A format of text in which a key may stand once at one level, and that may have markers.
enum KeyedFormat {
    case toml
    case yaml
    /// Sections, and keys with an equals sign.
    case ini
    /// Entries of BibTeX, and their fields.
    case bib
    /// YAML between two lines of dashes that a text begins with, or TOML between two of plus signs.
    case frontMatter

    /// Decides by the extension: any text may begin with front matter.
    init(fileExtension: String) {
        switch fileExtension.drop(while: { $0 == "." }).lowercased() {
        case "toml": self = .toml
        case "yaml", "yml": self = .yaml
        case "ini", "cfg", "desktop": self = .ini
        case "bib": self = .bib
        default: self = .frontMatter
        }
    }

    /// The keys of a document that are at one level again; nil where its reader is not sure.
    func repeatedKeys(in bytes: [UInt8]) -> [RepeatedKey]? {
        switch self {
        case .toml: TOMLKeys.repeated(in: bytes[...])
        case .yaml: YAMLKeys.repeated(in: bytes[...])
        case .ini: Self.repeatedInSections(of: bytes)
        case .bib: BibTeXKeys.repeated(in: bytes)
        case .frontMatter: Self.repeatedInFrontMatter(of: bytes)
        }
    }

    /// What there may be several of, where a side shows that by having one again.
    ///
    /// Keys of sections may have several values then, and sections may be there in parts.
    enum Several {
        case keys
        case sections
    }

    /// What a name that stands again is one of; nil where it may stand once.
    func several(of name: [UInt8]) -> Several? {
        guard self == .ini else { return nil }
        return name.first == 0x5B ? .sections : .keys
    }

    private static func repeatedInFrontMatter(of bytes: [UInt8]) -> [RepeatedKey]? {
        if bytes.starts(with: "---".utf8) {
            return frontMatter(of: bytes, between: YAMLKeys.isMark).flatMap(YAMLKeys.repeated)
        }
        guard bytes.starts(with: "+++".utf8) else { return nil }
        return frontMatter(of: bytes, between: TOMLKeys.isMark).flatMap(TOMLKeys.repeated)
    }

    /// What stands between the first line and the next one that is such a mark as well.
    private static func frontMatter(
        of bytes: [UInt8],
        between isMark: (ArraySlice<UInt8>) -> Bool
    ) -> ArraySlice<UInt8>? {
        var cursor = LineCursor(bytes[...])
        guard let line = cursor.line(), isMark(line.withoutTrail) else { return nil }
        let start = cursor.next
        while let line = cursor.line() {
            if isMark(line.withoutTrail) { return bytes[start..<line.startIndex] }
        }
        return nil
    }

    private static func repeatedInSections(of bytes: [UInt8]) -> [RepeatedKey]? {
        var cursor = LineCursor(bytes[...])
        var levels = KeyLevels()
        var section = KeyLevels.top
        /// How far the key before is indented; nil where the section has none yet.
        var indentation: Int?
        while let line = cursor.line(), !levels.isFull {
            let words = line.withoutIndentation.withoutTrail
            guard let first = words.first, first != 0x23, first != 0x3B else { continue }
            let depth = words.startIndex - line.startIndex
            // What is indented further than a key may be more of its value.
            guard depth <= indentation ?? depth, first > 0x20, words.last != 0x5C else {
                return nil
            }
            if first == 0x5B {
                // `[[s]]` may be a section of the one before.
                guard words.last == 0x5D, words.count <= KeyLevels.lengthLimit,
                    words.dropFirst().first != 0x5B
                else { return nil }
                levels.add(Array(words), to: KeyLevels.top, at: line.startIndex)
                section = levels.level(of: Array(words), in: KeyLevels.top)
                indentation = nil
                continue
            }
            indentation = depth
            guard let end = words.firstIndex(of: 0x3D) else { return nil }
            let name = words[..<end].withoutTrail
            guard !name.isEmpty, name.count <= KeyLevels.lengthLimit else { return nil }
            // `key[] = value` is one of several; `Name[de] = value` is a key of its own.
            if name.suffix(2).elementsEqual("[]".utf8) { continue }
            levels.add(Array(name), to: section, at: line.startIndex)
        }
        return levels.isFull ? nil : levels.repeated
    }
}
