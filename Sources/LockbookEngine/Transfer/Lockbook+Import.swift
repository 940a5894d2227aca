import LockbookModel

extension Lockbook {
    /// Takes files and folders of the disk in, as `cp -r` does; a second time only what changed.
    ///
    /// A file in a folder that was taken in before is not read when it looks as it did then and its
    /// document is still there, whatever became of that. Nothing is ever deleted.
    /// Everything that can be taken in is, in batches that are durable one by one; the rest is in
    /// the report.
    /// The lockbook's own folder is passed by, and that of any other lockbook. No ignore file keeps out
    /// what an export wrote and what is a note.
    /// - Parameter sources: paths on disk; `DIR/.` stands for the contents of DIR.
    /// - Throws: `.io` when none of the sources can be read; `.badPath` for the lockbook's own folder.
    public func importFromDisk(
        _ sources: [String],
        to destination: String,
        options: ImportOptions = ImportOptions(),
        progress: (TransferProgress) -> Void
    ) throws -> TransferReport {
        try refuseOwnFolder(sources)
        // Found out before anything is taken: what goes on behind a link goes there as a whole.
        let place = try across(.path(destination)) { () -> SharedPlace? in
            try store.read { tree in
                let row = try tree.find(path: destination)
                if let crossing = try row.flatMap(tree.crossing) { throw crossing }
            }
            return nil
        } there: {
            $0
        }
        return try withoutActuallyEscaping(progress) { progress in
            guard let place, case .path(let below) = place.reference else {
                return try importFiles(
                    sources,
                    to: destination,
                    options: options,
                    progress: progress
                )
            }
            // As many batches as it takes, here as there.
            place.lockbook.store.joinsChanges = store.joinsChanges
            do {
                // Whoever ends it with a slash means a folder, also where the path is a link's.
                let slash = destination.endsWithSlash && !below.endsWithSlash ? "/" : ""
                return try place.lockbook.importFiles(
                    sources,
                    to: below + slash,
                    options: options,
                    own: place.own,
                    progress: progress
                )
            } catch let error as LockbookError {
                throw error.renamed(place.own)
            }
        }
    }

    /// - Parameter own: a path of this tree as the user knows it.
    private func importFiles(
        _ sources: [String],
        to destination: String,
        options: ImportOptions,
        own: @escaping (String) -> String = { $0 },
        progress: @escaping (TransferProgress) -> Void
    ) throws -> TransferReport {
        var importing = DiskImport(store: store, options: options, progress: progress)
        importing.own = own
        importing.links = try store.read { try ImportLinks($0) }
        do {
            try Self.take(sources, to: destination, with: &importing)
        } catch {
            // What is in is remembered, whatever kept the rest out.
            try? importing.keepMemory()
            throw error
        }
        try importing.keepMemory()
        try importing.leaveOnlyRead()
        let ending = Result<Void, any Error> {
            do { try takeLinked(&importing) } catch {
                try? importing.keepMemory()
                throw error
            }
            try importing.keepMemory()
        }
        // What is in is one command, whatever kept the rest out.
        try importing.joinCommands()
        try ending.get()
        return importing.report
    }

    private static func take(
        _ sources: [String],
        to destination: String,
        with importing: inout DiskImport
    ) throws {
        var missing = 0
        let repeated = sources.repeatedPaths
        for (index, source) in sources.enumerated() where !repeated.contains(index) {
            do {
                try importing.add(source, to: destination, isOnly: sources.count == 1)
            } catch let failure as DiskFailure {
                missing += 1
                guard missing < sources.count - repeated.count else {
                    throw LockbookError.io(path: failure.path, reason: failure.reason)
                }
                importing.problem(failure.path, failure.reason)
            }
        }
        try importing.flush()
    }

    /// What cannot go behind its link is named; the rest goes on.
    private func takeLinked(_ importing: inout DiskImport) throws {
        let shares = OpenShares(of: self)
        var places: [(linked: LinkedImport, place: SharedPlace)] = []
        for linked in importing.linked {
            let link = linked.link
            do {
                places.append((linked, try shares.place(behind: link.target, link: link.path)))
            } catch LockbookError.leadsNowhere {
                importing.problem(linked.path, "what its link leads to is not here")
            }
        }
        let byOwner = Dictionary(grouping: places) { $0.linked.link.target.owner }
        for (_, places) in byOwner.sorted(by: { $0.key < $1.key }) {
            guard let store = places.first?.place.lockbook.store else { continue }
            try importing.take(places, to: store)
        }
        importing.report.shared?.sort { $0.path < $1.path }
    }
}
