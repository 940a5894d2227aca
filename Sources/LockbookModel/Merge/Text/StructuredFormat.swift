/// A format that conflict markers would break, and that a clean merge may break as well.
enum StructuredFormat {
    /// JSON, also with comments.
    case json
    case xml
    case html

    /// Decides by the extension, and for other extensions by looking at both sides.
    init?(fileExtension: String, local: [UInt8], remote: [UInt8]) {
        let name = fileExtension.drop { $0 == "." }.lowercased()
        switch name {
        case "json", "geojson", "ipynb", "webmanifest": self = .json
        case "html", "htm": self = .html
        case "svg", "xml", "xhtml", "plist", "drawio", "gpx", "kml", "fodt", "rss",
            "xspf", "fb2", "opml":
            self = .xml
        default:
            if Self.looksLikeXML(local), Self.looksLikeXML(remote) {
                self = .xml
            } else if Self.startsJSON(local), Self.startsJSON(remote),
                JSONCheck.repeatedKeys(in: local) != nil, JSONCheck.repeatedKeys(in: remote) != nil
            {
                self = .json
            } else {
                return nil
            }
        }
    }

    /// Whether a merged document parses as well as both versions it was made of did.
    ///
    /// A key or an id may not be repeated more often than one of the versions repeated it, and what is
    /// used and not declared is so in one of them.
    func accepts(_ merged: [UInt8], from local: [UInt8], and remote: [UInt8]) -> Bool {
        for faults in readings {
            guard let mine = faults(local), let theirs = faults(remote) else { continue }
            guard let here = faults(merged) else { return false }
            return here.allSatisfy { $0.value <= max(mine[$0.key] ?? 0, theirs[$0.key] ?? 0) }
        }
        return true
    }

    /// The ways to read a document, the strictest first.
    ///
    /// Each says how often every fault is there, and nothing when the document does not parse.
    private var readings: [([UInt8]) -> [StructuredFault: Int]?] {
        switch self {
        case .json:
            [false, true].map { withComments in
                { bytes in
                    JSONCheck.repeatedKeys(in: bytes, withComments: withComments)
                        .map(StructuredFault.all)
                }
            }
        case .xml: [XMLCheck.faults]
        case .html: [XMLCheck.faults, { StructuredFault.all(HTMLScan.repeatedIDs(in: $0)) }]
        }
    }

    private static func looksLikeXML(_ bytes: [UInt8]) -> Bool {
        let start = bytes.withoutByteOrderMark.drop { $0 <= 0x20 }
        return start.starts(with: "<?xml".utf8) || start.starts(with: "<svg".utf8)
    }

    private static func startsJSON(_ bytes: [UInt8]) -> Bool {
        let first = bytes.first { $0 > 0x20 }
        return first == 0x7B || first == 0x5B
    }
}

extension [UInt8] {
    /// The bytes after a UTF-8 byte order mark, or all.
    var withoutByteOrderMark: ArraySlice<UInt8> {
        starts(with: [0xEF, 0xBB, 0xBF]) ? dropFirst(3) : self[...]
    }
}
