import LockbookEngine

extension PathOutput {
    /// Shows what was found in documents, and names what could not be read.
    func show(_ findings: NoteFindings<FileInfo>) throws {
        try show(findings.found, path: \.path)
        try Self.tell(findings.unread)
    }

    /// Shows what was found, and names at the end what could not be looked into.
    /// - Throws: `.partial` when there is anything of that.
    static func namingUnread<Found>(
        _ find: (_ unread: ((path: String, reason: LockbookError)) -> Void) throws -> Found,
        show: (Found) throws -> Void
    ) throws {
        var unread: [(path: String, reason: LockbookError)] = []
        try show(find { unread.append($0) })
        try tell(unread)
    }

    /// - Throws: `.partial` when there are any.
    static func tell(_ unread: [(path: String, reason: LockbookError)]) throws {
        for failure in unread { Terminal.warn(sentence(failure.path, failure.reason)) }
        if !unread.isEmpty { throw CommandError.partial(count: unread.count) }
    }

    /// Shows what there is, names what could not be looked into, and ends as the first of that does.
    static func show<Found>(
        _ find: (_ unread: ((path: String, reason: LockbookError)) -> Void) throws -> Found,
        as show: (Found) throws -> Void
    ) throws {
        var unread: [(path: String, reason: LockbookError)] = []
        try show(find { unread.append($0) })
        for failure in unread { Terminal.warn(sentence(failure.path, failure.reason)) }
        if let first = unread.first { throw CommandError.told(Failure(first.reason).status) }
    }

    /// What is wrong, and where: what is wrong with all of a share says not which.
    static func sentence(_ path: String, _ reason: LockbookError) -> String {
        let sentence = Failure(reason).message ?? ""
        return reason.path == path ? sentence : "\(path): \(sentence)"
    }
}
