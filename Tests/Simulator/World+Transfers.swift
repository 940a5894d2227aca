import LockbookEngine

/// Shares that get other owners.
extension World {
    /// Somebody gives what he shares to one of those that he shares it with.
    func transfer(_ lockbook: Lockbook, _ draw: inout Draw) throws -> String? {
        guard let share = draw.pick(try lockbook.shares()) else { return nil }
        _ = try lockbook.transfer(.path(share.path), to: share.username)
        return "transfer \(share.path) \(share.id) to \(share.username)"
    }

    func cancelTransfer(_ lockbook: Lockbook, _ draw: inout Draw) throws -> String? {
        let given = try lockbook.shares().filter { $0.transfer == true }
        guard let share = draw.pick(given) else { return nil }
        _ = try lockbook.cancelTransfer(.path(share.path))
        return "keep \(share.path) \(share.id)"
    }

    /// Takes what is given: all of it is made anew, in place of the link or in a folder.
    func takeOver(
        _ device: SimulatedDevice,
        _ lockbook: Lockbook,
        _ files: [FileInfo],
        _ draw: inout Draw
    ) async throws -> String? {
        // Contents are fetched, and keys asked for, which a sync would wait for.
        guard !device.isSyncing else { return nil }
        guard let offer = draw.pick(try lockbook.offers().filter(\.transfer)) else { return nil }
        let folder = draw.pick(files.own.filter { $0.type == .folder })
        let place = draw.once(in: 3) ? folder?.path : nil
        let made = try await lockbook.accept(id: offer.id, to: place)
        tally.count("shares taken over")
        return "take over \(offer.name) \(offer.id) as \(made.path) \(made.id)"
    }

    /// What a sync says of a share that has another owner is so.
    func checkTransferred(_ report: SyncReport, _ device: SimulatedDevice) throws {
        for note in report.notes where note.kind == .transferred && note.path.hasPrefix("/") {
            do { _ = try device.lockbook?.list(.path(note.path), recursive: false) } catch {
                try require(
                    false,
                    "device \(device.number): nothing is at \(note.path), which has another owner: \(error)"
                )
            }
        }
    }
}
