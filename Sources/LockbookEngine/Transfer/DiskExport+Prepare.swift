import Glibc
import LockbookCrypto
import LockbookModel

extension DiskExport {
    enum Preparation {
        case done(ExportOutcome)
        case write(ExportTask)
    }

    /// Decides what an item needs.
    func prepare(_ item: ExportItem, _ before: ExportedFile?) throws -> Preparation {
        guard item.type == .document else {
            if ExportPlace.isReserved(item.name) {
                return .done(.refused("exports use that name for unfinished files"))
            }
            let (status, isMade) = try target.makeFolder(item.relativePath)
            if ownFolder.isSame(as: status) { return .done(.refused(OwnFolder.obstacle)) }
            return .done(.folder(status, isMade: isMade))
        }
        if item.isDamaged { throw LockbookError.damaged(file: item.path, author: "") }
        let place = try target.place(item.relativePath)
        if place.isReserved { return .done(.refused("exports use that name for unfinished files")) }
        guard !place.isStaged, let present = try place.status() else {
            return .write(ExportTask(item: item, place: place, replaced: nil))
        }
        guard present.st_mode & S_IFMT == S_IFREG else {
            return .done(.blocked(Self.obstructed))
        }
        // What an export wrote is its own still, where it was copied or touched.
        let isCopy = try isCopy(before, at: place, present)
        let isOurs = try isCopy || isUntouched(before, at: place, present, for: item)
        if let before, isOurs, before.blob == item.blob {
            return try keep(
                item,
                at: place,
                present,
                isFound: before.isFound,
                before.digest,
                isCopy: isCopy
            )
        }
        guard isOurs || options.force else {
            return try prepare(item, before, over: present, at: place)
        }
        if options.mirror, !isLast, isOurs, let note = before?.note, note != item.id {
            return .done(.displaces(note))
        }
        return .write(
            ExportTask(item: item, place: place, replaced: DiskStamp(present), isCopy: isCopy)
        )
    }

    /// Decides what an item needs where a file is that no export wrote as it is.
    ///
    /// Equal: nothing to do. Different: not ours to overwrite.
    private func prepare(
        _ item: ExportItem,
        _ before: ExportedFile?,
        over present: stat,
        at place: ExportPlace
    ) throws -> Preparation {
        var hasher = Hasher256()
        let isEqual = try place.isEqual(size: item.size) { sink in
            switch try item.openContent() {
            case .empty: return
            case .absent(let content): throw LockbookError.contentNotHere(path: content.path)
            case .here(var reader):
                try reader.readAll {
                    hasher.update($0)
                    try sink($0)
                }
            }
        }
        if isEqual {
            let isFound = before?.isFound ?? true
            return try keep(item, at: place, present, isFound: isFound, hasher.finish())
        }
        // The lockbook has had what it says, and the note was changed after that.
        guard try before == nil || !isTakenIn(item, at: place, present) else {
            return .write(ExportTask(item: item, place: place, replaced: DiskStamp(present)))
        }
        guard before != nil else {
            return .done(.refused("a differing file is there that no earlier export wrote"))
        }
        let advice =
            try item.mayBeChanged()
            ? "`lockbook import` takes that in" : "you may only read it in the lockbook"
        return .done(
            .refused(
                "it was changed on disk since the last export; \(advice), --force overwrites it"
            )
        )
    }

    /// Whether a file has the bytes that an export wrote, and is another one by its stamp.
    private func isCopy(
        _ before: ExportedFile?,
        at place: ExportPlace,
        _ present: stat
    ) throws -> Bool {
        // Who forces asks nothing.
        guard let before, !options.force, !before.stamp.matches(present) else { return false }
        return try place.holds(before, present)
    }

    /// Whether a file is as an export wrote it: by its stamp, and where it is to be replaced by its bytes.
    ///
    /// Some programs change a file where it is, and give it the time that it had.
    private func isUntouched(
        _ before: ExportedFile?,
        at place: ExportPlace,
        _ present: stat,
        for item: ExportItem
    ) throws -> Bool {
        guard let before, before.stamp.matches(present) else { return false }
        let isAsked = !options.force && before.blob != item.blob && before.digest != nil
        return try !isAsked || place.holds(before, present)
    }

    /// Whether an import took the file in, with the bytes that it has, for the note that it is of.
    private func isTakenIn(
        _ item: ExportItem,
        at place: ExportPlace,
        _ present: stat
    ) throws -> Bool {
        let stored = try imported(from: place, to: item.path)
        let known = try item.lockbook.store.read { tree in
            let path = try LocalTree.names(of: tree.path(of: item.id))
            return try tree.continued(stored, at: path, of: place.name).files[place.name]
        }
        return try known.map { try place.holds($0, present) } ?? false
    }

    /// What imports took in of the folder that a file of the disk stands in.
    /// - Parameter path: where the file goes in the lockbook, as the user knows it.
    func imported(from place: ExportPlace, to path: String) throws -> ImportedFolder {
        let seat = ImportPath(try LocalTree.names(of: path))
        return try lockbook.store.read { tree in
            func read(_ key: ImportedKey) throws -> ImportedFolder {
                try importedLast.folder(key, tree.imported)
            }
            return try read(
                tree.importedKey(of: place.name, in: place.folderPath, at: seat, read)
            )
        }
    }

    /// Leaves the bytes that are there, and puts the executable bit right.
    ///
    /// A file that has other names, too, as where a program keeps equal ones once, is written anew for
    /// that: it may be another note's, which would get the bit as well.
    private func keep(
        _ item: ExportItem,
        at place: ExportPlace,
        _ present: stat,
        isFound: Bool,
        _ digest: Hash256?,
        isCopy: Bool = false
    ) throws -> Preparation {
        // Of somebody else's file with these bytes nothing is changed without being asked.
        let isOwn = !isFound || options.force
        if isOwn, present.st_nlink > 1, present.isExecutable != item.isExecutable {
            let replaced = DiskStamp(present)
            return .write(ExportTask(item: item, place: place, replaced: replaced, isCopy: isCopy))
        }
        let status = isOwn ? try place.setExecutable(item.isExecutable, present) : present
        let file = ExportedFile(item, status: status, isFound: isFound, digest: digest)
        return .done(status.isExecutable == present.isExecutable ? .unchanged(file) : .marked(file))
    }
}

extension ExportItem {
    /// Whether this account may write there.
    fileprivate func mayBeChanged() throws -> Bool {
        try lockbook.store.read { tree in
            try tree.row(id).map { try tree.mayWrite(in: tree.scope(of: $0)) } ?? true
        }
    }
}
