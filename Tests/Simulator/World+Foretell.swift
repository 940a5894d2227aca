import LockbookEngine

extension World {
    /// What a dry run said of the sync that follows: a report, or why it does not come to its end.
    enum Foretold {
        case report(SyncReport)
        case failure(LockbookError)
    }

    /// What a sync would do, by a dry run that must change nothing.
    func rehearse(_ device: SimulatedDevice, _ options: SyncOptions) async throws -> Foretold? {
        guard let lockbook = device.lockbook else { return nil }
        var options = options
        options.isDryRun = true
        let (held, areWhole) = try device.holdShares()
        let operations = device.folder.operations
        device.requests = 0
        let foretold: Foretold
        do {
            foretold = .report(try await lockbook.sync(options))
        } catch let error as LockbookError {
            foretold = .failure(error)
        }
        tally.count("dry runs")
        try require(
            !areWhole || device.folder.operations == operations,
            "device \(device.number): a dry run wrote something"
        )
        withExtendedLifetime(held) {}
        return foretold
    }

    /// The sync did what its dry run had said.
    /// - Parameter failure: why the sync did not come to its end; nil when it did.
    func check(
        _ foretold: Foretold?,
        against report: SyncReport?,
        _ failure: LockbookError?,
        _ device: SimulatedDevice
    ) throws {
        switch (foretold, report, failure) {
        case (nil, _, _): return
        case (.report(let said), let did?, _) where said.agrees(with: did): return
        case (.failure(let said), nil, let did?) where said == did:
            tally.count("dry runs that foretold a failure")
        case (.report(let said), let did?, _):
            try require(
                false,
                "device \(device.number): a dry run said \(said), the sync did \(did)"
            )
        default:
            try require(
                false,
                "device \(device.number): a dry run said \(foretold.debugDescription), the sync did "
                    + "\(report.debugDescription), failed with \(failure.debugDescription)"
            )
        }
    }
}
