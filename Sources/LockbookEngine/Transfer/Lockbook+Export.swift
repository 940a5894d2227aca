import Glibc
import LockbookCrypto
import LockbookModel

extension Lockbook {
    /// Writes a folder or document to the disk, decrypted, as `cp -r` does.
    ///
    /// Files appear whole or not at all, never through a symbolic link, for this user alone. What
    /// an earlier export wrote is brought up to date; a differing file that none wrote is left
    /// alone and reported, unless forced. A folder that programs such as git would run something of is
    /// left out and reported where others may have made it. Where neither the lockbook nor the disk changed since,
    /// nothing is opened, written or waited for.
    public func export(
        _ reference: FileReference,
        to destination: String,
        options: ExportOptions,
        progress: (TransferProgress) -> Void
    ) async throws -> TransferReport {
        try refuseOwnFolder([destination])
        do {
            let (found, links) = try exportTop(reference)
            // A folder that became a copy of this one is brought up to date, instead of getting
            // another copy into it.
            let top = try isCopy(of: found, at: destination) ? found.unnamed : found
            var memoryless = Memoryless(allowed: !options.mirror)
            let foreseen = foreseenPlace(of: top, at: destination)
            if let foreseen { try memoryless.unless { try remember(top, at: foreseen) } }
            let target = try ExportTarget(
                destination,
                of: top.type,
                named: top.name,
                tag: ExportPlace.tag(of: account.device, environment.random)
            )
            // A mirror is what a timer runs: it does not wait, and runs again.
            try await target.lock(for: self, waits: !options.mirror)
            if options.mirror, !options.force { try refuseOtherDisk(for: top, at: target) }
            if target.isMade, target.identity != foreseen {
                try memoryless.unless { try remember(top, at: target.identity) }
            }
            return try await export(
                top,
                with: links,
                to: target,
                options: options,
                &memoryless,
                progress
            )
        } catch let failure as DiskFailure {
            throw LockbookError.io(path: failure.path, reason: failure.reason)
        }
    }

    /// Writes a file, and what is behind links in it, to a place that is open.
    private func export(
        _ top: ExportTop,
        with links: [LinkBelow],
        to target: ExportTarget,
        options: ExportOptions,
        _ memoryless: inout Memoryless,
        isAgain: Bool = false,
        _ progress: (TransferProgress) -> Void
    ) async throws -> TransferReport {
        var memory = try recall(top, at: target, &memoryless)
        let unchanged = try memory.unchanged(
            below: target.top,
            of: top.exported,
            directories: directoryStamps(
                [top.lockbook] + links.compactMap { $0.place?.lockbook }
            ),
            removing: options.mirror
        )
        let plan = try ExportPlan(of: top, with: links, memory: memory, sparing: unchanged)
        let moved = memory.follow(plan, below: target.top)
        var writing = try DiskExport(
            lockbook: self,
            target: target,
            ledger: ExportLedger(source: top.exported, memory: memory, moved: moved),
            options: options
        )
        do {
            try await write(plan, of: top, with: &writing, &memoryless, progress)
        } catch let failure as DiskFailure where failure.isOfRoom && options.mirror && !isAgain {
            guard try writing.makeRoom(after: plan) else { throw failure }
            try remember(writing, plan)
            let report = try await export(
                top,
                with: links,
                to: target,
                options: options,
                &memoryless,
                isAgain: true,
                progress
            )
            return report.joined(to: writing.report)
        }
        writing.report.unremembered = memoryless.reason
        return writing.report
    }

    /// What earlier exports wrote to a place.
    private func recall(
        _ top: ExportTop,
        at target: ExportTarget,
        _ memoryless: inout Memoryless
    ) throws -> ExportMemory {
        let (sealed, foreseen) = try store.read { tree in
            (try tree.exported(at: target.identity), try tree.foreseen(at: target.identity))
        }
        var memory = try ExportMemory(opening: sealed, with: account.deviceKey)
        try memoryless.unless { try takeUp(foreseen, &memory, at: target) }
        try memoryless.unless { try takeOver(&memory, for: top, at: target.identity) }
        return memory
    }

    /// How the directory index of every folder begins now, in each of these trees.
    private func directoryStamps(_ lockbooks: [Lockbook]) throws -> [ExportedID: [UInt8]] {
        var stamps: [ExportedID: [UInt8]] = [:]
        var owners: Set<AccountID> = []
        for lockbook in lockbooks where owners.insert(lockbook.store.context.owner).inserted {
            let found = try lockbook.store.read { try $0.directoryStamps() }
            if stamps.isEmpty { stamps = found } else { stamps.merge(found) { first, _ in first } }
        }
        return stamps
    }

    /// Writes a plan to the disk, and puts down what was written.
    private func write(
        _ plan: ExportPlan,
        of top: ExportTop,
        with writing: inout DiskExport,
        _ memoryless: inout Memoryless,
        _ progress: (TransferProgress) -> Void
    ) async throws {
        do {
            try await writing.write(plan, progress: progress)
        } catch {
            // The next export has to know what this one wrote before it failed.
            try? remember(writing, plan)
            throw error
        }
        try memoryless.unless {
            try remember(writing, plan)
            guard top.type == .folder else { return }
            let identity = writing.target.identity
            if try !store.read({ try $0.isCopy(of: top, at: identity) }) {
                try store.write { try $0.rememberTop(top, at: identity) }
            }
            try rememberDisk(of: writing.target)
        }
    }

    /// Where an export is about to make a folder; nil where it is there, or cannot be made.
    ///
    /// Whose copy that will be is put down before: also when the export is cut off, at any moment, the
    /// next one has to know.
    private func foreseenPlace(of top: ExportTop, at destination: String) -> [UInt8]? {
        guard top.type == .folder, !Disk.exists(destination),
            let name = destination.steps.last, name != "..", name != ".",
            let above = Disk.realPath(of: Disk.parent(of: destination))
        else { return nil }
        return Array((above == "/" ? "/\(name)" : "\(above)/\(name)").utf8)
    }

    /// Puts down whose copy a place is to be, unless that is known: another export may have begun
    /// to write there meanwhile, and has noted what.
    private func remember(_ top: ExportTop, at place: [UInt8]) throws {
        let folder = ExportedFolder(path: "", source: top.exported, id: top.exported)
        try store.write { tree in
            let known = try ExportMemory(
                opening: tree.exported(at: place, folder: ""),
                with: account.deviceKey
            )
            if let known = known.folders[""], known.source.isSame(as: top.exported),
                known.id.isSame(as: top.exported)
            {
                return
            }
            try tree.remember([folder], forgetting: [], at: place)
            try tree.rememberTop(top, at: place)
        }
    }

    /// Whether an earlier export made a folder of the disk the copy of this very folder, or of one
    /// that was in its place before.
    private func isCopy(of top: ExportTop, at destination: String) throws -> Bool {
        guard top.type == .folder, top.name != nil, Disk.isFolder(destination),
            let place = try? DiskFile(destination, flags: O_RDONLY | O_DIRECTORY)
        else { return false }
        let sealed = try store.read { try $0.exported(at: place.realPath, folder: "") }
        let memory = try ExportMemory(opening: sealed, with: account.deviceKey)
        guard let copied = memory.folders[""], copied.source.isSame(as: copied.id) else {
            return false
        }
        return try copied.id.isSame(as: top.exported)
            || store.read { try $0.isCopy(of: top, at: place.realPath) }
    }

    /// An export that was cut off put files in their places that it could not remember any more.
    private func takeUp(
        _ foreseen: [[ExportedFolder]],
        _ memory: inout ExportMemory,
        at target: ExportTarget
    ) throws {
        guard !foreseen.isEmpty else { return }
        let taken = memory.takeUp(foreseen.flatMap(\.self), at: target)
        try store.write { tree in
            try tree.remember(taken, forgetting: [], at: target.identity)
            try tree.forgetForeseen(foreseen.count, at: target.identity)
        }
    }

    /// What was copied to a place before has to be known for what it is copied from now.
    private func takeOver(
        _ memory: inout ExportMemory,
        for top: ExportTop,
        at identity: [UInt8]
    ) throws {
        guard top.type == .folder, let former = memory.folders[""]?.source,
            !former.isSame(as: top.exported),
            try store.read({ try $0.isCopy(of: top, at: identity) })
        else { return }
        let taken = memory.takeOver(from: former, by: top.exported)
        try store.write { try $0.remember(taken, forgetting: [], at: identity) }
    }

    private func remember(_ writing: DiskExport, _ plan: ExportPlan) throws {
        let (folders, forgotten) = writing.ledger.changes(after: plan)
        guard !folders.isEmpty || !forgotten.isEmpty || writing.foreseen > 0 else { return }
        try store.write { tree in
            try tree.remember(folders, forgetting: forgotten, at: writing.target.identity)
            try tree.forgetForeseen(writing.foreseen, at: writing.target.identity)
        }
    }
}

/// Why an export cannot be remembered, if it cannot.
///
/// Where a device's own disk is full, or cannot be written, notes are copied to another one all the
/// same: that is when somebody wants them out. A mirror, which also removes, does nothing then.
struct Memoryless {
    let allowed: Bool
    private(set) var reason: String?

    init(allowed: Bool) {
        self.allowed = allowed
    }

    mutating func unless(_ body: () throws -> Void) throws {
        do { try body() } catch LockbookError.store(let reason, _) where allowed {
            self.reason = self.reason ?? reason
        }
    }
}
