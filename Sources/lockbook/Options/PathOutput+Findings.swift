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
            let sentence = Failure(failure.reason).message ?? ""
            // What is wrong with all of a share says not which.
            Terminal.warn(
                sentence.contains(failure.path) ? sentence : "\(failure.path): \(sentence)"
            )
        }
        if !unread.isEmpty { throw CommandError.partial(count: unread.count) }
    }
}
