extension JSONCheck {
    mutating func skipBlanks() {
        while at < bytes.count {
            if [0x20, 0x0A, 0x0D, 0x09].contains(bytes[at]) {
                at += 1
            } else if !allowsComments || !skipComment() {
                return
            }
        }
    }

    /// Passes over a comment that begins here; one without an end is none.
    private mutating func skipComment() -> Bool {
        guard bytes[at] == 0x2F, at + 1 < bytes.count else { return false }
        switch bytes[at + 1] {
        case 0x2F:
            at = bytes[at...].firstIndex { $0 == 0x0A || $0 == 0x0D } ?? bytes.count
        case 0x2A:
            var end = at + 2
            while end + 1 < bytes.count, bytes[end] != 0x2A || bytes[end + 1] != 0x2F { end += 1 }
            guard end + 1 < bytes.count else { return false }
            at = end + 2
        default: return false
        }
        return true
    }

    /// Whether a comma that was just read stands behind the last value, where that is allowed.
    mutating func isLastComma(before closing: UInt8) -> Bool {
        guard allowsComments else { return false }
        skipBlanks()
        return at < bytes.count && bytes[at] == closing
    }
}
