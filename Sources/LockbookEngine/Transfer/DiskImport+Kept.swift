/// Puts down what is known of the files of the disk, beside what is taken in of them.
extension DiskImport {
    /// About what a note costs besides its words.
    private static let noteBytes = 1_024

    /// What is to be put down along with files that are taken in: an import that is killed then knows
    /// them the next time.
    ///
    /// It is put down folder by folder, each as a whole, so it waits until as much was taken in of the
    /// folder as that is: a large flat one is not written again for each few of its files.
    /// - Parameter files: those that are taken in, and how large they are.
    mutating func due(_ files: [(mark: ImportedMark, bytes: Int)]) -> [ImportedKey: ImportedFolder]
    {
        for (mark, bytes) in files { learned[mark.key, default: 0] += bytes + Self.noteBytes }
        var due: [ImportedKey: ImportedFolder] = [:]
        for (mark, _) in files where due[mark.key] == nil {
            let folder = remembered[mark.key] ?? ImportedFolder()
            guard learned[mark.key, default: 0] >= folder.byteCount else { continue }
            learned[mark.key] = 0
            due[mark.key] = folder
        }
        return due
    }

    /// Puts down what is due in the transaction that takes the files in, where that is of the store
    /// which remembers them.
    func put(_ due: [ImportedKey: ImportedFolder], in tree: LocalTree) throws {
        if !store.context.isForeign { try tree.remember(unkept(due)) }
    }

    /// Goes on from what is due, and puts it down where it was not.
    mutating func keep(_ due: [ImportedKey: ImportedFolder]) throws {
        let unkept = unkept(due)
        if store.context.isForeign, !unkept.isEmpty {
            try memory.write { try $0.remember(unkept) }
        }
        for (key, folder) in unkept { before[key] = folder }
    }

    private func unkept(_ folders: [ImportedKey: ImportedFolder]) -> [ImportedKey: ImportedFolder] {
        folders.filter { before[$0.key] != $0.value }
    }

    /// Puts down what was learned; nothing when all was known.
    mutating func keepMemory() throws {
        let changed = unkept(remembered)
        if !changed.isEmpty { try memory.write { try $0.remember(changed) } }
        (remembered, before, learned) = ([:], [:], [:])
    }
}
