import LockbookEngine

extension Terminal {
    /// Tells an account apart whose name reads like the one of another that was met.
    static func warn(lookAlike user: String, of known: String) {
        warn("\(user) is another account than \(known)")
    }

    /// The same of accounts that are shown, but for those whose keys were compared; each two once.
    static func warn(lookAlikesAmong users: some Sequence<String>, in lockbook: Lockbook) {
        var told: Set<Set<String>> = []
        for user in Set(users).sorted() {
            guard let known = try? lockbook.lookAlike(ofUnverified: user),
                told.insert([user, known]).inserted
            else { continue }
            warn(lookAlike: user, of: known)
        }
    }
}
