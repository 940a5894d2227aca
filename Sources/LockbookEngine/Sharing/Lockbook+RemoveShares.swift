extension Lockbook {
    /// Changes of this device in what others share that were not synced.
    func unsyncedShares(_ tree: LocalTree) throws -> Int {
        try tree.sharers().reduce(0) { count, owner in
            try count
                + (shared(by: owner)?.store.read {
                    try $0.unsyncedIDs().count + $0.wishes().count
                } ?? 0)
        }
    }
}

extension LocalStore {
    /// Removes what others share from a data directory.
    static func removeShares(in directory: String) throws {
        let path = StoreContext.sharesFolder(in: directory)
        try Disk.each(StoreContext.namesOfSharers(in: directory)) { try remove(path + "/" + $0) }
        Disk.removeFolder(path)
    }

    /// Removes the folder of what another account shares.
    static func remove(_ folder: String) throws {
        try removeDatabase(in: folder)
        try BlobFolder(folder + "/blobs").removeAll()
        Disk.removeFolder(folder)
    }

    static func removeDatabase(in folder: String) throws {
        for name in ["", "-wal", "-shm"] { try Disk.remove("\(folder)/\(fileName)\(name)") }
    }
}
