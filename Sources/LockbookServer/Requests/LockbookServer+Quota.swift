import LockbookModel

extension LockbookServer {
    /// Refuses what leaves an account with more than may be kept of it; asked at the end of the
    /// transaction, which is undone then.
    ///
    /// Without contents a tenth more is allowed: whoever has no room left has to be able to say what
    /// is deleted and purged. What members write counts for the owner of the log.
    /// - Parameter more: the bytes that are about to be added.
    func requireRoom(
        for owner: AccountKey,
        contents: Bool,
        beside more: UInt64 = 0,
        in store: any MetadataReading
    ) throws {
        guard let quota = settings.quota else { return }
        let limit = contents ? quota : quota + quota / 10
        let usage = try store.usage(of: owner) + more
        guard usage > limit else { return }
        throw Refusal(
            .tooLarge,
            "no room is left for this account, of which \(Self.mebibytes(quota)) are kept here; "
                + "what is purged makes room after two days"
        )
    }

    private static func mebibytes(_ bytes: UInt64) -> String {
        bytes >> 20 > 0 ? "\(bytes >> 20) MiB" : "\(bytes) bytes"
    }
}
