import LockbookEngine

extension PathOutput {
    /// Shows what was found in documents, and names what could not be read.
    func show(_ findings: NoteFindings<FileInfo>) throws {
        try show(findings.found, path: \.path)
        try Self.tell(findings.unread)
    }

    /// - Throws: `.partial` when there are any.
    static func tell(_ unread: [(path: String, reason: LockbookError)]) throws {
        for failure in unread {
            Terminal.warn(Failure(failure.reason).message ?? failure.path)
        }
        if !unread.isEmpty { throw CommandError.partial(count: unread.count) }
    }
}
