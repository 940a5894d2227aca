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

    private var bundles: [String: Bundle] = [:]
    /// Those that have an id of Bear's, by it.
    private var paths: [String: [String]] = [:]
    private var plan = ForeignPlan()
    private var names: ForeignNames

    private init(_ names: ForeignNames) { self.names = names }

    static func plan(_ files: ForeignFiles, _ names: inout ForeignNames) throws -> ForeignPlan {
        var planning = TextBundlePlan(names)
        try planning.read(files)
        for (path, bundle) in planning.bundles.sorted(by: { $0.key < $1.key }) {
            if let id = bundle.info.id { planning.paths[id, default: []].append(path) }
        }
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
            guard let bundle, !member.isOfDesktop else {
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
                let asset = (path: member.path, inside: rest.behind(TextBundleLinks.assets))
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
        let title = Self.title(path)
        let ending = text.hasSuffix(".txt") ? ".txt" : text.hasSuffix(".html") ? ".html" : ".md"
        var folder: [FileName] = []
        if bundle.info.isArchived { folder = [ForeignNames.plain("Archive")] }
        if bundle.info.isTrashed { folder = [ForeignNames.plain("Trash")] }
        let created = bundle.info.created
        let id = names.id(
            bundle.info.id.map { name(of: path, $0) } ?? Self.id(of: path, in: files)
        )
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
            links[TextBundleLinks.assets + inside] = place
            plan.places[asset] = ForeignPlan.Place(
                id: assetID,
                path: place,
                created: created,
                modified: bundle.info.modified
            )
        }
        let assets = TextBundleLinks(folder: folder, places: links)
        plan.places[text] = ForeignPlan.Place(
            id: id,
            path: note,
            created: created,
            modified: bundle.info.modified,
            note: { assets.made(of: $0) }
        )
    }

    private static func title(_ path: String) -> String {
        let name = (path.steps.last ?? path).utf8
        let dot = name.lastIndex(of: UInt8(ascii: ".")) ?? name.endIndex
        return String(Substring(name[..<dot]))
    }

    /// What a bundle goes by that has an id of Bear's.
    ///
    /// Of several with one id, as copies on the disk have it, that is the id and the path: else a note
    /// would get the text of another one, when one of them is there no more, or one more is. The id alone
    /// is that of the one whose name the note has that an earlier import made.
    private func name(of path: String, _ id: String) -> String {
        let own = "\(id)\u{0}\(path)"
        let others = paths[id] ?? []
        guard others.count > 1 || names.known(own) != nil else { return id }
        guard names.known(own) == nil, let note = names.known(id)?.last else { return own }
        let former = others.first { other in
            ForeignNames.plain(Self.title(other), ending: ".\(note.fileExtension)") == note
        }
        return former == path ? id : own
    }

    /// What a bundle goes by that does not say: its path in the export, or of what is the bundle itself
    /// that on the disk.
    private static func id(of path: String, in files: ForeignFiles) -> String {
        guard path == files.path.steps.last else { return path }
        return Disk.realPath(of: files.path) ?? files.path
    }
}
