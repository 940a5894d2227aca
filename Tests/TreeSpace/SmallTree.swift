package import LockbookCrypto
package import LockbookModel

/// A whole tree in memory, which a merge and a validator can ask.
package struct SmallTree: Equatable, Sendable {
    package var files: [FileID: File] = [:]

    package init(files: [FileID: File] = [:]) {
        self.files = files
    }

    /// The files that differ from what another tree has.
    package func changes(since base: SmallTree) -> [FileID: File] {
        files.filter { id, file in base.files[id].map { !file.isSame(as: $0) } ?? true }
    }

    /// Whether a reader could tell the two apart.
    package func isSame(as other: SmallTree) -> Bool {
        files.count == other.files.count && changes(since: other).isEmpty
    }

    /// Whether the file is there, and neither it nor a folder above it is deleted.
    package func isLive(_ id: FileID) -> Bool {
        var id = id
        for _ in 0...files.count {
            guard let file = files[id], !file.isDeleted else { return false }
            if file.parent == id { return true }
            id = file.parent
        }
        return false
    }

    package func child(named name: FileName, of folder: FileID) -> FileID? {
        for (id, file) in files
        where file.parent == folder && id != folder && !file.isDeleted
            && (file.name == name || file.name.isSame(as: name))
        {
            return id
        }
        return nil
    }

    /// What is wrong with the tree, found without the validator; nil when it is one.
    package var defect: String? {
        var taken: Set<String> = []
        for (id, file) in files where file.parent != id {
            guard let folder = files[file.parent] else { return "\(id) has no parent" }
            guard folder.type == .folder else { return "\(id) is in no folder" }
            if !file.isDeleted, !taken.insert("\(file.parent)/\(file.name.text)").inserted {
                return "two files are \(file.name.text)"
            }
            var above = id
            for _ in 0...files.count {
                guard let file = files[above] else { break }
                if file.parent == above { break }
                above = file.parent
            }
            guard files[above]?.parent == above else { return "\(id) is below itself" }
        }
        return nil
    }
}

extension SmallTree: PurgeView {
    package func facts(_ id: FileID) -> FileFacts? {
        files[id].map(FileFacts.init(of:))
    }

    package func undeletedChild(of parent: FileID, tagged tag: Hash256) -> FileID? {
        files.first { id, file in
            file.parent == parent && id != parent && !file.isDeleted
                && FileFacts.tag(of: file) == tag
        }?.key
    }

    package func children(of folder: FileID) -> [FileID] {
        files.values.filter { $0.parent == folder && $0.id != folder }.map(\.id).sorted()
    }
}

extension FileFacts {
    /// What a server sees; the tag of a short name is the name itself, for speed.
    init(of file: File) {
        self.init(
            owner: file.author,
            id: file.id,
            parent: file.parent,
            type: file.type,
            scope: file.scope,
            epoch: file.epoch,
            parentEpoch: file.parentEpoch,
            nameTag: Self.tag(of: file),
            isDeleted: file.isDeleted,
            blob: nil,
            author: file.author,
            device: file.device
        )
    }

    static func tag(of file: File) -> Hash256 {
        let name = file.name.bytes
        let padding = [UInt8](repeating: 0, count: max(0, 32 - name.count))
        return Hash256(name + padding) ?? Hash256(sha256: name)
    }
}

/// This device's tree and the one agreed with the server, as a merge asks for them.
package struct SmallView: MergeView {
    package let local: SmallTree
    package let agreed: SmallTree

    package init(local: SmallTree, agreed: SmallTree) {
        self.local = local
        self.agreed = agreed
    }

    package func file(_ id: FileID) -> File? { local.files[id] }
    package func base(_ id: FileID) -> File? { agreed.files[id] }
    package func child(named name: FileName, of folder: FileID) -> FileID? {
        local.child(named: name, of: folder)
    }
}
