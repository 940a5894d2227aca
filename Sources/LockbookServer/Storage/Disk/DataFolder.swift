import Synchronization

/// The folder of an embedded server: its database, its blobs, and a lock.
///
///     DATA/lock           held while a server runs
///     DATA/server.sqlite  accounts, logs, records, small blobs
///     DATA/blobs/         large blobs
package struct DataFolder: Sendable {
    package let store: SQLiteStore
    package let blobs: DiskBlobStore
    // Held open, and so locked, as long as the folder is in use.
    private let lock: FolderLock

    /// Makes the folder if need be, for its owner alone, and opens what is in it.
    ///
    /// One that holds something else keeps its mode: it may be everybody's, named by mistake.
    /// - Throws: an `OthersFolder` where others may write into such a one, besides what else keeps a
    ///   server from its folder.
    package init(path: String) throws {
        try SystemFolder.make(path)
        if Self.isOwn(path) {
            try SystemFolder.restrict(path, to: 0o700)
        } else if try SystemFolder.isOpenToOthers(path) {
            throw OthersFolder()
        }
        try SystemFolder.synchronizeName(of: path)
        lock = try FolderLock("\(path)/lock")
        do {
            let database = "\(path)/server.sqlite"
            // A new one would know nobody, and in time what it does not know would be collected.
            if try SystemFile.byteCount(of: database) ?? 0 == 0,
                try DiskBlobStore.holdsContents("\(path)/blobs")
            {
                throw StoreFailure.lostDatabase
            }
            // SQLite gives its other files the mode of this one.
            try SystemFile(database, .making).close()
            try SystemFolder.restrict(database, to: 0o600)
            store = try SQLiteStore(path: database)
            blobs = try DiskBlobStore(folder: "\(path)/blobs")
            // Else a large blob could be gone with its folder after a power cut.
            try SystemFolder.synchronize(path)
        } catch {
            lock.close()
            throw UnreadableDatabase.isCause(of: error) ? StoreFailure.damaged : error
        }
    }

    private static func isOwn(_ path: String) -> Bool {
        let names = (try? SystemFolder.names(in: path)) ?? []
        return names.allSatisfy {
            ["lock", "blobs"].contains($0) || $0.hasPrefix("server.sqlite")
        }
    }

    /// Lets go of the folder; once more, it does nothing.
    package func close() throws {
        guard lock.isHeld else { return }
        try store.close()
        lock.close()
    }
}

/// A folder with something in it into which others may put what a server would take for its own.
package struct OthersFolder: Error, Equatable, CustomStringConvertible {
    package let description =
        "others may write there, and something else is in it: take an empty folder"
}

/// The lock of a folder, let go of once: its descriptor may be another file's afterwards.
private final class FolderLock: Sendable {
    private let file: Mutex<SystemFile?>

    init(_ path: String) throws {
        let file = try SystemFile(path, .making)
        guard file.lock() else {
            file.close()
            throw StoreFailure.inUse
        }
        self.file = Mutex(file)
    }

    var isHeld: Bool { file.withLock { $0 != nil } }

    func close() {
        file.withLock { file in
            file?.unlock()
            file?.close()
            file = nil
        }
    }
}
