import LockbookEngine

extension Lockbook {
    /// Says that what is written in these places goes to others, where nobody was told before.
    /// - Returns: what `noteTold` is given once something was stored there.
    func tellShares(at places: [FileReference]) -> [String] {
        // Where the store is busy, that stands in the way of nothing else.
        let paths = (try? untoldShares(at: places)) ?? []
        for path in paths {
            Terminal.notice(
                "\(path) is what somebody shares, and all who see it see what is written there"
            )
        }
        return paths
    }
}
