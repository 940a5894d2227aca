/// In the marks that set a name apart: others where it would pass for a command of ours, see `Profile`.
func quoted(_ text: String) -> String {
    text.hasPrefix("lockbook ") ? "\"\(text)\"" : "`\(text)`"
}

/// As an operand of a command that is to be copied, behind its options: nobody takes it for one of them.
func commandWord(_ text: String) -> String { (text.hasPrefix("-") ? "-- " : "") + shellWord(text) }

/// As a word that is to be copied: the shell takes it for one.
func shellWord(_ text: String) -> String {
    let isPlain = text.unicodeScalars.allSatisfy {
        $0.properties.isAlphabetic || ("0"..."9").contains($0)
            || "/._-+@%:,".unicodeScalars.contains($0)
    }
    guard !isPlain || text.isEmpty else { return text }
    return "'"
        + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''")
        + "'"
}
