import LockbookModel

/// Plans the import of a Joplin export: notebooks become folders, resources go to `attachments`,
/// links are made relative, tags become front matter.
struct JoplinPlan {
    private struct Item {
        let item: JoplinItem
        let member: String
        let id: String
    }

    private var items: [Item] = []
    /// Members that hold the bytes of resources, by id; Joplin writes one of each.
    private var contents: [String: [String]] = [:]
    private var plan = ForeignPlan()
    private var names: ForeignNames
    private var folders: [String: [FileName]] = [:]

    private init(_ names: ForeignNames) { self.names = names }

    static func plan(_ files: ForeignFiles, _ names: inout ForeignNames) throws -> ForeignPlan {
        var planning = JoplinPlan(names)
        try planning.read(files)
        try planning.placeFolders()
        try planning.placeResources()
        try planning.placeNotes()
        names = planning.names
        return planning.plan
    }

    private mutating func read(_ files: ForeignFiles) throws {
        try files.visit { member, read in
            guard try plan.admits(member, of: files) else { return }
            let stem = String(Substring(member.name.utf8.prefix { $0 != UInt8(ascii: ".") }))
            // What has no stem is a desktop's own.
            if stem.isEmpty {
                plan.ignored += 1
            } else if member.path.isBelow("resources") {
                contents[stem, default: []].append(member.path)
            } else if member.path.hasSuffix(".md"), member.path.isOneStep {
                guard let bytes = try ForeignFiles.all(read, atMost: ForeignPlan.largestNote) else {
                    return plan.problem(member.path, "a note of more than 64 MB")
                }
                do {
                    let item = try JoplinItem(bytes)
                    let id = item["id"] ?? stem
                    if item.kind != nil { try plan.admits(id: id, of: files) }
                    items.append(Item(item: item, member: member.path, id: id))
                } catch let error as JoplinItem.Malformed {
                    throw files.bad("\(member.path) in it is no item of Joplin: \(error.reason)")
                }
            } else {
                plan.ignored += 1
            }
        }
        guard !items.isEmpty else { throw files.bad("there is no item of Joplin in it") }
        let order = items.map { (time: $0.item["created_time"] ?? "", item: $0) }
        items = order.sorted { ($0.time, $0.item.id) < ($1.time, $1.item.id) }.map(\.item)
        plan.ignored += items.count { $0.item.kind == nil }
    }

    private func items(_ kind: JoplinItem.Kind) -> [Item] { items.filter { $0.item.kind == kind } }

    private mutating func placeFolders() throws {
        var notebooks: [String: JoplinItem] = [:]
        for folder in items(.folder) { notebooks[folder.id] = folder.item }
        for folder in items(.folder) { try place(folder.id, of: notebooks) }
        plan.folders = folders.map { (id: $0.key, path: $0.value) }
            .sorted { $0.path.count < $1.path.count }
    }

    // Every path names all that it is in: of thousands in each other they would fill the memory.
    private static let deepest = 128

    /// Places a notebook and all that it is in; the topmost first, whichever is asked for.
    ///
    /// One without a parent, in itself, or deeper than anybody makes one, is at the top.
    private mutating func place(_ id: String, of notebooks: [String: JoplinItem]) throws {
        var chain: [(id: String, title: String)] = []
        var met: Set<String> = []
        var next: String? = id
        while let id = next, folders[id] == nil, let notebook = notebooks[id],
            met.insert(id).inserted
        {
            chain.append((id, notebook.title))
            next = notebook["parent_id"]
        }
        var path = next.flatMap { folders[$0] } ?? []
        for (id, title) in chain.reversed() {
            let above = path.count > Self.deepest ? [] : path
            path = try names.path(of: id, title, in: above, isFolder: true)
            folders[id] = path
        }
    }

    private mutating func placeResources() throws {
        for resource in items(.resource) {
            let item = resource.item
            let title = item.title.isEmpty ? item["filename"] ?? resource.id : item.title
            guard let member = takeContent(of: resource) else {
                plan.problem(title, "the export does not hold this attachment")
                continue
            }
            guard !item.isTrue("encryption_blob_encrypted"), !item.isTrue("encryption_applied")
            else {
                plan.problem(title, "it is encrypted in the export")
                continue
            }
            let folder = [ForeignNames.plain("attachments")]
            let known = ForeignNames.plain(title).fileExtension
            let ending = known.isEmpty ? item["file_extension"].map { "." + $0 } ?? "" : ""
            plan.places[member] = try place(resource, title + ending, in: folder)
        }
        let known = Set(items(.resource).map(\.id))
        let unknown = contents.filter { !known.contains($0.key) }.values.flatMap(\.self)
        for member in unknown.sorted() {
            plan.problem(member, "the export does not say which attachment this is")
        }
    }

    /// The member with the bytes of a resource; another one, of an earlier time, is named.
    private mutating func takeContent(of resource: Item) -> String? {
        let members = (contents[resource.id] ?? []).sorted()
        let ending = "." + (resource.item["file_extension"] ?? "")
        let taken = members.first { $0.hasSuffix(ending) } ?? members.first
        for member in members where member != taken {
            plan.problem(member, "another file of the export is this attachment, too")
        }
        return taken
    }

    private mutating func placeNotes() throws {
        var tags: [String: [String]] = [:]
        let titles = Dictionary(items(.tag).map { ($0.id, $0.item.title) }) { $1 }
        for pair in items(.noteTag) {
            guard let note = pair.item["note_id"], let tag = pair.item["tag_id"],
                let title = titles[tag]
            else { continue }
            tags[note, default: []].append(title)
        }
        var notes: [(Item, ForeignPlan.Place)] = []
        for note in items(.note) {
            guard !note.item.isTrue("encryption_applied") else {
                plan.problem(note.member, "it is encrypted in the export")
                continue
            }
            let folder = folder(of: note.item)
            let ending = note.item["markup_language"] == "2" ? ".html" : ".md"
            notes.append((note, try place(note, note.item.title, ending: ending, in: folder)))
        }
        // What this export does not hold may be here from another one.
        let links = names
        var taken: [String] = []
        for (note, found) in notes {
            var place = found
            let path = place.path
            let front = Self.frontMatter(of: note.item, at: path, tags: tags[note.id] ?? [])
            let isHTML = path.last?.fileExtension == "html"
            if !isHTML { taken += tags[note.id] ?? [] }
            place.note = { [links] bytes in
                let body = JoplinItem.body(of: String(decoding: bytes, as: UTF8.self))
                let text = JoplinLinks.relative(body, in: Array(path.dropLast())) {
                    links.known($0)
                }
                let bytes = Array((isHTML ? text : front.before(text)).utf8)
                return ForeignPlan.Made(bytes: bytes)
            }
            plan.places[note.member] = place
        }
        plan.noteTags(taken)
    }

    /// What is in the trash, or was kept of a conflict, Joplin shows apart from its notebook.
    private mutating func folder(of note: JoplinItem) -> [FileName] {
        if note.isTrue("deleted_time") { return [ForeignNames.plain("Trash")] }
        guard !note.isTrue("is_conflict") else {
            plan.conflicts += 1
            return [ForeignNames.plain("Conflicts")]
        }
        return note["parent_id"].flatMap { folders[$0] } ?? []
    }

    private static func frontMatter(of item: JoplinItem, at path: [FileName], tags: [String])
        -> ForeignFrontMatter
    {
        var front = ForeignFrontMatter()
        let name = path.last?.text ?? ""
        if item.title + ".md" != name { front.add("title", item.title) }
        front.add("source", item["source_url"])
        front.add("author", item["author"])
        for key in ["latitude", "longitude", "altitude"] {
            let value = item[key].flatMap(Double.init) ?? 0
            if value != 0 { front.add(key, item[key]) }
        }
        if item.isTrue("is_todo") {
            front.add("due", item["todo_due"].flatMap(Self.date))
            front.add("completed", item.isTrue("todo_completed") ? "yes" : "no")
        }
        front.add(tags: tags.sorted())
        return front
    }

    /// Joplin writes these in milliseconds; 0 is none.
    private static func date(_ milliseconds: String) -> String? {
        guard let value = Int64(milliseconds), value > 0 else { return nil }
        return Timestamp(milliseconds: value).exported
    }

    private mutating func place(
        _ item: Item,
        _ title: String,
        ending: String = "",
        in folder: [FileName]
    ) throws -> ForeignPlan.Place {
        func time(_ name: String) -> Timestamp? {
            (item.item["user_" + name] ?? item.item[name]).flatMap { Timestamp(exported: $0) }
        }
        let created = time("created_time")
        return ForeignPlan.Place(
            id: item.id,
            path: try names.path(of: item.id, title, ending: ending, in: folder, created: created),
            created: created,
            modified: time("updated_time")
        )
    }
}
