import LockbookEngine

extension World {
    /// One sync of a device, with whatever happens meanwhile.
    /// - Parameter isForetold: whether a dry run says before what it will do; then nothing may happen.
    /// - Returns: its report, when it came to its end.
    @discardableResult
    func sync(
        _ device: SimulatedDevice,
        _ interruptions: [Interruption],
        _ draw: inout Draw,
        isForetold: Bool = false
    ) async throws -> SyncReport? {
        guard !device.isSyncing, let lockbook = device.lockbook else { return nil }
        var options = SyncOptions()
        options.acceptDeletions = !hasFaults || draw.once(in: 2)
        options.full = !hasFaults
        options.listsChanges = isForetold
        device.isSyncing = true
        let foretold = isForetold ? try await rehearse(device, options) : nil
        let wasDeleted = isDeleted(device)
        device.interruptions = interruptions
        device.requests = 0
        device.lateSignatures = 0
        let began = sequence
        // A device that just came to know the account has no root yet.
        let before = (try? lockbook.list(.path("/"), recursive: true)) ?? []
        var report: SyncReport?
        var failure: LockbookError?
        do {
            report = try await lockbook.sync(options, unfinished: tellUndone)
            tally.count("syncs")
        } catch let error as LockbookError {
            failure = error
            try expect(error, of: device)
        } catch let failure as Broken {
            broken = broken ?? failure
            throw failure
        } catch {
            throw Broken("device \(device.number): a sync failed with \(error)")
        }
        try require(
            report == nil || !wasDeleted,
            "device \(device.number) synced an account that was deleted"
        )
        device.isSyncing = false
        device.interruptions = []
        if let broken { throw broken }
        try check(foretold, against: report, failure, device)
        if let report {
            device.syncedUpTo = began
            try count(report, before, device)
            if interruptions.allSatisfy(\.isFault) {
                try checkFolded(report, before, device)
                try checkTransferred(report, device)
            }
        }
        if device.folder.isDead {
            tally.count("device killed in a sync")
            try device.crash(seed: draw.next())
        }
        return report
    }

    /// What a sync that fails had undone before is told as well, and not again by the next.
    private func tellUndone(_ report: SyncReport) {
        for note in report.notes where note.kind == .undone {
            trace("  undone \(note.id) \(note.path) \(note.detail)")
            oracle.didRestore(note.id)
        }
    }

    /// Only some failures may come of faults.
    private func expect(_ error: LockbookError, of device: SimulatedDevice) throws {
        trace("  sync of device \(device.number) ends: \(device.plain(error))")
        if device.folder.isDead { return }
        switch error {
        case .offline, .unavailable:
            try require(hasFaults, "device \(device.number) could not sync: \(error)")
        case .several(let errors): for error in errors { try expect(error, of: device) }
        case .stopped: tally.count("deletion guard")
        case .accountDeleted where isDeleted(device): tally.count("syncs of deleted accounts")
        case .refused where device.lateSignatures > 0:
            // It is signed anew once, which a clock that is set wrong uses up.
            tally.count("a sync that was too slow")
        case .store where device.folder.failures > 0: break
        default: try require(false, "device \(device.number): a sync failed with \(error)")
        }
    }

    private func count(_ report: SyncReport, _ before: [FileInfo], _ device: SimulatedDevice) throws
    {
        trace(
            "  pulled \(report.pulled.count), pushed \(report.pushed.count), \(report.traffic.requests) requests"
        )
        let known = Set(before.map(\.id))
        for note in report.notes {
            trace("  \(note.kind.rawValue) \(note.id) \(note.path) \(note.detail)")
            tally.count("note \(note.kind.rawValue)")
            if note.kind == .merged || note.kind == .markers, !known.contains(note.id) {
                tally.count("two new documents joined")
                try noteJoin(note, before, device)
            }
            if note.kind == .moveUndone { try countCycle(note, before, device) }
            if note.kind == .undone { oracle.didRestore(note.id) }
            try require(
                note.kind != .damaged
                    && (note.kind != .notPushed && note.kind != .notDone || plan.isSharing),
                "device \(device.number) reports \(note.kind.rawValue) of \(note.path)"
            )
        }
        if report.notes.contains(where: { $0.kind == .notPushed }) {
            // The server has no reason to refuse what an honest device sends.
            let refused = try device.lockbook?.status().changes.first { $0.refused != nil }
            try require(
                refused == nil,
                "device \(device.number): the server refused \(refused.debugDescription)"
            )
        }
        // What died with a folder that somebody deleted stays deleted wherever it is moved to.
        let trashed = report.notes.filter { $0.kind == .trashed }.map(\.id)
        if !trashed.isEmpty, !plan.isSharing {
            let places = try places(on: device)
            oracle.willDelete(trashed.filter { isExcused($0, places) })
        }
        tally.count("requests", report.traffic.requests)
        try require(
            // An answer of one record makes a request of each.
            hasFaults || plan.pageByteCount != nil || !plan.portions.areUsual
                || report.traffic.requests <= 30,
            "a sync took \(report.traffic.requests) requests"
        )
    }

    /// What was made in a folder that was folded into another of its name stands in that one.
    private func checkFolded(
        _ report: SyncReport,
        _ before: [FileInfo],
        _ device: SimulatedDevice
    ) throws {
        let folded = Set(report.notes.filter { $0.kind == .folded }.map(\.id))
        guard !folded.isEmpty, !plan.isSharing else { return }
        let places = try places(on: device)
        // What others have may have been moved by them.
        let known = try devices.filter { $0 !== device }.flatMap { try self.places(on: $0).keys }
        let gone = before.filter { $0.type == .folder && places[$0.id] == nil }
        for folder in gone {
            for child in before where child.path == "\(folder.path)/\(child.name)" {
                guard let place = places[child.id], !place.isDeleted, !known.contains(child.id)
                else { continue }
                tally.count("new files in folded folders")
                try require(
                    folded.contains(place.parent),
                    "device \(device.number): \(child.path) left the folder it was made in"
                )
            }
        }
    }

    /// A folder that stood in one which now stands in it was in a cycle.
    private func countCycle(
        _ note: SyncReport.Note,
        _ before: [FileInfo],
        _ device: SimulatedDevice
    )
        throws
    {
        guard let old = before.first(where: { $0.id == note.id }),
            let slash = old.path.dropFirst().lastIndex(of: "/"),
            let folder = before.first(where: { $0.path == old.path[..<slash] }),
            let now = try? device.lockbook?.info(.id(prefix: folder.id)),
            let moved = try? device.lockbook?.info(.id(prefix: note.id)),
            now.path.hasPrefix(moved.path + "/")
        else { return }
        tally.count("cycle undone")
    }
}
