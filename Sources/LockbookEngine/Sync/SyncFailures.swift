import LockbookModel

/// What went wrong in a sync and kept nothing else from being done: it fails of all that in the end.
struct SyncFailures {
    /// Of what one thing is told, since others follow from it, or are in the report.
    enum Subject: Hashable {
        /// The log of another account.
        case log(AccountID)
        /// Contents that do not come, or come wrong.
        case contents
    }

    private(set) var all: [any Error] = []
    private var subjects: [Subject: any Error] = [:]

    mutating func add(_ error: any Error, of subject: Subject? = nil) {
        if let subject {
            guard subjects[subject] == nil else { return }
            subjects[subject] = error
        }
        all.append(error)
    }

    /// What was wrong with something first.
    func failure(of subject: Subject) -> (any Error)? { subjects[subject] }

    /// - Throws: all of it, and the same once.
    func check() throws {
        guard let first = all.first else { return }
        var told: [LockbookError] = []
        for error in all {
            let error = Sync.failure(error) as? LockbookError ?? LockbookError(inside: error)
            if let error, !told.contains(error) { told.append(error) }
        }
        throw told.count > 1 ? LockbookError.several(told) : told.first ?? first
    }
}
