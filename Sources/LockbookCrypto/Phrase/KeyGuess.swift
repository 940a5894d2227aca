/// Looks for keys in what a program is about to write down.
package enum KeyGuess {
    /// No sentence has so many words of the list behind each other.
    private static let suspiciousRun = 12
    private static let shortestKey = 20

    /// Whether a text may hold an account's key: the compact form, or much of a recovery phrase.
    package static func mayHoldKey(_ text: String) -> Bool {
        let text = text.lowercased()
        let pieces = text.split { !$0.isLetter && !$0.isNumber }
        guard
            !pieces.contains(where: {
                $0.hasPrefix(CompactKey.prefix) && $0.utf8.count > shortestKey
            })
        else { return true }
        var run = 0
        for word in text.split(whereSeparator: { !$0.isLetter }) {
            run = RecoveryPhrase.number(of: String(word)) == nil ? 0 : run + 1
            if run >= suspiciousRun { return true }
        }
        return false
    }
}
