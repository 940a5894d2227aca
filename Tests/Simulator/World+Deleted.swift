import LockbookEngine

extension World {
    /// Somebody deletes an account for good, with all that it shares.
    ///
    /// A new device of the account does it: what that sees is what the server has of the account, and may be
    /// gone then. What others wrote and did not send is not in it, and has to stay theirs.
    func deleteAccount(of account: Int, _ draw: inout Draw) async throws {
        // One has to stay of which the promises can be asked.
        guard deletedAccounts.count + 1 < accounts.count, deletedAccounts[account] == nil else {
            return
        }
        let device = makeDevice(of: account)
        try await join(device)
        guard let lockbook = device.lockbook else { return }
        var options = SyncOptions()
        options.acceptDeletions = true
        options.full = true
        _ = try await lockbook.sync(options)
        oracle.remove(try await ownWords(of: device))
        for other in devices where other.account == account {
            oracle.remove(try await unsentWords(of: other))
        }
        let isCut = draw.once(in: 3)
        if isCut {
            device.requests = 0
            device.interruptions = [
                Interruption(
                    request: 0,
                    happening: .fault(draw.once(in: 2) ? .serverKilled : .answerLost),
                    draw: draw.next()
                )
            ]
        }
        do {
            try await lockbook.deleteAccount()
        } catch LockbookError.deletionUnknown where isCut {
            tally.count("account deletions without an answer")
            device.interruptions = []
            try await lockbook.deleteAccount()
        }
        device.interruptions = []
        deletedAccounts[account] = sequence
        tally.count("accounts deleted")
        trace("  the account of \(Self.usernames[account]) is deleted")
    }

    /// The words in what an account itself has, live and in the trash: nothing of what others share with it.
    private func ownWords(of device: SimulatedDevice) async throws -> Set<Int> {
        guard let lockbook = device.lockbook else { return [] }
        var words = try await wordsInTrash(of: device)
        for file in try lockbook.list(.path("/"), recursive: true).own
        where file.type == .document {
            var bytes: [UInt8] = []
            try await lockbook.read(.id(prefix: file.id)) { bytes += $0 }
            words.formUnion(Oracle.tokens(in: bytes))
        }
        return words
    }

    /// The words of a device that no server may have, or that it has of its account alone.
    private func unsentWords(of device: SimulatedDevice) async throws -> Set<Int> {
        let late = oracle.tokens.filter {
            $0.device == device.number && $0.sequence > device.syncedUpTo
        }
        var words = Set(late.map(\.number))
        guard let lockbook = device.lockbook else { return words }
        let files = try visible(lockbook)
        let own = Set(files.own.map(\.id))
        for file in files where file.type == .document && file.isHere {
            guard file.isChanged || own.contains(file.id) else { continue }
            var bytes: [UInt8] = []
            try await lockbook.read(.id(prefix: file.id)) { bytes += $0 }
            words.formUnion(Oracle.tokens(in: bytes))
        }
        return words
    }

    /// Whether a word was written when the account of its device was gone.
    func wasWrittenTooLate(_ token: Oracle.Token) -> Bool {
        deletedAccounts[devices[token.device].account].map { token.sequence > $0 } ?? false
    }

    /// What somebody is told whose account was deleted, or about whom that was.
    func isOfDeletedAccount(_ error: LockbookError) -> Bool {
        switch error {
        case .accountDeleted, .ownerDeleted, .userDeleted: !deletedAccounts.isEmpty
        default: false
        }
    }

    /// Whether the account of a device was deleted, so that it syncs no more.
    func isDeleted(_ device: SimulatedDevice) -> Bool { deletedAccounts[device.account] != nil }

    /// The devices whose accounts are there.
    var liveDevices: [SimulatedDevice] { devices.filter { !isDeleted($0) } }

    /// The accounts that nobody deleted.
    var liveAccounts: [Int] { accounts.filter { deletedAccounts[$0] == nil } }

    /// The devices of deleted accounts keep what they have, whole, and come to no server any more.
    func checkDeletedDevices() async throws {
        var draw = Draw(0)
        for device in devices where isDeleted(device) {
            let before = try listing(device)
            let report = try await sync(device, [], &draw)
            try require(report == nil, "device \(device.number) synced a deleted account")
            try require(
                try listing(device) == before,
                "device \(device.number) of a deleted account has other files after a sync"
            )
            let problems = try device.lockbook?.validate() ?? []
            try require(problems.isEmpty, "device \(device.number): \(problems.prefix(3))")
        }
    }
}
