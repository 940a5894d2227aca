import LockbookEngine

extension World {
    /// Something that somebody does who shares, or with the trash.
    /// - Returns: what was done; nil when there was nothing to do it to.
    func share(
        _ kind: Event.Kind,
        _ device: SimulatedDevice,
        _ lockbook: Lockbook,
        _ files: [FileInfo],
        _ draw: inout Draw
    ) async throws -> String? {
        switch kind {
        case .share: return try await shareNew(device, lockbook, files, &draw)
        case .accept: return try await accept(device, lockbook, files, &draw)
        case .reject:
            guard let offer = draw.pick(try lockbook.offers()) else { return nil }
            try lockbook.rejectShare(id: offer.id)
            return "reject \(offer.name) \(offer.id)"
        case .leave:
            guard let link = draw.pick(files.links) else { return nil }
            try lockbook.leaveShare(.path(link.path))
            noteDeletion(of: link.id, on: device)
            return "leave \(link.path) \(link.id)"
        case .shareMode: return try setShare(to: mode(&draw), lockbook, files, &draw)
        case .revoke: return try setShare(to: nil, lockbook, files, &draw)
        case .deleteLink:
            guard let link = draw.pick(files.links) else { return nil }
            return try await delete(link, device, lockbook, files)
        case .deleteShared:
            guard let file = draw.pick(files.own.filter { $0.isShared == true }) else { return nil }
            return try await delete(file, device, lockbook, files)
        case .moveOut, .moveIn: return try cross(kind, device, lockbook, files, &draw)
        case .moveShared: return try moveShared(device, lockbook, files, &draw)
        case .transfer: return try transfer(lockbook, &draw)
        case .cancelTransfer: return try cancelTransfer(lockbook, &draw)
        default: return try await trash(kind, device, lockbook, files, &draw)
        }
    }

    private func mode(_ draw: inout Draw) -> ShareRight {
        draw.weighted([(3, .write), (2, .read), (1, .admin)])
    }

    /// Mostly a folder of one's own; sometimes what may not be shared, or by somebody else.
    private func shareNew(
        _ device: SimulatedDevice,
        _ lockbook: Lockbook,
        _ files: [FileInfo],
        _ draw: inout Draw
    ) async throws -> String? {
        let folders = files.own.filter { $0.type == .folder }
        let some = draw.weighted([(6, folders), (2, files.own), (1, files.links), (1, files)])
        let others = Self.usernames[accounts].enumerated()
            .filter { $0.offset != device.account }.map(\.element)
        guard let file = draw.pick(some), let user = draw.pick(others) else { return nil }
        let mode = mode(&draw)
        _ = try await lockbook.share(.path(file.path), with: user, mode: mode)
        return "share \(file.path) \(file.id) with \(user) to \(mode)"
    }

    private func accept(
        _ device: SimulatedDevice,
        _ lockbook: Lockbook,
        _ files: [FileInfo],
        _ draw: inout Draw
    ) async throws -> String? {
        if plan.hasTransfers, let taken = try await takeOver(device, lockbook, files, &draw) {
            return taken
        }
        guard let offer = draw.pick(try lockbook.offers().filter { !$0.transfer }) else {
            return nil
        }
        let folder = draw.pick(files.own.filter { $0.type == .folder })
        let place = draw.once(in: 3) ? folder?.path : nil
        let link = try lockbook.acceptShare(id: offer.id, to: place)
        // What it has he takes, also what he had deleted when it had left another share.
        let taken = (try? lockbook.list(.path(link.path), recursive: true)) ?? []
        restore(taken.map(\.id)) { $0 == device.account }
        return "accept \(offer.name) \(offer.id) as \(link.path) \(link.id)"
    }

    /// Another mode, or none, by the owner or by an admin.
    private func setShare(
        to mode: ShareRight?,
        _ lockbook: Lockbook,
        _ files: [FileInfo],
        _ draw: inout Draw
    ) throws -> String? {
        var shares = try lockbook.shares()
        if draw.once(in: 4), let link = draw.pick(files.links) {
            shares = try lockbook.shares(of: .path(link.path))
        }
        guard let share = draw.pick(shares) else { return nil }
        try lockbook.setShare(.path(share.path), of: share.username, to: mode)
        return "\(mode.map { "\($0)" } ?? "nothing") for \(share.username) of \(share.path)"
    }

    /// What moves out of what this account shares, or into it.
    private func cross(
        _ kind: Event.Kind,
        _ device: SimulatedDevice,
        _ lockbook: Lockbook,
        _ files: [FileInfo],
        _ draw: inout Draw
    ) throws -> String? {
        let tops = files.own.filter { $0.isShared == true }
        func isInside(_ file: FileInfo) -> Bool {
            tops.contains { file.path.hasPrefix($0.path + "/") }
        }
        func isOutside(_ file: FileInfo) -> Bool {
            file.isShared != true && !isInside(file)
        }
        let isOut = kind == .moveOut
        let files = files.own
        let movable = files.filter(isOut ? isInside : isOutside)
        let places =
            isOut
            ? ["/"] + files.filter { isOutside($0) && $0.type == .folder }.map(\.path)
            : files.filter { !isOutside($0) && $0.type == .folder }.map(\.path)
        guard let file = draw.pick(movable),
            let place = draw.pick(places.filter { !file.holds($0) })
        else { return nil }
        return try move(file, to: place, on: device, lockbook, files)
    }

    /// What is shared by itself, or has such in it, moves into another share or out of one.
    private func moveShared(
        _ device: SimulatedDevice,
        _ lockbook: Lockbook,
        _ files: [FileInfo],
        _ draw: inout Draw
    ) throws -> String? {
        let files = files.own
        let shared = files.filter { $0.isShared == true }
        let folders = files.filter { file in
            file.isShared != true && shared.contains { $0.path.hasPrefix(file.path + "/") }
        }
        guard let file = draw.pick(draw.weighted([(3, shared), (1, folders)])) else { return nil }
        let places = ["/"] + files.filter { $0.type == .folder }.map(\.path)
        let from = files.share(around: file.path, besides: file)
        let others = places.filter {
            !file.holds($0) && files.share(around: $0, besides: file) != from
        }
        guard let place = draw.pick(others) else { return nil }
        return try move(file, to: place, on: device, lockbook, files)
    }

    /// From one account's tree into another one's a file is made anew, and deleted where it was.
    func move(
        _ file: FileInfo,
        to place: String,
        on device: SimulatedDevice,
        _ lockbook: Lockbook,
        _ files: [FileInfo]
    ) throws -> String {
        let moved = try lockbook.move([.path(file.path)], to: place)
        // A link stands for the document behind it.
        let top = files.first { $0.path == file.path } ?? file
        let isNew = moved.contains { $0.file.id != top.id }
        if isNew {
            tally.count("moved to another tree")
            oracle.willDelete(files.thatGo(with: file).map(\.id))
            noteDeletion(of: top.id, on: device)
        } else {
            noteMove(of: file, to: place, on: device, files)
        }
        return "move \(file.path) \(top.id) to \(place)\(isNew ? ", made anew" : "")"
    }

    /// What its owner moves into a share may be there again for members who had deleted it when it
    /// had left that share.
    private func noteMove(
        of file: FileInfo,
        to place: String,
        on device: SimulatedDevice,
        _ files: [FileInfo]
    ) {
        let own = files.own
        let (from, to) = (
            own.share(around: file.path, besides: file), own.share(around: place, besides: file)
        )
        guard from != to else { return }
        let moved = files.thatGo(with: file)
        if moved.contains(where: { $0.isShared == true }) {
            switch (from, to) {
            case (nil, _): tally.count("moved a share into another")
            case (_, nil): tally.count("moved a share out of another")
            default: tally.count("moved a share between two")
            }
        }
        guard to != nil else { return }
        for file in moved { movesIn[file.id] = (device.number, sequence) }
        restore(moved.map(\.id)) { $0 != device.account }
    }

    /// These files may be there again for some of the accounts that deleted them.
    private func restore(_ files: [String], for isMeant: (Int) -> Bool) {
        for id in files {
            guard let deletion = oracle.deletions[id], isMeant(devices[deletion.device].account)
            else { continue }
            oracle.didRestore(id)
        }
    }
}

extension FileInfo {
    /// Whether a path is this file's, or below it.
    fileprivate func holds(_ other: String) -> Bool {
        other == path || other.hasPrefix(path + "/")
    }
}

extension [FileInfo] {
    var links: [FileInfo] { filter { $0.type == .link } }

    /// What is this account's, and no link.
    var own: [FileInfo] {
        let links = links
        return filter { file in
            file.type != .link
                && !links.contains { file.path == $0.path || file.path.hasPrefix($0.path + "/") }
        }
    }

    /// The innermost share that a place is in, without what moves.
    fileprivate func share(around path: String, besides moved: FileInfo) -> String? {
        filter { $0.isShared == true && $0.id != moved.id && $0.holds(path) }
            .max { $0.path < $1.path }?.path
    }

    /// What goes when a file is deleted: with it all below, but nothing behind a link.
    func thatGo(with file: FileInfo) -> [FileInfo] {
        let links = links.filter {
            $0.path == file.path || $0.path.hasPrefix(file.path + "/")
        }
        return filter { other in
            guard other.path == file.path || other.path.hasPrefix(file.path + "/") else {
                return false
            }
            return other.type == .link
                || !links.contains { other.path == $0.path || other.path.hasPrefix($0.path + "/") }
        }
    }
}

extension LockbookError {
    /// What somebody is told who may not do what he wants, or when there is nothing to do it to.
    var isRefusalToShare: Bool {
        switch self {
        case .readOnly, .ownersToChange, .ownersToShare, .shareBorder, .badShare, .notShared,
            .noOffer, .notInTrash, .ambiguous, .noSuchUser, .root, .refused, .leadsNowhere,
            .shareEnded, .notSyncedYet, .badTransfer, .acceptedAlready:
            true
        default: false
        }
    }
}

extension World {
    /// A file must not come back, but where somebody may restore it without knowing.
    func noteDeletion(of file: String, on device: SimulatedDevice) {
        guard !oracle.restored.contains(file) else { return }
        oracle.didDelete(file, on: device.number, at: sequence)
        // What its owner had moved out before, and moves back, is there again for who saw neither.
        guard let move = movesIn[file] else { return }
        let owner = devices[move.device]
        let isSeen = owner.syncedUpTo > move.sequence && device.syncedUpTo >= owner.syncedUpTo
        if owner.account != device.account, !isSeen { oracle.didRestore(file) }
    }
}
