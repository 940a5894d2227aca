import LockbookEngine

extension World {
    private static let folderNames = ["x", "y", "z", "w"]
    private static let textNames = ["a.md", "b.md", "c.txt", "e.json"]

    /// Something that a user does on one device.
    /// - Returns: whether it was acknowledged.
    @discardableResult
    func edit(_ device: SimulatedDevice, _ kind: Event.Kind, _ draw: inout Draw) async throws
        -> Bool
    {
        guard let lockbook = device.lockbook else { return false }
        sequence += 1
        let before = oracle
        let happeningsBefore = happenings
        // Nothing happened, so nothing was taken out; but while a server was asked something else may
        // have happened, and that counts.
        func takeBack() {
            if happenings == happeningsBefore { oracle = before }
        }
        do {
            let files = try visible(lockbook)
            let done = try await perform(kind, device, lockbook, files, &draw)
            trace("  \(done ?? "nothing to do it to")")
            tally.count(done == nil ? "edits without anything to edit" : "edit \(kind.rawValue)")
            return done != nil
        } catch let error as LockbookError {
            trace("  \(device.plain(error))")
            switch error {
            case .exists, .notFound, .intoItself, .notAFolder, .notADocument, .contentNotHere,
                .contentGone,
                .badName:
                takeBack()
                tally.count("edits refused")
            case .store, .io, .contentNotKept:
                try require(
                    device.folder.isDead || device.folder.failures > 0,
                    "device \(device.number): \(kind) failed with \(error)"
                )
            case .offline, .unavailable: tally.count("edits refused")
            default:
                try require(
                    plan.isSharing && (error.isRefusalToShare || isOfDeletedAccount(error))
                        || plan.hasCommands && error.isRefusalOfCommand(isSharing: plan.isSharing),
                    "device \(device.number): \(kind) failed with \(error)"
                )
                takeBack()
                tally.count("refused \(kind.rawValue)")
            }
            return false
        }
    }

    /// - Returns: what was done; nil when there was nothing to do it to.
    private func perform(
        _ kind: Event.Kind,
        _ device: SimulatedDevice,
        _ lockbook: Lockbook,
        _ files: [FileInfo],
        _ draw: inout Draw
    ) async throws -> String? {
        if kind.isCommand { return try await command(kind, device, lockbook, files, &draw) }
        if kind.isDisk { return try await disk(kind, device, lockbook, files, &draw) }
        if kind.isSharing { return try await share(kind, device, lockbook, files, &draw) }
        let folders = [""] + files.filter { $0.type != .document }.map(\.path)
        let documents = files.filter { $0.type == .document }
        let folder = draw.pick(folders) ?? ""
        let newName = "\(folder)/\(draw.pick(Self.textNames) ?? "")"
        switch kind {
        case .create:
            _ = try lockbook.create(path: newName)
            return "create \(newName)"
        case .createFolder:
            let path = "\(folder)/\(draw.pick(Self.folderNames) ?? "")"
            _ = try lockbook.create(path: path + "/")
            return "create \(path)/"
        case .write:
            if let there = try existing(newName, documents, lockbook) {
                return try await change(there, device, lockbook, &draw)
            }
            return try write(newDocument: newName, device, lockbook, &draw)
        case .writeBytes:
            return try await writeBytes("\(folder)/d.bin", device, lockbook, documents)
        case .writeLarge:
            let path = "\(folder)/\(draw.once(in: 2) ? "large.txt" : "large.bin")"
            return try await writeLarge(path, device, lockbook, documents, &draw)
        case .append:
            guard let document = pickText(documents, device, &draw) else { return nil }
            return try append(to: document, device, lockbook, &draw)
        case .change:
            guard let document = pickText(documents, device, &draw) else { return nil }
            return try await change(document, device, lockbook, &draw)
        case .replace:
            guard let document = draw.pick(documents) else { return nil }
            guard try await noteReplaced(document, device, lockbook) else { return nil }
            return try write(newDocument: document.path, device, lockbook, &draw)
        default:
            return try await arrange(kind, device, lockbook, files, &draw)
        }
    }

    /// While its sync waits for an answer mostly what that sync is about, as somebody does who
    /// goes on typing.
    private func pickText(
        _ documents: [FileInfo],
        _ device: SimulatedDevice,
        _ draw: inout Draw
    ) -> FileInfo? {
        let changed = device.isSyncing ? documents.filter(\.isChanged) : []
        if changed.isEmpty || draw.once(in: 3) {
            return draw.pick(plan.isNarrow ? Array(documents.prefix(3)) : documents)
        }
        return draw.pick(changed)
    }

    // MARK: Places

    private func arrange(
        _ kind: Event.Kind,
        _ device: SimulatedDevice,
        _ lockbook: Lockbook,
        _ files: [FileInfo],
        _ draw: inout Draw
    ) async throws -> String? {
        let folders = files.filter { $0.type == .folder }
        // Folders more often than there are of them: what moves with them is more than one file.
        let some = draw.once(in: 2) && !folders.isEmpty ? folders : files
        guard let file = draw.pick(some) else { return nil }
        let names = file.type == .folder ? Self.folderNames : Self.textNames
        let name = draw.pick(names) ?? ""
        let places = plan.isSharing ? files.filter { $0.type != .document } : folders
        let folder = draw.pick(["/"] + places.map(\.path)) ?? "/"
        let place = folder == "/" ? "/\(name)" : "\(folder)/\(name)"
        switch kind {
        case .move:
            return try move(file, to: folder, on: device, lockbook, files)
        case .rename:
            _ = try lockbook.rename(.path(file.path), to: name)
            return "rename \(file.path) to \(name)"
        case .copy:
            guard files.count < 60 else { return nil }
            _ = try lockbook.copy([.path(file.path)], to: place)
            return "copy \(file.path) to \(place)"
        case .delete:
            // Documents mostly: a tree of which folders vanish all the time stays small.
            let documents = files.filter { $0.type == .document }
            guard let file = draw.once(in: 3) ? file : draw.pick(documents) else { return nil }
            return try await delete(file, device, lockbook, files)
        default: return nil
        }
    }

    func delete(
        _ file: FileInfo,
        _ device: SimulatedDevice,
        _ lockbook: Lockbook,
        _ files: [FileInfo]
    ) async throws -> String {
        let below = files.thatGo(with: file)
        let kept = try keptInTrash(on: device)
        for document in below
        where document.type == .document && document.isHere && !kept.contains(document.id) {
            if let bytes = try await read(document, device, lockbook) {
                oracle.remove(Oracle.tokens(in: bytes))
            }
        }
        oracle.willDelete(below.map(\.id))
        _ = try lockbook.delete([.path(file.path)])
        // A link stands for the document behind it.
        let top = files.first { $0.path == file.path } ?? file
        noteDeletion(of: top.id, on: device)
        return "delete \(file.path) \(top.id)"
    }
}
