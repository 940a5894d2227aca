import FoundationEssentials
import LockbookModel

/// Plans the import of TextBundles, as Bear's backups hold them: each text a document named by its
/// bundle, its assets in a folder of that name in `attachments`.
struct TextBundlePlan {
    private struct Bundle {
        var text: String?
        /// The paths of members, and what they are below the folder of assets.
        var assets: [(path: String, inside: String)] = []
        var info = TextBundleInfo()
    }

    /// What a link to an asset begins with.
    private static let assets = "assets/"

    private var bundles: [String: Bundle] = [:]
    private var plan = ForeignPlan()
    private var names: ForeignNames

    private init(_ names: ForeignNames) { self.names = names }

    static func plan(_ files: ForeignFiles, _ names: inout ForeignNames) throws -> ForeignPlan {
        var planning = TextBundlePlan(names)
        try planning.read(files)
        for (path, bundle) in planning.bundles.sorted(by: { $0.key < $1.key }) {
            try planning.place(path, bundle, of: files)
        }
        names = planning.names
        return planning.plan
    }

    private mutating func read(_ files: ForeignFiles) throws {
        try files.visit { member, read in
            guard try plan.admits(member, of: files) else { return }
            let (bundle, rest) = Self.split(member.path, in: files)
            guard let bundle else {
                plan.ignored += 1
                return
            }
            if rest == "info.json" {
                let bytes = try ForeignFiles.all(read, atMost: 1 << 20)
                guard let bytes, let info = TextBundleInfo(bytes) else {
                    throw files.bad("\(member.path) in it is not the JSON of a TextBundle")
                }
                bundles[bundle, default: Bundle()].info = info
            } else if rest.utf8.starts(with: "text.".utf8), rest.isOneStep {
                guard bundles[bundle]?.text == nil else {
                    throw files.bad("there are two texts in \(bundle)")
                }
                bundles[bundle, default: Bundle()].text = member.path
            } else if rest.isBelow("assets") {
                let asset = (path: member.path, inside: rest.behind(Self.assets))
                bundles[bundle, default: Bundle()].assets.append(asset)
            } else {
                plan.ignored += 1
            }
        }
        guard !bundles.isEmpty else { throw files.bad("there is no TextBundle in it") }
    }

    /// The bundle that a file is in, and its path there; what is given may be a bundle itself.
    private static func split(_ path: String, in files: ForeignFiles) -> (String?, rest: String) {
        let steps = path.steps
        if let at = steps.firstIndex(where: { $0.lowercased().hasSuffix(".textbundle") }),
            at + 1 < steps.count
        {
            let rest = steps[(at + 1)...].joined(separator: "/")
            return (steps[...at].joined(separator: "/"), rest)
        }
        let name = files.path.steps.last ?? files.path
        let isBundle = [".textbundle", ".textpack"].contains { name.lowercased().hasSuffix($0) }
        return (isBundle ? name : nil, path)
    }

    private mutating func place(_ path: String, _ bundle: Bundle, of files: ForeignFiles) throws {
        guard let text = bundle.text else {
            throw files.bad("there is no text in \(path)")
        }
        guard !bundle.info.isEncrypted else {
            return plan.problem(path, "the note is locked with a password in Bear")
        }
        let name = (path.steps.last ?? path).utf8
        let dot = name.lastIndex(of: UInt8(ascii: ".")) ?? name.endIndex
        let title = String(Substring(name[..<dot]))
        let ending = text.hasSuffix(".txt") ? ".txt" : text.hasSuffix(".html") ? ".html" : ".md"
        var folder: [FileName] = []
        if bundle.info.isArchived { folder = [ForeignNames.plain("Archive")] }
        if bundle.info.isTrashed { folder = [ForeignNames.plain("Trash")] }
        let created = bundle.info.created
        let id = names.id(bundle.info.id ?? Self.id(of: path, in: files))
        let note = try names.path(of: id, title, ending: ending, in: folder, created: created)
        folder = Array(note.dropLast())
        let stem = String(Substring((note.last?.text ?? "").utf8.dropLast(ending.utf8.count)))
        let beside = folder + [ForeignNames.plain("attachments"), ForeignNames.plain(stem)]
        var links: [String: [FileName]] = [:]
        for (asset, inside) in bundle.assets {
            let steps = inside.steps.map { ForeignNames.plain($0) }
            guard let last = steps.last else { continue }
            let below = beside + steps.dropLast()
            let assetID = "\(id)/assets/\(inside)"
            let place = try names.path(of: assetID, last.text, in: below, created: created)
            links[Self.assets + inside] = place
            plan.places[asset] = ForeignPlan.Place(
                id: assetID,
                path: place,
                created: created,
                modified: bundle.info.modified
            )
        }
        plan.places[text] = ForeignPlan.Place(
            id: id,
            path: note,
            created: created,
            modified: bundle.info.modified,
            note: { [links] in Self.relative($0, in: folder, links) }
        )
    }

    /// What a bundle goes by that does not say: its path in the export, or of what is the bundle itself
    /// that on the disk.
    private static func id(of path: String, in files: ForeignFiles) -> String {
        guard path == files.path.steps.last else { return path }
        return Disk.realPath(of: files.path) ?? files.path
    }

    /// Links to assets, with and without `%20` and the like, made to lead to where these are now.
    private static func relative(
        _ bytes: [UInt8],
        in folder: [FileName],
        _ links: [String: [FileName]]
    ) -> [UInt8] {
        guard !links.isEmpty, let text = String(validating: bytes, as: UTF8.self) else {
            return bytes
        }
        // A path may have three times the bytes where its letters are composed otherwise, and each in an
        // escape of three. Behind each of many beginnings the end of a text would be far.
        let longest = 9 * (links.keys.map(\.utf8.count).max() ?? 0)
        var result = ""
        var rest = Substring(text)
        while let start = rest.firstRange(ofASCII: assets) {
            let before = rest[..<start].unicodeScalars.last
            result += rest[..<start]
            rest = rest[start...]
            let end: UInt8? =
                switch before {
                case "(": UInt8(ascii: ")")
                case "<": UInt8(ascii: ">")
                case "\"": UInt8(ascii: "\"")
                default: nil
                }
            let target = end.flatMap { end in
                rest.utf8.prefix(longest + 1).firstIndex(of: end).map { rest[..<$0] }
            }
            let found = target.flatMap { links[$0.withoutPercent] ?? links[String($0)] }
            if let target, let found {
                result += ForeignNames.link(from: folder, to: found)
                rest = rest[target.endIndex...]
            } else {
                result += assets
                rest = Substring(rest.utf8.dropFirst(assets.utf8.count))
            }
        }
        return Array((result + rest).utf8)
    }
}

extension Substring {
    fileprivate func firstRange(ofASCII word: String) -> Index? {
        var at = startIndex
        while at < endIndex {
            guard let first = self[at...].utf8.firstIndex(of: word.utf8.first ?? 0) else {
                return nil
            }
            if self[first...].utf8.starts(with: word.utf8) { return first }
            at = utf8.index(after: first)
        }
        return nil
    }

    fileprivate var withoutPercent: String {
        NoteMarks.decoded(String(self))
    }
}
