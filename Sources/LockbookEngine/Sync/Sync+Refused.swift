import FoundationEssentials
import LockbookAPI
import LockbookModel

extension Sync {
    /// Whether a refusal stands: nothing new in the log would explain it.
    var isRefusalFinal: Bool { leavesOut || !store.context.isForeign }

    /// How many changes one sync leaves out, each of which took another try.
    private static let maximumLeftOutCount = 32

    /// Leaves out what the server names, and nothing else: that a rule is broken somewhere, by
    /// a mistake of this program, or that the server says so, keeps nothing else from being synced.
    /// - Returns: whether there is another try to be made.
    mutating func leaveOut(_ error: any Error, of plan: PushPlan) -> Bool {
        guard let change = error as? RefusedChange, isRefusalFinal,
            refused.count < Self.maximumLeftOutCount,
            plan.items.contains(where: { $0.reference.file == change.file })
        else { return false }
        // What the server said of it, and of others like it, is not so any more.
        if change.isUnreadable { atServer = [] } else { unfit.insert(change.file) }
        return refused.updateValue(change.reason, forKey: change.file) == nil
    }

    /// Leaves out the address book, which has no content that could be found: all else goes on without
    /// it, and the next sync tries it again.
    /// - Returns: whether there is another try to be made.
    mutating func leaveBook(_ error: any Error, of plan: PushPlan) throws -> Bool {
        let root = store.context.root
        guard !store.context.isForeign, case .refused(let reason)? = error as? LockbookError,
            plan.items.contains(where: { $0.reference.file == root }),
            // Before that nothing else can be pushed.
            try store.read({ try $0.row(root)?.base }) != nil
        else { return false }
        let detail = "what your devices know of others: \(reason)"
        return refused.updateValue(detail, forKey: root) == nil
    }

    /// Finds which contents of an entry the server will not have, where it refused the whole.
    ///
    /// Most often the account has no room left. All others can be pushed without them.
    ///
    /// Contents are sent ahead, the smallest first, and counted once, so what fits is at the server
    /// afterwards. When one is refused by itself, so is everything larger, unasked.
    /// - Returns: whether something new was found.
    mutating func findRefused(in plan: PushPlan, _ reason: String) async throws -> Bool {
        let wanted = try await missing(of: plan).filter { $0.sendsBlob && $0.blob != nil }
            .sorted {
                ($0.blob?.size ?? 0, $0.reference.file) < ($1.blob?.size ?? 0, $1.reference.file)
            }
        var rest = wanted[...]
        var isFound = false
        while let first = rest.first {
            var count = 1
            if first.largeBlob == nil {
                let small = rest.filter { $0.largeBlob == nil }
                count = PushPlan.batches(of: small, environment.batchByteCount)[0].count
            }
            do {
                // Halved until it fits: what does not alone, does not at all.
                while let refusal = try await refusal(of: rest.prefix(count)) {
                    guard count > 1 else {
                        for item in rest { refused[item.reference.file] = refusal }
                        return true
                    }
                    count /= 2
                }
                rest = rest.dropFirst(count)
            } catch let change as RefusedChange {
                // That is about this one alone.
                guard let index = rest.firstIndex(where: { $0.reference.file == change.file })
                else { throw change }
                rest.remove(at: index)
                refused[change.file] = change.reason
                isFound = true
            }
        }
        return isFound
    }

    /// Sends contents ahead.
    /// - Returns: why the server will not have them; nil when it does.
    private func refusal(of items: ArraySlice<PushPlan.Item>) async throws -> String? {
        do {
            try await uploadLarge(of: items)
            // The entry is not kept any more, and its records may not be here: they are not asked about.
            let loaded = try load(
                items.filter { $0.largeBlob == nil }.map {
                    var item = $0
                    item.sendsRecord = false
                    return item
                }
            )
            guard !loaded.blobs.isEmpty else { return nil }
            try await sendAhead(loaded, for: foreignLog)
            return nil
        } catch LockbookError.refused(let reason) {
            return reason
        }
    }

    /// Keeps for `status` what the server will not have, until a sync finds otherwise.
    func rememberRefused() throws {
        let found = Dictionary(uniqueKeysWithValues: refused.map { ($0.key.description, $0.value) })
        guard try store.read({ try $0.refusedContents() }) != found else { return }
        try store.write { try $0.rememberRefused(found) }
    }
}

extension LocalTree {
    /// Ids of documents whose contents the server would not have in the last sync, and why.
    func refusedContents() throws -> [String: String] {
        try setting(.refused).flatMap {
            try? JSONDecoder().decode([String: String].self, from: Data($0))
        } ?? [:]
    }

    func rememberRefused(_ found: [String: String]) throws {
        try set(.refused, to: found.isEmpty ? nil : Array(try JSONEncoder().encode(found)))
    }
}
