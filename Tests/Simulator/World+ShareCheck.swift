import LockbookCrypto
import LockbookEngine

extension World {
    /// Who was let into something sees all of it as its owner has it, and nothing else of him.
    func checkShares() async throws {
        for member in liveAccounts {
            var allowed: Set<String> = []
            for owner in liveAccounts where owner != member {
                for share in try shares(of: owner) where share.username == Self.usernames[member] {
                    allowed.formUnion(try await check(share, of: owner, member: member))
                }
            }
            for device in devices where device.account == member {
                for file in try seen(on: device) {
                    try require(
                        allowed.contains(file.id),
                        "device \(device.number) sees \(file.path) id:\(file.id), which nobody lets it see"
                    )
                }
            }
        }
    }

    /// The live grants of an account.
    private func shares(of owner: Int) throws -> [ShareInfo] {
        guard let lockbook = try first(of: owner).lockbook else { return [] }
        let live = Set(try lockbook.list(.path("/"), recursive: true).map(\.id))
        return try lockbook.shares().filter { live.contains($0.id) }
    }

    /// - Returns: the files that are shared by it.
    private func check(_ share: ShareInfo, of owner: Int, member: Int) async throws -> Set<String> {
        guard share.state == .shared else {
            // Every sync says that it cannot be done, and why.
            tally.count("shares that wait")
            return []
        }
        let (expected, ids) = try await tree(of: share.id, on: first(of: owner))
        for device in devices where device.account == member {
            let (found, _) = try await tree(of: share.id, on: device)
            try require(
                found == expected,
                "device \(device.number) sees \(found.difference(from: expected)) of \(share.path)"
            )
        }
        tally.count("shares compared")
        return ids
    }

    /// What stands below a shared file, with its place there and its bytes.
    private func tree(of id: String, on device: SimulatedDevice) async throws
        -> ([String], Set<String>)
    {
        guard let lockbook = device.lockbook else { return ([], []) }
        var lines: [String] = []
        var ids: Set<String> = [id]
        do {
            let top = try lockbook.info(.id(prefix: id))
            for file in try lockbook.list(.id(prefix: id), recursive: true) {
                var bytes: [UInt8] = []
                if file.type == .document {
                    try await lockbook.read(.id(prefix: file.id)) { bytes += $0 }
                }
                let path = file.path.dropFirst(top.path.count)
                let digest = Hash256(sha256: bytes).description
                lines.append("\(file.id) \(file.type.rawValue) \(path) \(digest)")
                ids.insert(file.id)
            }
        } catch let error as LockbookError {
            try require(false, "device \(device.number) does not see id:\(id): \(error)")
        }
        return (lines, ids)
    }

    /// What a device sees of other accounts: behind its links, and of what it is offered.
    private func seen(on device: SimulatedDevice) throws -> [FileInfo] {
        guard let lockbook = device.lockbook else { return [] }
        let files = try visible(lockbook)
        let own = Set(files.own.map(\.id))
        var seen = files.filter { $0.type != .link && !own.contains($0.id) }
        for offer in try lockbook.offers() {
            seen += try lockbook.list(.id(prefix: offer.id), recursive: true)
        }
        return seen
    }

    /// Every word that somebody wrote is in a live document of somebody, or in somebody's trash, or
    /// somebody took it out who saw it.
    func checkSharedWords(_ words: Set<Int>) async throws {
        var missing = oracle.tokens.filter {
            !words.contains($0.number) && !oracle.removable.contains($0.number)
                && !wasWrittenTooLate($0)
        }
        guard !missing.isEmpty else { return }
        for account in liveAccounts {
            let trashed = try await wordsInTrash(of: first(of: account))
            missing.removeAll { trashed.contains($0.number) }
        }
        guard let token = missing.first else { return }
        try require(
            false,
            "\(Oracle.word(token.number)), written to id:\(token.file) on device \(token.device), is lost"
        )
    }
}
