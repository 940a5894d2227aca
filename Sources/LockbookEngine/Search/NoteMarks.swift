import LockbookModel

/// The tags and links of a note, as Markdown and wikis write them; what stands in code is neither.
///
/// A tag is `#` and letters, digits, emoji, `_`, `-` or `/`, with a letter among them, behind a blank
/// or at the beginning of a line; or an entry of `tags` in the front matter that is made of these,
/// with one slash for several and none at its ends. A link is `[[target|text]]`, in the front matter
/// only in quotes, `[text](target "title")`, or `[text][label]` where a line is `[label]: target`;
/// one that has a scheme, as in `https:`, leads out of here and is none. Of combining marks that follow each other 30 are read.
public struct NoteMarks: Sendable, Equatable {
    public struct Link: Sendable, Equatable {
        /// As it is written, without its text, title and heading; percent signs resolved.
        public var target: String
        public var isWiki: Bool
        /// From 1.
        public var line: Int
    }

    /// In the order of the text, each once, as they are written.
    public private(set) var tags: [String] = []
    public private(set) var links: [Link] = []

    /// What of it is asked for.
    enum Kind {
        case tags, links, all

        /// One of these stands in every line that has such a mark.
        var signs: [UInt8] {
            switch self {
            case .tags: [UInt8(ascii: "#")]
            case .links: [UInt8(ascii: "[")]
            case .all: [UInt8(ascii: "#"), UInt8(ascii: "[")]
            }
        }
    }

    public init(_ text: String) {
        var text = text
        // By bytes that lie together: to find the characters of all notes takes longer than all else here.
        self = text.withUTF8 { NoteMarks($0, .all) }
    }

    init(_ text: UnsafeBufferPointer<UInt8>, _ wanted: Kind) {
        var reader = MarkReader()
        reader.read(text, for: wanted)
        tags = reader.tags
        links = reader.links
    }

    /// A link's target with its percent signs resolved.
    static func decoded(_ target: String) -> String {
        var bytes: [UInt8] = []
        var rest = Array(target.utf8)[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"),
                let code = [UInt8](hex: String(decoding: rest.prefix(2), as: UTF8.self))?.first
            {
                bytes.append(code)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(validating: bytes, as: UTF8.self)?.streamSafe ?? target
    }
}
