/// How the program ends; the numbers are a promise, listed in `lockbook.1`.
enum Status: Int32 {
    case done = 0
    case failed = 1
    case notFound = 3
    case exists = 4
    case noAccount = 5
    case offline = 6
    case refused = 7
    case conflict = 8
    case partial = 9
    case integrity = 10
    case damaged = 11
    case busy = 12
    case updateNeeded = 13
    case notHere = 14
    /// Something would be deleted or replaced that nobody here said to.
    case guarded = 15
    /// Somebody has other keys than before.
    case keyChanged = 20
    case usage = 64
    case badInput = 65
    case store = 74
    case interrupted = 130

    /// Whether a sync that ended so is told of by `status` until one comes through.
    ///
    /// Another try does not mend it by itself, and nobody may have seen it fail, as from cron. That a sync
    /// asks for a decision is remembered by itself.
    var isRememberedOfSync: Bool {
        switch self {
        case .integrity, .keyChanged, .damaged, .refused: true
        default: false
        }
    }
}
