import Glibc
import LockbookModel

extension Lockbook {
    /// Takes in what another program for notes exported.
    ///
    /// All of it is read and understood before anything is written: what makes no sense changes
    /// nothing. Done again, it takes what changed, as `importFromDisk`, and deletes nothing.
    /// - Parameters:
    ///   - sources: paths on disk; what is in each goes into the destination itself.
    ///   - destination: a folder, which is made if there is none; behind a link only for a vault.
    /// - Throws: `.badExport` for what the program did not write, `.missingLibrary`, `.io`.
    public func importNotes(
        of program: NoteProgram,
        from sources: [String],
        to destination: String,
        options: ImportOptions = ImportOptions(),
        progress: (TransferProgress) -> Void
    ) throws -> TransferReport {
        do {
            guard program != .obsidian else {
                return try importVaults(sources, to: destination, options, progress)
            }
            let place = try present(at: destination)
            guard place?.type != .document else {
                throw LockbookError.notAFolder(path: destination)
            }
            let target = try LocalTree.names(of: destination)
            return try withoutActuallyEscaping(progress) { progress in
                var importing = DiskImport(store: store, options: options, progress: progress)
                let known = try store.read { tree in
                    try ForeignLedger(program, at: target, place?.id, in: tree)
                }
                importing.foreign = known
                var names = ForeignNames(known.memory, at: target, in: store, isNew: place == nil)
                let plans = try sources.map { source in
                    let files = try ForeignFiles(source, mayBeText: program == .standardNotes)
                    return (files, try ForeignPlan(of: program, files, &names))
                }
                let ending = Result<Void, any Error> {
                    for (files, plan) in plans {
                        var one = ForeignImport(
                            files: files,
                            plan: plan,
                            folders: names.folders,
                            importing: importing
                        )
                        defer { importing = one.importing }
                        try one.run()
                    }
                }
                // What is in is remembered, whatever kept the rest out.
                let learned = importing.foreign
                try store.write { try learned?.keep(in: $0) }
                try ending.get()
                return importing.report
            }
        } catch let failure as DiskFailure {
            throw LockbookError.io(path: failure.path, reason: failure.reason)
        }
    }

    /// What stands somewhere in this tree; nil for nothing.
    private func present(at path: String) throws -> FileRow? {
        try store.read { tree -> FileRow? in
            let row = try tree.find(path: path)
            if let crossing = try row.flatMap(tree.crossing) { throw crossing }
            return row
        }
    }

    /// A vault is a folder like others, but for what the program keeps in it for itself.
    private func importVaults(
        _ sources: [String],
        to destination: String,
        _ options: ImportOptions,
        _ progress: (TransferProgress) -> Void
    ) throws -> TransferReport {
        let type = try across(.path(destination)) { () -> FileType? in
            try present(at: destination)?.type
        } there: { place -> FileType? in
            guard case .path(let path) = place.reference else { return nil }
            return try place.lockbook.present(at: path)?.type
        }
        guard type != .document else { throw LockbookError.notAFolder(path: destination) }
        for source in sources {
            guard try Disk.status(source, followLinks: true).st_mode & S_IFMT == S_IFDIR else {
                throw LockbookError.badExport(path: source, reason: "a vault is a folder")
            }
            guard Disk.exists(source + "/.obsidian") else {
                throw LockbookError.badExport(
                    path: source,
                    reason: "there is no .obsidian in it; import it without --from"
                )
            }
        }
        var options = options
        options.excluded += ["/.obsidian/", "/.trash/"]
        options.takesContents = true
        return try importFromDisk(
            sources,
            to: destination,
            options: options,
            progress: progress
        )
    }
}

extension ForeignPlan {
    fileprivate init(of program: NoteProgram, _ files: ForeignFiles, _ names: inout ForeignNames)
        throws
    {
        switch program {
        case .joplin: self = try JoplinPlan.plan(files, &names)
        case .standardNotes: self = try StandardNotesPlan.plan(files, &names)
        case .bear: self = try TextBundlePlan.plan(files, &names)
        case .obsidian: self.init()
        }
    }
}
