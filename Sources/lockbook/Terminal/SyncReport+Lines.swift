import LockbookEngine

extension SyncReport {
    /// What a sync did, for a person: the numbers, then what was decided.
    var lines: [String] {
        var lines = ["pulled \(pulled.count), pushed \(pushed.count)"]
        if pulled.isEmpty, pushed.isEmpty {
            lines = ["nothing to do, everything is synced"]
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
        "\(happened): \(path)" + (detail.isEmpty ? "" : " (\(detail))")
    }

    private var happened: String {
        switch kind {
        case .merged: "both changes are in it"
        case .markers: "both versions are in it, between markers"
        case .keptBoth: "kept both versions, this device's is here"
        case .renamed: "the name was taken, renamed"
        case .renameUndone: "renamed elsewhere too, that name stands"
        case .moveUndone: "moved elsewhere too, that place stands"
        case .trashed: "its folder was deleted, it is in the trash"
        case .deleted: "deleted on one side, changed on the other"
        case .folded: "joined with the folder of the same name"
        case .damaged: "damaged"
        case .notPushed: "not pushed, it stays on this device"
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
