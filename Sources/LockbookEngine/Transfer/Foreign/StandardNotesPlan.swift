import FoundationEssentials
import LockbookModel

/// Plans the import of a Standard Notes backup: each note a document named by its title, in
/// `Archive` or `Trash` when it was there, tags as front matter.
enum StandardNotesPlan {
    private static let largestBackup = 512 << 20

    static func plan(_ files: ForeignFiles, _ names: inout ForeignNames) throws -> ForeignPlan {
        var found: [UInt8]?
        try files.visit { member, read in
            // The other files of the zip say the same once more, a note each.
            let isBackup: Bool
            if case .file = files {
                isBackup = true
            } else {
                isBackup =
                    member.path.isOneStep
                    && (member.path.hasSuffix(".txt") || member.path.hasSuffix(".json"))
            }
            guard isBackup else { return }
            guard found == nil else { throw files.bad("there are several backups in it") }
            guard let bytes = try ForeignFiles.all(read, atMost: largestBackup) else {
                throw files.bad("\(member.path) has more than 512 MB")
            }
            found = bytes
        }
        guard var bytes = found else {
            throw files.bad("there is no `Standard Notes Backup and Import File.txt` in it")
        }
        LoneSurrogates.replace(in: &bytes)
        guard Self.valueCount(of: bytes) <= Self.mostValues else {
            throw files.bad("it has more than \(Self.mostValues) values")
        }
        let backup: StandardNotesBackup
        do {
            backup = try JSONDecoder().decode(StandardNotesBackup.self, from: Data(bytes))
        } catch {
            throw files.bad("it is not the JSON of a backup: \(reason(error))")
        }
        let own = backup.items.filter(\.isTaken)
        guard own.isEmpty || !own.allSatisfy({ $0.content == nil }) else {
            throw files.bad("it is encrypted; choose `Decrypted` when you make the backup")
        }
        var plan = ForeignPlan()
        for item in own { try plan.admits(id: item.uuid, of: files) }
        try add(backup, to: &plan, &names)
        return plan
    }

    /// Each takes up to a hundred bytes of memory, and less than one of an archive.
    ///
    /// A note has about 20.
    private static let mostValues = 5_000_000

    /// How many values a JSON text has, as far as its commas and brackets tell.
    static func valueCount(of json: [UInt8]) -> Int {
        var count = 1
        var isText = false
        var isEscaped = false
        for byte in json {
            if isText {
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    isText = false
                }
                continue
            }
            switch byte {
            case UInt8(ascii: "\""): isText = true
            case UInt8(ascii: ","), UInt8(ascii: "["), UInt8(ascii: "{"): count += 1
            default: break
            }
        }
        return count
    }

    private static func reason(_ error: any Error) -> String {
        guard let error = error as? DecodingError else { return "\(error)" }
        func place(_ context: DecodingError.Context) -> String {
            let path = context.codingPath.map { $0.intValue.map(String.init) ?? $0.stringValue }
            return path.isEmpty ? "at the top" : "at " + path.joined(separator: ".")
        }
        switch error {
        case .keyNotFound(let key, let context):
            return "there is no `\(key.stringValue)` \(place(context))"
        case .typeMismatch(_, let context), .valueNotFound(_, let context):
            return "something else is expected \(place(context))"
        default: return "it does not parse"
        }
    }

    private static func add(
        _ backup: StandardNotesBackup,
        to plan: inout ForeignPlan,
        _ names: inout ForeignNames
    ) throws {
        let (tags, cut) = tags(of: backup)
        for title in cut.sorted() {
            plan.problem(
                title,
                "this tag is in more than \(deepest) others, and taken in without the outermost"
            )
        }
        var taken: [String] = []
        let notes = backup.items.filter { $0.kind == "Note" && !$0.isDeleted }
        plan.ignored = backup.items.count { !["Note", "Tag"].contains($0.kind) }
        for item in backup.items where item.isTaken && item.content == nil {
            plan.problem(item.uuid, "this \(item.kind.lowercased()) is encrypted in the export")
        }
        for note in notes.sorted(by: { ($0.created ?? "", $0.uuid) < ($1.created ?? "", $1.uuid) })
        {
            guard let content = note.content else { continue }
            var folder: [FileName] = []
            if content.state?.isArchived == true { folder = [ForeignNames.plain("Archive")] }
            if content.isTrashed { folder = [ForeignNames.plain("Trash")] }
            let ending = ending(of: content.noteType)
            let title = content.title ?? ""
            let id = note.uuid
            let created = note.created.flatMap { Timestamp(exported: $0) }
            let path = try names.path(of: id, title, ending: ending, in: folder, created: created)
            var text = content.text ?? ""
            if ending == ".md" {
                var front = ForeignFrontMatter()
                if title + ending != path.last?.text { front.add("title", title) }
                front.add(tags: tags[note.uuid, default: []].sorted())
                taken += tags[note.uuid, default: []]
                text = front.before(text)
            } else if let tags = tags[note.uuid]?.sorted() {
                plan.problem(
                    path.map(\.text).joined(separator: "/"),
                    "it was taken in without its tags: \(tags.joined(separator: ", "))"
                )
            }
            let place = ForeignPlan.Place(
                id: id,
                path: path,
                created: created,
                modified: (content.state?.updated ?? note.updated)
                    .flatMap { Timestamp(exported: $0) }
            )
            plan.notes.append(
                ForeignPlan.Note(place: place, source: note.uuid, bytes: Array(text.utf8))
            )
        }
        plan.noteTags(taken)
    }

    /// What a note's text is; that of `super` notes and spreadsheets is JSON of the editor's own.
    private static func ending(of type: String?) -> String {
        switch type {
        case "rich-text": ".html"
        case "super", "spreadsheet": ".json"
        case "code": ".txt"
        default: ".md"
        }
    }

    // Each names all that it is in: of thousands in each other they would fill the memory.
    private static let deepest = 64

    /// The tags of every note, with those that a tag is in: `work/2026`; and the titles of those that
    /// are in too many.
    private static func tags(of backup: StandardNotesBackup) -> (
        byNote: [String: [String]], cut: Set<String>
    ) {
        var known: [String: StandardNotesBackup.Content] = [:]
        for item in backup.items where item.kind == "Tag" { known[item.uuid] = item.content }
        func path(_ id: String) -> (steps: [String], isCut: Bool) {
            var steps: [String] = []
            var met: Set<String> = [id]
            var next = known[id]
            while let tag = next {
                guard steps.count <= deepest else { return (steps, true) }
                let title = (tag.title ?? "").streamSafe
                let parent = tag.references.first { $0.relation == "TagToParentTag" }
                steps = (parent == nil ? levels(of: title) : [title]) + steps
                // One that is in itself, by whatever way, is in nothing else.
                next = parent.flatMap { met.insert($0.uuid).inserted ? known[$0.uuid] : nil }
            }
            return (steps, false)
        }
        var tags: [String: [String]] = [:]
        var cut: Set<String> = []
        for (id, tag) in known {
            let notes = tag.references.filter { $0.kind != "Tag" }
            guard !notes.isEmpty else { continue }
            let (steps, isCut) = path(id)
            if isCut { cut.insert(tag.title ?? "") }
            for note in notes { tags[note.uuid, default: []].append(steps.joined(separator: "/")) }
        }
        return (tags, cut)
    }

    /// So it wrote nested tags before they had parents, and reads them still: its
    /// `TagsToFoldersMigrationApplicator` takes the same titles apart.
    private static func levels(of title: String) -> [String] {
        let levels = title.unicodeScalars.split(separator: ".", omittingEmptySubsequences: false)
        return levels.contains(where: \.isEmpty) ? [title] : levels.map { String($0) }
    }
}

extension StandardNotesBackup.Item {
    /// Whether it has a place in the lockbook, when it is not encrypted.
    fileprivate var isTaken: Bool { ["Note", "Tag"].contains(kind) && !isDeleted }
}
