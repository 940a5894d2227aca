import Glibc

/// How many files this process may hold open, connections among them.
package enum DescriptorLimit {
    /// Raises the limit for this process and what it starts, as far as it is allowed to.
    /// - Returns: the limit now; at least as much as it was.
    @discardableResult
    package static func raise(to wanted: Int) -> Int {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else {
            return 1_024
        }
        let before = limit.rlim_cur
        if before < wanted {
            limit.rlim_cur = min(rlim_t(wanted), limit.rlim_max)
            if setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) != 0 {
                limit.rlim_cur = before
            }
        }
        return Int(clamping: limit.rlim_cur)
    }
}
