import LockbookCrypto
import LockbookModel

/// What exports wrote before to the places that an export is about to write to.
///
/// Each store remembers what was exported from it. What stands at a path may be in another one than
/// at the last export: it has another owner now, or another link has its name.
struct FormerExports {
    /// This account's own tree, as it was exported now.
    let own: Lockbook
    let here: FinishedExport
    /// What links led to at the last export.
    let links: [ExportedLink]
}

extension Lockbook {
    /// Takes for written by exports of a file what exports from other stores wrote where it is now.
    /// - Parameter former: nil for this account's own tree, and for what is exported by itself.
    func succeed(
        _ former: FormerExports?,
        with memory: inout ExportMemory,
        of top: ExportTop,
        at identity: [UInt8]
    ) throws {
        guard let former else { return try succeedLinks(with: &memory, of: top, at: identity) }
        let link = former.links.first { $0.place == identity }
        if let link, link.isDocument == (top.type == .document) {
            if link.owner != store.context.owner {
                try adopt(link, by: &memory, of: top, at: identity, in: former.own)
            } else if link.source != top.id {
                let taken = memory.takeOver(from: link.source, by: top.id)
                try store.write { try $0.remember(taken, forgetting: [], at: identity) }
            }
        }
        guard let path = ExportedLink.path(of: identity, below: former.here.identity) else {
            return
        }
        try succeedOwn(former, path, with: &memory, of: top, at: identity)
    }

    /// What was behind links is this account's own now.
    private func succeedLinks(
        with memory: inout ExportMemory,
        of top: ExportTop,
        at identity: [UInt8]
    ) throws {
        for link in try store.read({ try $0.exportedLinks(at: identity) }) {
            let type: FileType = link.isDocument ? .document : .folder
            guard let path = ExportedLink.path(of: link.place, below: identity),
                try store.read({ try $0.fileType(at: path, below: top) }) == type
            else { continue }
            try adopt(link, by: &memory, of: top, at: identity, path, in: self)
        }
    }

    /// - Parameters:
    ///   - path: where it stands below the place that is written to; empty for that itself.
    ///   - own: the lockbook of the account's own tree.
    private func adopt(
        _ link: ExportedLink,
        by memory: inout ExportMemory,
        of top: ExportTop,
        at identity: [UInt8],
        _ path: String = "",
        in own: Lockbook
    ) throws {
        guard let other = try own.shared(by: link.owner) else { return }
        let sealed = try other.store.read { try $0.exported(at: link.place) }
        let rows = try ExportMemory(opening: sealed, with: account.deviceKey).folders.values
            .filter { $0.source == link.source }
        guard !rows.isEmpty else { return }
        let moved = rows.compactMap {
            path.isEmpty ? $0 : $0.moved(to: path, isDocument: link.isDocument)
        }
        let taken = memory.adopt(moved, by: top.id)
        try store.write { try $0.remember(taken, forgetting: [], at: identity) }
        // Known twice is no harm, known nowhere would be.
        try other.store.write { tree in
            try tree.remember([], forgetting: rows.map(\.path), at: link.place)
        }
    }

    /// What was this account's own is behind a link now.
    private func succeedOwn(
        _ former: FormerExports,
        _ path: String,
        with memory: inout ExportMemory,
        of top: ExportTop,
        at identity: [UInt8]
    ) throws {
        let here = former.here
        let isDocument = top.type == .document
        let rows = here.earlier.rows(at: path, isDocument: isDocument, of: here.top.id)
        guard !rows.isEmpty else { return }
        let taken = memory.adopt(rows, by: top.id)
        try store.write { try $0.remember(taken, forgetting: [], at: identity) }
        if isDocument {
            try former.own.forgetDocument(path, at: here.identity)
        } else {
            let paths = rows.map { $0.path.isEmpty ? path : path + "/" + $0.path }
            try former.own.store.write { tree in
                try tree.remember([], forgetting: paths, at: here.identity)
            }
        }
    }

    private func forgetDocument(_ path: String, at identity: [UInt8]) throws {
        try store.write { tree in
            let (above, name) = path.parted
            let sealed = try tree.exported(at: identity, folder: above)
            let known = try ExportMemory(opening: sealed, with: account.deviceKey)
            guard var row = known.folders[above] else { return }
            row.files = ExportedFiles(row.files.all.filter { !$0.isNamed(name) })
            row.gone = ExportedFiles(row.gone.all.filter { !$0.isNamed(name) })
            try tree.remember([row], forgetting: [], at: identity)
        }
    }
}

extension ExportedLink {
    /// The path of a place on disk below another one; nil where it does not stand there.
    static func path(of place: [UInt8], below identity: [UInt8]) -> String? {
        let prefix = identity + [UInt8(ascii: "/")]
        guard place.starts(with: prefix) else { return nil }
        return String(validating: place.dropFirst(prefix.count), as: UTF8.self)
    }
}

extension ExportMemory {
    /// Takes what was remembered elsewhere for what exports of a file wrote here.
    /// - Returns: what has to be put down for that.
    fileprivate mutating func adopt(_ rows: [ExportedFolder], by source: FileID) -> [ExportedFolder]
    {
        rows.map { row in
            let row = row.adopted(by: source, over: folders[row.path])
            folders[row.path] = row
            encoded[row.path] = row.encoded()
            return row
        }
    }

    /// What exports of a file wrote at a path, as an export to that place would remember it.
    fileprivate func rows(at path: String, isDocument: Bool, of source: FileID)
        -> [ExportedFolder]
    {
        guard isDocument else {
            guard folders[path] != nil else { return [] }
            return folders.values.filter { $0.source == source }.compactMap { $0.below(path) }
        }
        let (above, name) = path.parted
        guard let folder = folders[above], folder.source == source,
            var file = (folder.files.all + folder.gone.all).first(where: { $0.isNamed(name) })
        else { return [] }
        // A document that is exported alone has no name but that of the place.
        file.name = ""
        var row = ExportedFolder(path: "", source: source, id: source)
        row.files = ExportedFiles([file])
        return [row]
    }
}

extension ExportedFolder {
    /// The same as of a place below; nil where it does not stand there.
    fileprivate func below(_ place: String) -> ExportedFolder? {
        let (above, all) = (place.steps, path.steps)
        guard zip(above, all).allSatisfy({ $0.utf8.elementsEqual($1.utf8) }),
            all.count >= above.count
        else { return nil }
        var row = self
        row.path = all.dropFirst(above.count).joined(separator: "/")
        return row
    }

    /// The same as of a place above; nil where there is nothing to know of it there.
    /// - Parameter place: where it stands below that.
    fileprivate func moved(to place: String, isDocument: Bool) -> ExportedFolder? {
        var row = self
        guard isDocument else {
            row.path = path.isEmpty ? place : place + "/" + path
            return row
        }
        guard var file = (files.all + gone.all).first else { return nil }
        let (above, name) = place.parted
        file.name = name
        row = ExportedFolder(path: above, source: source, id: id)
        row.files = ExportedFiles([file])
        return row
    }

    /// - Parameter before: what was remembered of the folder here.
    fileprivate func adopted(by source: FileID, over before: ExportedFolder?) -> ExportedFolder {
        var row = self
        row.source = source
        // All of it is looked at again.
        row.directory = []
        if path.isEmpty { row.id = source }
        var known: PathMap<ExportedFile> = [:]
        if let before {
            for file in before.gone.all + before.files.all {
                known[file.name] = before.source == source ? file : file.foundLater()
            }
            row.id = before.source == source ? before.id : row.id
            row.folders = before.folders
            if row.inode == 0 { (row.isMade, row.inode) = (before.isMade, before.inode) }
        }
        for file in gone.all + files.all { known[file.name] = file }
        row.files = ExportedFiles(known.values.sorted { $0.name < $1.name })
        row.gone = ExportedFiles()
        return row
    }
}

extension ExportedFile {
    fileprivate func isNamed(_ name: String) -> Bool { self.name.utf8.elementsEqual(name.utf8) }
}

extension String {
    /// The folder of a path below a place, and the name in it.
    fileprivate var parted: (above: String, name: String) {
        (steps.dropLast().joined(separator: "/"), steps.last ?? "")
    }
}
