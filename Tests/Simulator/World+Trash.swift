import GRDB
import LockbookEngine

extension World {
    /// Something that somebody does with the trash.
    /// - Returns: what was done; nil when there was nothing to do it to.
    func trash(
        _ kind: Event.Kind,
        _ device: SimulatedDevice,
        _ lockbook: Lockbook,
        _ files: [FileInfo],
        _ draw: inout Draw
    ) async throws -> String? {
        switch kind {
        case .restore:
            guard let file = draw.pick(try lockbook.trash()) else { return nil }
            let restored: [FileInfo]
            do { restored = try lockbook.restore([.id(prefix: file.id)]) } catch {
                // What was killed may have been done.
                if device.folder.isDead { oracle.didRestore(file.id) }
                throw error
            }
            oracle.didRestore(file.id)
            return "restore \(file.id) to \(restored.map(\.path))"
        case .purge:
            guard let file = draw.pick(files.own) else { return nil }
            return try await purge(file, device, lockbook, files)
        case .emptyTrash:
            // What is purged is looked at first, which a sync would wait for.
            guard !device.isSyncing else { return nil }
            let all = try lockbook.trash()
            guard let one = draw.pick(all) else { return nil }
            let isWhole = draw.once(in: 2)
            let gone = isWhole ? all : all.filter { $0.path.hasPrefix(one.path) }
            oracle.remove(try await wordsInTrash(of: device, gone.map(\.id)))
            oracle.willDelete(gone.map(\.id))
            let unsent = try unsent(gone.map(\.id), on: device)
            let count = try lockbook.emptyTrash(isWhole ? nil : [.id(prefix: one.id)]) ?? 0
            notePurge(of: unsent)
            return "empty the trash of \(count), \(isWhole ? "all" : one.path)"
        default: return nil
        }
    }

    /// What was written there and seen by who purges it is gone, and nothing else.
    private func purge(
        _ file: FileInfo,
        _ device: SimulatedDevice,
        _ lockbook: Lockbook,
        _ files: [FileInfo]
    ) async throws -> String? {
        let gone = files.thatGo(with: file)
        for document in gone where document.type == .document {
            guard let bytes = try await read(document, device, lockbook) else { return nil }
            oracle.remove(Oracle.tokens(in: bytes))
        }
        // What was deleted in it goes with it.
        guard !device.isSyncing else { return nil }
        let trashed = try lockbook.trash().filter { $0.path.hasPrefix(file.path + "/") }
        oracle.remove(try await wordsInTrash(of: device, trashed.map(\.id)))
        oracle.willDelete(gone.map(\.id))
        let unsent = try unsent(gone.map(\.id) + trashed.map(\.id), on: device)
        let count = try lockbook.purge([.path(file.path)]) ?? 0
        noteDeletion(of: file.id, on: device)
        notePurge(of: unsent)
        return "purge \(file.path) \(file.id), \(count) files"
    }

    /// Those of these files of which this device, or a copy of a data folder, does not know that a
    /// server has them.
    private func unsent(_ files: [String], on device: SimulatedDevice) throws -> Set<String> {
        var unsent = Set(files).subtracting(try rows(of: device.folder, "base IS NOT NULL"))
        for other in devices where other.number != device.number {
            for folder in [other.folder, other.backup?.folder].compactMap(\.self) {
                unsent.formUnion(try rows(of: folder, "base IS NULL").intersection(files))
            }
        }
        return unsent
    }

    /// What is in the trash for all devices once it is deleted here, with all its words.
    ///
    /// What no server is known to have leaves nothing; in worlds that share it may be another
    /// account's trash.
    func keptInTrash(on device: SimulatedDevice) throws -> Set<String> {
        plan.isSharing ? [] : try rows(of: device.folder, "base IS NOT NULL")
    }

    private func rows(of folder: SimulatedFolder, _ condition: String) throws -> Set<String> {
        try DatabaseQueue(path: "\(folder.path)/lockbook.db").read { db in
            try String.fetchSet(db, sql: "SELECT lower(hex(id)) FROM file WHERE \(condition)")
        }
    }

    /// What no server is known to have may come back with another copy of the folder.
    private func notePurge(of unsent: Set<String>) {
        guard devices.count > plan.deviceCount || devices.contains(where: { $0.backup != nil })
        else { return }
        for file in unsent { oracle.mayComeBack(file) }
    }

    /// The words in what an account has in its trash, found by taking it out of there in a copy.
    func wordsInTrash(of device: SimulatedDevice, _ only: [String]? = nil) async throws -> Set<Int>
    {
        guard only != [] else { return [] }
        let folder = try device.folder.copy(device.nextName())
        let copy = try Lockbook.open(directory: folder.path, environment: device.environment)
        var words: Set<Int> = []
        for file in try copy.trash(isRecursive: only != nil) where only?.contains(file.id) ?? true {
            do {
                for restored in try copy.restore([.id(prefix: file.id)]) {
                    words.formUnion(try await self.words(in: restored, copy))
                }
            } catch let error as LockbookError where error.isRefusalToShare {
                continue
            }
        }
        return words
    }

    private func words(in file: FileInfo, _ lockbook: Lockbook) async throws -> Set<Int> {
        guard file.type != .link else { return [] }
        var words: Set<Int> = []
        for document in try lockbook.list(.id(prefix: file.id), recursive: true)
        where document.type == .document {
            var bytes: [UInt8] = []
            try await lockbook.read(.id(prefix: document.id)) { bytes += $0 }
            words.formUnion(Oracle.tokens(in: bytes))
        }
        return words
    }
}
