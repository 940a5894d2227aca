import LockbookEngine

extension Lockbook {
    /// Says, once of each, that what is written in these places goes to others.
    func tellShares(at places: [FileReference]) {
        // Where the store is busy, or may not be written, that stands in the way of nothing else.
        for path in (try? takeUntoldShares(at: places)) ?? [] {
            Terminal.notice(
                "\(path) is what somebody shares, and all who see it see what is written there; "
                    + "this is not said again"
            )
        }
    }
}
