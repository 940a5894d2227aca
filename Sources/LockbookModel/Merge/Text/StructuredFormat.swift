/// A format that conflict markers would break, and that a clean merge may break as well.
enum StructuredFormat {
    /// JSON, also with comments.
    case json
    /// A value of JSON in each line.
    case jsonLines
    /// Nodes and edges of a canvas, in JSON.
    case canvas
    case xml
    case html
    /// Calendars and contacts.
    case components

    /// Decides by the extension, and for other extensions by looking at both sides.
    init?(fileExtension: String, local: [UInt8], remote: [UInt8]) {
        let name = fileExtension.drop { $0 == "." }.lowercased()
        switch name {
        case "json", "geojson", "ipynb", "webmanifest", "jsonc", "json5", "code-workspace":
            self = .json
        case "jsonl", "ndjson": self = .jsonLines
        case "canvas": self = .canvas
        case "html", "htm": self = .html
        case "svg", "xml", "xhtml", "plist", "drawio", "gpx", "kml", "fodt", "rss", "xspf", "fb2",
            "opml", "xsl", "xslt":
            self = .xml
        case "ics", "vcf": self = .components
        default: self.init(local: local, remote: remote)
        }
    }

    /// Decides by what both sides begin with, and whether they parse.
    ///
    /// A map of FreeMind (`.mm`, as sources in Objective-C++ end as well) is known by this.
    private init?(local: [UInt8], remote: [UInt8]) {
        let sides = [local, remote]
        if sides.allSatisfy(Self.looksLikeXML)
            || sides.allSatisfy(Self.startsMarkup)
                && sides.allSatisfy({ XMLCheck.faults(in: $0) != nil })
        {
            self = .xml
        } else if sides.allSatisfy(Self.startsJSON),
            sides.allSatisfy({ JSONCheck.repeatedKeys(in: $0) != nil })
        {
            self = .json
        } else {
            return nil
        }
    }

    /// Whether a merged document parses as well as both versions it was made of did.
    ///
    /// A key or an id may not be repeated more often than one of the versions repeated it, and what is
    /// used and not declared is so in one of them. Of calendars, contacts and JSON each record is
    /// what both sides made of it.
    func accepts(
        _ merged: [UInt8],
        of base: [UInt8],
        from local: [UInt8],
        and remote: [UInt8]
    ) -> Bool {
        for faults in readings {
            guard let mine = faults(local), let theirs = faults(remote) else { continue }
            guard let here = faults(merged),
                here.allSatisfy({ $0.value <= max(mine[$0.key] ?? 0, theirs[$0.key] ?? 0) })
            else { return false }
            break
        }
        return keepsRecords(merged, of: base, from: local, and: remote)
    }

    private func keepsRecords(
        _ merged: [UInt8],
        of base: [UInt8],
        from local: [UInt8],
        and remote: [UInt8]
    ) -> Bool {
        switch self {
        case .components:
            ComponentCheck.keepsRecords(merged, of: base, from: local, and: remote)
        case .json, .jsonLines, .canvas:
            JSONPlaces.areKept(
                by: merged,
                of: base,
                from: local,
                and: remote,
                isLines: self == .jsonLines
            )
        case .xml, .html: true
        }
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
        case .jsonLines:
            [false, true].map { withBroken in
                { bytes in Self.faultsOfLines(in: bytes, withBroken: withBroken) }
            }
        case .canvas: [JSONCheck.faults]
        case .xml: [XMLCheck.faults]
        case .html: [XMLCheck.faults, { StructuredFault.all(HTMLScan.repeatedIDs(in: $0)) }]
        case .components:
            [{ ComponentCheck.repeatedProperties(in: $0).map(StructuredFault.all) }]
        }
    }

    /// - Parameter allowsBroken: whether lines that do not parse are passed over.
    private static func faultsOfLines(
        in bytes: [UInt8],
        withBroken allowsBroken: Bool
    ) -> [StructuredFault: Int]? {
        var repeated: [[UInt8]: Int] = [:]
        for line in bytes.split(separator: 0x0A) where line.contains(where: { $0 > 0x20 }) {
            if let keys = JSONCheck.repeatedKeys(in: Array(line)) {
                repeated.merge(keys, uniquingKeysWith: +)
            } else if !allowsBroken {
                return nil
            }
        }
        return StructuredFault.all(repeated)
    }

    private static func looksLikeXML(_ bytes: [UInt8]) -> Bool {
        let start = bytes.withoutByteOrderMark.drop { $0 <= 0x20 }
        return start.starts(with: "<?xml".utf8) || start.starts(with: "<svg".utf8)
    }

    /// Whether the text begins with markup other than a comment.
    private static func startsMarkup(_ bytes: [UInt8]) -> Bool {
        let start = bytes.withoutByteOrderMark.drop { $0 <= 0x20 }
        return start.first == 0x3C && !start.starts(with: "<!--".utf8)
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
