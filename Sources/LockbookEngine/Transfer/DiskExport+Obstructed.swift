import Glibc
import LockbookModel

extension DiskExport {
    static let obstructed = "something else than a file stands in its place"

    /// Leaves out the documents in whose place a folder stands that cannot go.
    ///
    /// What an export wrote in it may be all that the disk has of that very document.
    mutating func leaveObstructed(_ plan: ExportPlan) {
        let items = blocked
        blocked = []
        for item in items {
            if item.type == .document, isKept(folder: item.relativePath, plan) {
                left(item, target.path(of: item.relativePath), Self.obstructed)
            } else {
                blocked.append(item)
            }
        }
    }

    /// Whether a folder of the disk stays, as something is in it that no export wrote, or that was changed
    /// since; false where no folder is.
    private func isKept(folder path: String, _ plan: ExportPlan) -> Bool {
        guard let status = try? target.place(path).status(), status.st_mode & S_IFMT == S_IFDIR
        else { return false }
        var chain = FolderChain(below: target.top)
        var waiting = [path]
        while let path = waiting.popLast() {
            guard let known = ledger.memory.folders[path], known.isMade,
                let open = try? chain.folder(path), let names = try? Disk.names(in: open)
            else { return true }
            var files: PathMap<ExportedFile> = [:]
            for file in known.gone.all + known.files.all { files[file.name] = file }
            for name in names {
                let name = String(decoding: name, as: UTF8.self)
                if let file = files[name] {
                    guard wouldGo(file, from: known, plan) else { return true }
                } else {
                    waiting.append(known.subpath(of: name))
                }
            }
        }
        return false
    }
}
