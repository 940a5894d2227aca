import LockbookEngine

extension World {
    private static let most = 5

    /// What happens to devices and server besides the network.
    func trouble(_ device: SimulatedDevice, _ event: Event, _ draw: inout Draw) async throws {
        switch event.kind {
        case .killServer:
            tally.count("server killed")
            try server.crash(seed: draw.next())
        case .away:
            // Longer than the retention, so that what a device is sent begins with a checkpoint.
            tally.count("away for long")
            clock.advance(by: Int64(SimulatedServer.retentionDays + 10) * 86_400_000)
            try await server.collect()
        case .wrongClock:
            tally.count("clock set wrong")
            device.clockError.value = Int64(draw.below(40) - 20) * 600_000
        case .duplicate:
            guard devices.count < Self.most else { return }
            tally.count("data folder copied to another machine")
            let copy = makeDevice(
                of: device.account,
                try device.folder.copy("\(name)-copy-\(devices.count)")
            )
            try copy.open()
            copy.syncedUpTo = device.syncedUpTo
        case .deleteAccount: try await deleteAccount(of: device.account, &draw)
        default:
            // The rest is done to a process that waits for nothing.
            if device.isSyncing { return }
            try await trouble(idle: device, event, &draw)
        }
    }

    private func trouble(idle device: SimulatedDevice, _ event: Event, _ draw: inout Draw)
        async throws
    {
        switch event.kind {
        case .restart:
            tally.count("restart")
            try device.restart()
        case .kill: try kill(device, &draw)
        case .killWhileEditing:
            device.folder.die(atOperation: UInt64(1 + draw.below(25)))
            try await editAnyhow(device, &draw)
            if device.folder.isDead { tally.count("device killed in an edit") }
            try kill(device, &draw)
        case .killWhileSyncing:
            device.folder.die(atOperation: UInt64(1 + draw.below(60)))
            try await sync(device, [], &draw)
            device.folder.spare()
        case .fullDisk: try await fill(device, &draw)
        case .backUp:
            tally.count("backup")
            try device.keepBackup(step: sequence)
        case .putBack:
            guard let backup = device.backup else { return }
            tally.count("older data folder put back")
            oracle.putBack(
                device: device.number,
                from: backup.step,
                syncedUpTo: device.syncedUpTo
            )
            try device.restoreBackup()
        default: break
        }
    }

    private func editAnyhow(_ device: SimulatedDevice, _ draw: inout Draw) async throws {
        var kinds: [Event.Kind] = [
            .write, .write, .append, .change, .change, .createFolder, .move, .rename, .delete,
            .copy,
        ]
        if plan.isSharing {
            kinds += [
                .share, .accept, .revoke, .moveOut, .moveIn, .moveShared, .leave, .restore,
                .emptyTrash,
            ]
        }
        if plan.hasTransfers { kinds += [.transfer, .accept, .accept] }
        if plan.hasDisk { kinds += [.mirror, .mirror, .importFolder] }
        if plan.hasCommands { kinds += [.undo, .undo, .restoreVersion, .resolve, .restore] }
        try await edit(device, draw.pick(kinds) ?? .write, &draw)
    }

    /// The process dies between two things that it does: all that it acknowledged has to be there.
    private func kill(_ device: SimulatedDevice, _ draw: inout Draw) throws {
        tally.count("device killed")
        let wasDead = device.folder.isDead
        let before = wasDead ? nil : try listing(device)
        try device.crash(seed: draw.next())
        guard let before else { return }
        try require(
            try listing(device) == before,
            "device \(device.number): what was acknowledged is not there after a crash"
        )
    }

    /// One write finds no space: what failed has changed nothing.
    private func fill(_ device: SimulatedDevice, _ draw: inout Draw) async throws {
        let before = try tree(device)
        let failures = device.folder.failures
        device.folder.fill(atOperation: UInt64(1 + draw.below(12)))
        let kind: Event.Kind = draw.once(in: 2) ? .write : .change
        let isDone = try await edit(device, kind, &draw)
        device.folder.spare()
        guard device.folder.failures > failures else { return }
        tally.count("disk full")
        if !isDone {
            try require(
                try tree(device) == before,
                "device \(device.number): an edit that found no space has changed something"
            )
        }
    }

    /// What users see, but for which contents are here: reading one may have fetched it.
    private func tree(_ device: SimulatedDevice) throws -> [FileInfo] {
        try listing(device).map { file in
            var file = file
            file.isHere = true
            return file
        }
    }

    func listing(_ device: SimulatedDevice) throws -> [FileInfo] {
        try device.lockbook?.list(.path("/"), recursive: true) ?? []
    }
}
