import GRDB
import LockbookCrypto
import LockbookModel

/// What earlier exports wrote at a place, folder by folder.
struct ExportMemory: Sendable {
    /// By their paths below the place.
    var folders: PathMap<ExportedFolder> = [:]
    /// How each folder stands in the store, to write only what changed.
    var encoded: PathMap<[UInt8]> = [:]

    init() {}

    /// Opens what the store has, on all cores.
    init(opening rows: [SealedMemory], with key: DeviceKey) throws {
        let keys = MemoryKeys.exports(key)
        let opened = try concurrentMap(rows) { row -> (ExportedFolder, [UInt8])? in
            // What does not open spares no question; nothing else depends on it.
            guard let bytes = try? keys.sealing.open(row.sealed, bound: row.path),
                let folder = try? ExportedFolder(decoding: bytes)
            else { return nil }
            return (folder, bytes)
        }
        for case (let folder, let bytes)? in opened {
            folders[folder.path] = folder
            encoded[folder.path] = bytes
        }
    }
}

/// One remembered folder as the database has it.
struct SealedMemory: Sendable {
    /// A digest of the folder's path.
    let path: [UInt8]
    let sealed: [UInt8]
}

/// The keys under which this device remembers what it wrote to the disk and read from it.
struct MemoryKeys: Sendable {
    let sealing: LocalKey
    fileprivate let path: LocalKey

    static func exports(_ key: DeviceKey) -> MemoryKeys {
        MemoryKeys(sealing: key.key(for: "exported"), path: key.key(for: "exported-path"))
    }

    static func imports(_ key: DeviceKey) -> MemoryKeys {
        MemoryKeys(sealing: key.key(for: "imported"), path: key.key(for: "imported-path"))
    }

    /// A path as the database may see it: a digest.
    func hidden(_ path: [UInt8]) -> [UInt8] { self.path.tag(path).bytes }
}

extension LocalTree {
    /// What earlier exports wrote at a place, sealed.
    func exported(at identity: [UInt8]) throws -> [SealedMemory] {
        let keys = MemoryKeys.exports(account.deviceKey)
        var found: [SealedMemory] = []
        let rows = try Row.fetchCursor(
            db,
            sql: "SELECT path, sealed FROM exported WHERE destination = ?",
            arguments: [keys.hidden(identity).data]
        )
        while let row = try rows.next() {
            found.append(SealedMemory(path: row.bytes(0), sealed: row.bytes(1)))
        }
        return found
    }

    /// What earlier exports wrote into one folder of a place, sealed.
    func exported(at identity: [UInt8], folder path: String) throws -> [SealedMemory] {
        let keys = MemoryKeys.exports(account.deviceKey)
        return try Row.fetchAll(
            db,
            sql: "SELECT path, sealed FROM exported WHERE destination = ? AND path = ?",
            arguments: [keys.hidden(identity).data, keys.hidden(Array(path.utf8)).data]
        ).map { SealedMemory(path: $0.bytes(0), sealed: $0.bytes(1)) }
    }

    /// What is noted of a place on disk besides its folders, by a name that no folder has.
    func exportNote(_ name: String, at identity: [UInt8]) throws -> [UInt8]? {
        let keys = MemoryKeys.exports(account.deviceKey)
        guard let row = try exported(at: identity, folder: name).first else { return nil }
        return try? keys.sealing.open(row.sealed, bound: row.path)
    }

    func putExportNote(_ note: [UInt8], _ name: String, at identity: [UInt8]) throws {
        let keys = MemoryKeys.exports(account.deviceKey)
        let path = keys.hidden(Array(name.utf8))
        let sealed = try keys.sealing.seal(note, bound: path, random: environment.random)
        try db.execute(
            sql: "INSERT OR REPLACE INTO exported (destination, path, sealed) VALUES (?, ?, ?)",
            arguments: [keys.hidden(identity).data, path.data, sealed.data]
        )
    }

    /// Puts down what an export wrote into folders, and forgets others.
    func remember(
        _ folders: [ExportedFolder],
        forgetting forgotten: [String],
        at identity: [UInt8]
    ) throws {
        let keys = MemoryKeys.exports(account.deviceKey)
        let destination = keys.hidden(identity)
        let replace = try db.cachedStatement(
            sql: "INSERT OR REPLACE INTO exported (destination, path, sealed) VALUES (?, ?, ?)"
        )
        let forget = try db.cachedStatement(
            sql: "DELETE FROM exported WHERE destination = ? AND path = ?"
        )
        for folder in folders {
            let key = keys.hidden(Array(folder.path.utf8))
            let sealed = try keys.sealing.seal(
                folder.encoded(),
                bound: key,
                random: environment.random
            )
            try replace.run(destination.data, key.data, sealed.data)
        }
        for path in forgotten {
            try forget.run(destination.data, keys.hidden(Array(path.utf8)).data)
        }
    }

    /// By what it shows that nothing changed in a folder: how each block of its index begins.
    ///
    /// A block is sealed under a nonce of its own, drawn whenever it is written.
    func directoryStamps() throws -> [ExportedID: [UInt8]] {
        var stamps: [ExportedID: [UInt8]] = [:]
        let rows = try Row.fetchCursor(
            db,
            sql: "SELECT folder, substr(sealed, 1, 16) FROM directory"
        )
        while let row = try rows.next() {
            guard let folder = FileID(row.bytes(0)) else { continue }
            stamps[ExportedID(folder, of: owner), default: []].append(contentsOf: row.bytes(1))
        }
        return stamps
    }
}
