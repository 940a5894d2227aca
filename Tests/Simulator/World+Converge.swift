import FoundationEssentials
import GRDB
import LockbookCrypto
import LockbookEngine

extension World {
    /// Faults stop; after two rounds of syncs everything has to be the same everywhere.
    func heal() async throws {
        hasFaults = false
        trace("heal")
        try await deliverLateRequests()
        var draw = Draw(plan.seed, 4)
        for device in devices {
            device.clockError.value = 0
            device.bytes.restart(Draw(plan.seed, 5, UInt64(device.number)))
        }
        // Which one says before what it will do; the others are the first of other worlds.
        let rehearsed = draw.below(devices.count)
        for device in liveDevices {
            try await sync(device, [], &draw, isForetold: device.number == rehearsed)
            // The folder of what became one with another file may have moved with the same sync.
            try await watch()
        }
        if plan.isSharing {
            // What one account does about the last change of another is pushed, and pulled; what has
            // another owner is copied, let go of, and followed.
            for _ in 0..<(plan.hasTransfers ? 6 : 2) {
                for device in liveDevices { try await sync(device, [], &draw) }
            }
        } else {
            // The last one has all that the others pushed.
            for device in devices.dropLast() { try await sync(device, [], &draw) }
        }
        for account in liveAccounts {
            let fresh = makeDevice(of: account)
            try await join(fresh)
            try await sync(fresh, [], &draw)
        }
        let quiet = [draw.below(devices.count), devices.count - 1]
        var live: [Int: [String]] = [:]
        var words: Set<Int> = []
        for account in liveAccounts {
            let (found, foundWords) = try await checkDevices(of: account, quiet: quiet)
            live[account] = found
            words.formUnion(foundWords)
        }
        try checkDeletions(live)
        if plan.isSharing {
            try await checkShares()
            try await checkSharedWords(words)
        } else {
            try await checkWords(words)
        }
        if plan.hasDisk { try await checkMirrors() }
        if !deletedAccounts.isEmpty {
            try await checkDeletedDevices()
            try await server.collect()
        }
        try checkServer()
    }

    /// All devices of an account hold the same.
    /// - Parameter quiet: those that sync once more, with nothing to do.
    private func checkDevices(of account: Int, quiet: [Int]) async throws
        -> ([String], Set<Int>)
    {
        let first = try first(of: account)
        let (expected, words) = try await contents(of: first)
        let records = try records(of: first)
        for line in expected { trace(line) }
        for device in devices where device.account == account {
            // A content that opens is the one whose digest its record has, and `validate` opens all:
            // the bytes themselves are read where they were written first and where they came last.
            if plan.isSharing || device === devices.last {
                let (found, _) = try await contents(of: device)
                try require(
                    found == expected,
                    "device \(device.number) differs from device \(first.number): \(difference(found, expected))"
                )
            }
            try require(
                try self.records(of: device) == records,
                "device \(device.number) has other records than device \(first.number)"
            )
            try check(device)
            if plan.isSharing || quiet.contains(device.number) { try await checkQuiet(device) }
        }
        return (expected, words)
    }

    /// Every file with its place and the digest of its bytes, and the words in all of them.
    private func contents(of device: SimulatedDevice) async throws -> ([String], Set<Int>) {
        guard let lockbook = device.lockbook else { return ([], []) }
        var lines: [String] = []
        var words: Set<Int> = []
        for file in try visible(lockbook) {
            var digest = ""
            if file.type == .document {
                var bytes: [UInt8] = []
                try await lockbook.read(.path(file.path)) { bytes += $0 }
                digest = Hash256(sha256: bytes).description
                words.formUnion(Oracle.tokens(in: bytes))
                countTwice(in: bytes)
            }
            lines.append("\(file.id) \(file.type.rawValue) \(file.path) \(file.size) \(digest)")
        }
        return (lines, words)
    }

    /// The record of every file, of which everything else that is known of it follows.
    private func records(of device: SimulatedDevice) throws -> [Data: Data] {
        let queue = try DatabaseQueue(path: "\(device.folder.path)/lockbook.db")
        let rows = try queue.read { db in
            try Row.fetchAll(db, sql: "SELECT id, ifnull(local, base) FROM file")
        }
        return Dictionary(uniqueKeysWithValues: rows.map { ($0[0], $0[1]) })
    }

    private func difference(_ found: [String], _ expected: [String]) -> String {
        let more = Set(found).subtracting(expected).sorted().prefix(3)
        let less = Set(expected).subtracting(found).sorted().prefix(3)
        return "it has \(more), it lacks \(less)"
    }

    private func check(_ device: SimulatedDevice) throws {
        guard let lockbook = device.lockbook else { return }
        let problems = try lockbook.validate()
        try require(problems.isEmpty, "device \(device.number): \(problems.prefix(3))")
        let changes = try lockbook.status().changes
        try require(
            changes.isEmpty,
            "device \(device.number) still has to push \(changes.prefix(3))"
        )
        let absent = try listing(device).filter { !$0.isHere }
        try require(
            absent.isEmpty,
            "device \(device.number) lacks the contents of \(absent.prefix(3)) after a full sync"
        )
    }

    /// A sync with nothing to do asks once and writes nothing.
    private func checkQuiet(_ device: SimulatedDevice) async throws {
        let (held, _) = try device.holdShares()
        var operations = device.folder.operations
        var serverOperations = server.folder.operations
        var draw = Draw(0)
        if plan.isSharing, let lockbook = device.lockbook, try leadsNowhere(lockbook) {
            // What it leads to may have been kept back: the log is asked for from its beginning.
            _ = try await sync(device, [], &draw)
            operations = device.folder.operations
            serverOperations = server.folder.operations
        }
        let report = try await sync(device, [], &draw)
        try require(
            report.map { $0.pulled.isEmpty && $0.pushed.isEmpty && $0.traffic.requests == 1 }
                == true,
            "device \(device.number): a quiet sync is not quiet: \(report.debugDescription)"
        )
        try require(
            device.folder.operations == operations && server.folder.operations == serverOperations,
            "device \(device.number): a quiet sync wrote something"
        )
        withExtendedLifetime(held) {}
    }

    /// What somebody deleted is not there again for him.
    ///
    /// What had left a share before he deleted it there stays with its owner.
    private func checkDeletions(_ live: [Int: [String]]) throws {
        let ids = live.mapValues { Set($0.map { String($0.prefix { $0 != " " }) }) }
        for (file, deletion) in oracle.deletions.sorted(by: { $0.key < $1.key }) {
            let account = devices[deletion.device].account
            try require(
                ids[account]?.contains(file) != true,
                "id:\(file) was deleted and is there again"
            )
        }
    }
}
