import Glibc
import LockbookModel

extension DiskExport {
    /// Counts an outcome; what concerns one file alone is reported, and the rest goes on.
    mutating func note(
        _ item: ExportItem,
        _ outcome: (DiskExport) throws -> ExportOutcome?
    ) throws {
        do {
            switch try outcome(self) {
            case nil: return
            case .folder(let status, let isMade):
                report.folders += 1
                hasWritten = hasWritten || isMade
                if isMade { noteMode(status, item.relativePath) }
                ledger.note(folder: item.relativePath, status, made: isMade)
            case .created(let file):
                report.created += 1
                written(item, file)
            case .updated(let file):
                report.updated += 1
                written(item, file)
            case .unchanged(let file):
                report.unchanged += 1
                ledger.keep(item, file)
            case .marked(let file):
                report.updated += 1
                hasWritten = true
                ledger.keep(item, file)
            case .refused(let reason): left(item, target.path(of: item.relativePath), reason)
            case .blocked(let reason): block(item, reason)
            case .displaces(let note): displacing.append((item, note))
            }
        } catch let error as LockbookError {
            guard error.concernsOneFile else { throw error }
            noteUnread(item)
            left(item, item.path, error.exportSentence)
        } catch let failure as DiskFailure where failure.code == ENOTDIR {
            block(item, failure.folderReason)
        } catch let failure as DiskFailure where !failure.endsExport {
            // On a disk that fails what would go may be the last copy.
            if failure.code == EIO { noteUnread(item) }
            left(item, target.path(of: item.relativePath), failure.reason)
        }
    }

    private mutating func written(_ item: ExportItem, _ file: ExportedFile) {
        report.bytes += item.size
        hasWritten = true
        ledger.note(item, file)
    }

    /// Notes what others may read although it was to be for this user alone.
    mutating func noteMode(_ status: stat, _ path: String) {
        guard report.unprotected == nil, status.isForOthers else { return }
        report.unprotected =
            path.isEmpty && target.single == nil ? target.top.path : target.path(of: path)
    }

    /// Notes a file that could not be given the time of its note.
    mutating func noteTime(_ path: String) {
        report.undated = report.undated ?? target.path(of: path)
    }

    mutating func left(_ item: ExportItem, _ path: String, _ reason: String) {
        ledger.leave(item)
        if item.type == .document { unwritten.append(item) }
        guard item.type != .document else { return problem(path, reason) }
        leaveOut(folder: item.relativePath, path, reason)
    }

    /// Notes a folder that nothing can be written into.
    mutating func leaveOut(folder: String, _ path: String, _ reason: String) {
        unmade[folder] = report.problems.count
        problem(path, reason)
    }

    /// Notes a folder that was made and did not get its name, with those in it.
    mutating func leaveOut(staged paths: [String], _ failure: DiskFailure) {
        guard let top = paths.first else { return }
        let told = report.problems.count
        leaveOut(folder: top, target.path(of: top), failure.reason)
        for path in paths.dropFirst() {
            unmade[path] = told
            leftInside[told, default: 0] += 1
        }
        report.folders -= paths.count
        for path in paths { ledger.forget(folder: path) }
    }

    /// Whether an item was to go into a folder that could not be made, which is told of that alone.
    mutating func isLeftWithFolder(_ item: ExportItem) -> Bool {
        guard let told = unmade[item.folder] else { return false }
        ledger.leave(item)
        if item.type == .document { unwritten.append(item) }
        leftInside[told, default: 0] += 1
        if item.type != .document { unmade[item.relativePath] = told }
        return true
    }

    /// Says of each folder that could not be made how much was to go into it.
    mutating func tellLeftInside() {
        for (told, count) in leftInside {
            report.problems[told].reason +=
                count == 1
                ? "; the file in it is left out" : "; the \(count) files in it are left out"
        }
        leftInside = [:]
    }

    /// What an export wrote in the way may be removed later.
    private mutating func block(_ item: ExportItem, _ reason: String) {
        guard options.mirror, !isLast else {
            return left(item, target.path(of: item.relativePath), reason)
        }
        blocked.append(item)
    }

    private mutating func noteUnread(_ item: ExportItem) {
        if !hasCopy(of: item) { unread.insert(item.relativePath) }
    }

    /// Whether an earlier version of a note stands under the name that it has now.
    private mutating func hasCopy(of item: ExportItem) -> Bool {
        guard let file = ledger.known(item), let blob = file.blob,
            let present = try? target.place(item.relativePath).status(),
            file.stamp.matches(present)
        else { return false }
        // That name may have been another note's when the file was written.
        return (try? item.lockbook.store.read { try $0.had(blob, in: item.id) }) ?? false
    }

    /// Reads what is to be written when something else was removed or replaced: that may be the last
    /// copy of it.
    ///
    /// Why something does not open is told when it cannot be written.
    mutating func readBlocked() async {
        for item in blocked + displacing.map(\.item) where item.type == .document {
            do {
                try await item.read { _ in }
            } catch {
                unread.insert(item.relativePath)
            }
        }
    }

    /// Writes what was in the way of something that was removed meanwhile.
    mutating func writeBlocked() async throws {
        isLast = true
        let items = blocked
        blocked = []
        try await write(items) { _ in }
    }

    /// Leaves out what would replace the only copy that the disk has of a note which cannot be written
    /// where it is now.
    ///
    /// What is left out keeps its own earlier copy, for which another one may wait.
    mutating func leaveWaiting() {
        var waiting = Dictionary(grouping: displacing) { $0.note }
        var notes = unwritten.map(\.id)
        for (item, _) in displacing where unread.contains(item.relativePath) {
            notes.append(item.id)
        }
        while let note = notes.popLast() {
            for (item, _) in waiting.removeValue(forKey: note) ?? [] {
                left(
                    item,
                    target.path(of: item.relativePath),
                    "an earlier copy of a note stands there that cannot be written where it is now"
                )
                notes.append(item.id)
            }
        }
        displacing.removeAll { waiting[$0.note] == nil }
    }

    /// Writes what replaces earlier copies of other notes, which have their new names by now.
    mutating func writeDisplacing() async throws {
        guard !displacing.isEmpty else { return }
        let items = displacing.map(\.item)
        displacing = []
        try await write(items) { _ in }
        if hasWritten { try target.finishNames() }
    }

    mutating func problem(_ path: String, _ reason: String) {
        report.problems.append(TransferReport.Problem(path: path, reason: reason))
    }
}

extension stat {
    /// Whether somebody else than the owner may do something with it.
    var isForOthers: Bool { st_mode & 0o077 != 0 }
}

extension DiskFailure {
    /// Whether nothing more can be written at all.
    var endsExport: Bool { [ENOSPC, EDQUOT, EROFS].contains(code) }

    /// Whether there is no room.
    var isOfRoom: Bool { [ENOSPC, EDQUOT].contains(code) }

    /// Why a folder cannot be opened: of a link the system says only what it is not.
    var folderReason: String {
        guard code == ENOTDIR, Disk.isLink(path) else { return reason }
        return "a symbolic link stands in its place"
    }
}
