import Glibc
import LockbookCrypto
import LockbookModel

/// A file that is taken in, as it will be remembered.
struct ImportedMark: Sendable {
    let key: ImportedKey
    /// The real path of the folder that it stands in on disk.
    let folder: [UInt8]
    let name: String
    let stamp: ImportedStamp
    /// As it was when it was taken in the last time.
    let before: ImportedFile?
    /// As it is, and was when it went into another owner's tree, which this one does not continue.
    var elsewhere: ImportedFile?

    /// Forgets that it went elsewhere where it is another file by now.
    mutating func compareElsewhere(_ digest: () throws -> Hash256) rethrows {
        guard let known = elsewhere else { return }
        var isSame = known.stamp.disk.size == stamp.disk.size
        if isSame, let taken = known.digest {
            isSame = try taken == digest()
        } else if isSame {
            isSame = known.stamp == stamp
        }
        if !isSame { elsewhere = nil }
    }
}

/// A folder on disk that is being taken in, beside what is known of it.
struct ImportPlace {
    let key: ImportedKey
    /// Its real path.
    let source: [UInt8]
    let before: ImportedFolder
    /// What of it went into another owner's tree, which this one does not continue, where this one is
    /// another account's: it would see them.
    let elsewhere: PathMap<ImportedFile>
    /// The documents of the folder in the lockbook; nil when it is not there yet.
    let documents: Set<[UInt8]>?
}

extension DiskImport {
    /// Looks up what an earlier import read from this folder into that one.
    /// - Parameter file: the one file of the folder that goes to the target; nil for all.
    mutating func place(of folder: DiskFile, at target: ImportPath, file: String? = nil) throws
        -> ImportPlace
    {
        let source = folder.realPath
        let names = try target.names
        let seat = try self.seat(of: target)
        let key =
            if let file {
                try memory.read { tree in
                    try tree.importedKey(of: file, in: source, at: seat) {
                        try self.before[$0] ?? importedLast.folder($0, tree.imported)
                    }
                }
            } else {
                self.key(source, at: seat)
            }
        let (stored, before, documents) = try store.read { tree in
            // Of thousands of files that are named one by one the folder's row is opened once.
            let stored = try self.before[key] ?? tree.ofDisk { try $0.imported(key) }
            let before =
                if let file {
                    // Another file of the folder may go to another owner's tree.
                    try tree.continued(stored, at: names, of: file)
                } else {
                    try tree.continued(stored, at: names) { !isLink($0, in: target) }
                }
            return (stored, before, try file != nil ? nil : tree.documentNames(in: names))
        }
        let place = ImportPlace(
            key: key,
            source: source,
            before: before,
            elsewhere: store.context.isForeign
                ? stored.files.filter { before.files[$0] == nil } : [:],
            documents: documents
        )
        // What is not on the disk this time may come back: it is known as long as its note is there.
        var known = place.before
        if let documents = place.documents {
            known.files = known.files.filter { name in
                let isThere = (try? FileName(name)).map { documents.contains($0.normalized) }
                return isThere == true || isLink(name, in: target)
            }
        }
        for (name, file) in place.elsewhere { known.files[name] = file }
        remembered[key] = remembered[key] ?? known
        self.before[key] = stored
        return place
    }

    private func isLink(_ name: String, in target: ImportPath) -> Bool {
        (try? FileName(name)).map { links.link(at: target.appending($0)) != nil } ?? false
    }

    /// The store that remembers what was taken in, into whose tree ever it went.
    var memory: LocalStore { store.context.accountStore ?? store }

    func key(_ source: [UInt8], at seat: ImportPath) -> ImportedKey {
        ImportedKey(source: source, target: seat.text, device: store.context.account.deviceKey)
    }

    /// Where a target is for the user.
    func seat(of target: ImportPath) throws -> ImportPath {
        guard store.context.isForeign else { return target }
        return ImportPath(try LocalTree.names(of: own(target.shown)))
    }

    /// Passes by what looks on disk as it did when it was taken in, and is still in the lockbook.
    /// - Returns: whether there is nothing to do.
    mutating func isKnown(_ name: FileName, _ status: stat, in place: ImportPlace, source: String)
        -> Bool
    {
        let stamp = ImportedStamp(status, at: store.environment.now())
        // Who wants the disk's words whatever the note has means those of every file.
        guard !options.checksum, !options.force, stamp.isSettled,
            status.st_mode & S_IFMT == S_IFREG,
            let before = place.before.files[name.text], before.stamp == stamp, !before.isRefused,
            place.documents?.contains(name.normalized) == true
        else { return false }
        remembered[place.key]?.files[name.text] = before
        count(\.unchanged, bytes: status.st_size, source: source)
        return true
    }

    /// What is to be remembered of a file whose bytes are about to be read.
    func mark(_ name: String, _ status: stat, in place: ImportPlace?) -> ImportedMark? {
        guard let place else { return nil }
        return ImportedMark(
            key: place.key,
            folder: place.source,
            name: name,
            stamp: ImportedStamp(status, at: store.environment.now()),
            before: place.before.files[name],
            elsewhere: place.elsewhere[name]
        )
    }

    /// Notes that a place in the lockbook is taken by a file of this import.
    /// - Returns: false when another one has it, and this one is named as left out.
    mutating func claim(_ target: ImportPath, for source: String) -> Bool {
        let owner = store.context.owner
        if claimed[owner, default: []].insert(target.normalized).inserted { return true }
        leaveToAnother(source)
        return false
    }

    mutating func leaveToAnother(_ source: String) {
        problem(source, "another file of this import has its name")
    }

    /// What is known of a file from now on.
    /// - Parameter digest: of the bytes that were read.
    func known(
        _ mark: ImportedMark,
        after result: Result<ImportOutcome, LockbookError>,
        _ digest: Hash256
    ) -> ImportedFile? {
        switch result {
        case .success(.left): taken(mark, mark.before?.digest)
        case .success: taken(mark, digest)
        case .failure(let error): known(mark, after: error)
        }
    }

    /// A file that was left out is asked about again, by what was known of it before; where that was
    /// because of its note it is left out again, also when it is changed once more.
    func known(_ mark: ImportedMark, after error: LockbookError) -> ImportedFile? {
        guard error.leavesNote else { return mark.before ?? mark.elsewhere }
        let refused = ImportedFile(
            stamp: mark.stamp,
            digest: nil,
            isRefused: true,
            owner: store.context.otherOwner
        )
        return mark.before ?? refused
    }

    /// - Parameter digest: of the bytes that were read.
    func taken(_ mark: ImportedMark, _ digest: Hash256?) -> ImportedFile {
        ImportedFile(stamp: mark.stamp, digest: digest, owner: store.context.otherOwner)
    }

    mutating func note(_ mark: ImportedMark, _ known: ImportedFile?) {
        remembered[mark.key, default: ImportedFolder()].files[mark.name] = known
    }
}
