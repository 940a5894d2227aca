import LockbookEngine

extension SyncReport {
    /// What a sync did, for a person: the numbers, then what was decided.
    func lines(wouldBe: Bool) -> [String] {
        let would = wouldBe ? "would have " : ""
        var lines = ["\(would)pulled \(pulled.count), pushed \(pushed.count)"]
        if pulled.isEmpty, pushed.isEmpty {
            lines = ["nothing to do, everything is synced"]
        }
        if wouldBe {
            lines += pulled.map { "  pull  \($0)" } + pushed.map { "  push  \($0)" }
        }
        lines += notes.map { "  \($0.sentence)" }
        if leftOnServer > 0 {
            lines.append(
                count(leftOnServer, "large content")
                    + " left on the server until read; `lockbook sync --full` brings all"
            )
        }
        return lines
    }
}

extension SyncReport.Note {
    fileprivate var sentence: String {
        switch kind {
        case .merged: "merged: \(path) holds both changes"
        case .markers: "both versions between markers: \(path)"
        case .keptBoth: "kept both: \(path) and \(detail)"
        case .renamed: "renamed: \(path) (\(detail))"
        case .renameUndone: "renamed elsewhere as well, theirs stands: \(path) (\(detail))"
        case .moveUndone: "moved elsewhere as well, theirs stands: \(path) (\(detail))"
        case .trashed: "in a folder that was deleted, now in the trash: \(path) (\(detail))"
        case .deleted: "deleted by the other side: \(path) (\(detail))"
        case .folded: "joined with the folder of the same name: \(path)"
        case .damaged: "damaged: \(path) (\(detail))"
        case .notPushed: "not pushed, stays on this device: \(path) (\(detail))"
        }
    }
}

extension SyncProgress {
    var sentence: String {
        switch self {
        case .connecting: "connecting"
        case .pulling(let files): "pulling: \(count(files, "file"))"
        case .merging: "merging"
        case .uploading(let done, let all): "uploading: \(byteCount(done)) of \(byteCount(all))"
        case .downloading(let done, let all): "downloading: \(byteCount(done)) of \(byteCount(all))"
        case .finishing: "finishing"
        }
    }
}
