import LockbookModel

extension LockbookServer {
    /// Refuses what leaves an account with more than may be kept of it; asked at the end of the
    /// transaction, which is undone then.
    ///
    /// Without contents a tenth more is allowed: names go on changing. What members write counts
    /// for the owner of the log.
    /// - Parameters:
    ///   - more: the bytes that are about to be added.
    ///   - ending: what is allowed in any case, by `limit(ending:)`.
    func requireRoom(
        for owner: AccountKey,
        contents: Bool,
        beside more: UInt64 = 0,
        ending: UInt64 = 0,
        in store: any MetadataReading
    ) throws {
        guard let quota = settings.quota else { return }
        let limit = max(contents ? quota : quota + quota / 10, ending)
        let usage = try store.usage(of: owner) + more
        guard usage > limit else { return }
        // Whoever writes may be a member, who has room enough himself.
        let name = try store.account(key: owner)?.username
        throw Refusal(
            .tooLarge,
            "no room is left for what is \(name ?? "this account")'s, of which "
                + "\(Self.mebibytes(quota)) are kept here; what is purged makes room after two days"
        )
    }

    /// What an account may come to by a push that only deletes and purges, before it is written.
    ///
    /// Whoever has no room left has to be able to say what goes, however much there is of him: the
    /// quota may be newer. Each file goes once, by a record of the usual size.
    /// - Returns: nothing for any other push.
    func limit(
        ending push: ResolvedPush,
        of owner: AccountKey,
        in store: any MetadataReading
    ) throws -> UInt64 {
        guard settings.quota != nil, push.onlyDeletes else { return 0 }
        let count = UInt64(push.facts.count + push.push.purged.count)
        return try store.usage(of: owner) + (count + 1) << 10
    }

    private static func mebibytes(_ bytes: UInt64) -> String {
        bytes >> 20 > 0 ? "\(bytes >> 20) MiB" : "\(bytes) bytes"
    }
}
