extension Terminal {
    /// Tells an account apart whose name reads like the one of another that was met.
    static func warn(lookAlike user: String, of known: String) {
        warn("\(user) is another account than \(known)")
    }
}
