import LockbookCrypto
import LockbookModel

extension Sync {
    /// Larger contents are never merged as text: both are kept.
    static let mergeableByteCount: UInt64 = 32 << 20

    /// Joins two contents, or decides that both stay.
    /// - Returns: nil when the local one was replaced meanwhile.
    mutating func answer(_ question: OpenQuestion) async throws -> ContentAnswer? {
        let isOne = question.question.local == question.question.remote
        let isSmall = question.byteCount <= Self.mergeableByteCount
        // Of what will not be merged the digests are enough.
        var knowsBoth = true
        if let content = question.remote.content, try isSmall && isElsewhere(content) {
            knowsBoth = try await fetch(content, for: question, waitsForMissing: true)
        }
        var knowsBase = true
        if let content = question.base?.content, try isSmall && isElsewhere(content) {
            // The server keeps what was replaced for a time only.
            knowsBase = try await fetch(content, for: question)
        }
        let hasLocal = try await hasLocal(question)
        // Of one file its writer has what never came here; of two nothing gives way for the name.
        let givesWay = isOne && !hasLocal
        return try store.write { tree in
            let content = question.local.content?.identity
            guard let row = try tree.row(question.local.id), !row.isDamaged,
                try tree.file(row).content?.identity == content
            else { return nil }
            let isMergeable = isSmall && knowsBoth && knowsBase && hasLocal
            return ContentAnswer(
                outcome: givesWay
                    ? .same
                    : try outcome(of: question, isOne: isOne, isMergeable: isMergeable, in: tree),
                local: content,
                remote: question.remote.content?.identity
            )
        }
    }

    /// Whether the bytes of the version here can be had.
    ///
    /// What another device wrote and what never came here is news of this one where the server was put
    /// back: nothing but its record is known, and the writer has the rest.
    private mutating func hasLocal(_ question: OpenQuestion) async throws -> Bool {
        guard let content = question.local.content, try isElsewhere(content) else { return true }
        return try await fetch(content, for: question)
    }

    private func isElsewhere(_ content: Content) throws -> Bool {
        try store.read { try !$0.canRead(content.blob) }
    }

    /// Fetches a content that is to be joined with another one.
    ///
    /// Nothing is decided by what the server refuses, or sends wrong once or twice: a note would be cut in
    /// two on all devices. What comes wrong each time cannot be had, as on a disk that rots, and keeps
    /// nothing else; the sync fails of it in the end.
    /// - Returns: whether it is here; not where the server does not have it.
    private mutating func fetch(
        _ content: Content,
        for question: OpenQuestion,
        waitsForMissing: Bool = false
    ) async throws -> Bool {
        do {
            try await fetch([(name: content.blob, size: content.blobSize)])
            return true
        } catch let missing as MissingContent {
            guard passesByMissing || !waitsForMissing else { throw missing }
        } catch let other as OtherContent {
            guard passesByMissing else { throw other }
            let path = try store.read { try $0.shownPath(of: question.question.local) }
            failures.add(OtherContent(name: other.name, path: path), of: .contents)
        }
        return false
    }

    private func outcome(
        of question: OpenQuestion,
        isOne: Bool,
        isMergeable: Bool,
        in tree: LocalTree
    ) throws -> ContentOutcome {
        if try tree.isEqual(question.local, question.remote) { return .same }
        if isMergeable, let outcome = try tree.mergeTexts(question) { return outcome }
        guard isOne else { return .keepBoth(copy: question.local.id, nil) }
        let copy = FileID(random: environment.random)
        let content = try question.local.content.map {
            try tree.reseal($0, of: question.local, for: copy)
        }
        return .keepBoth(copy: copy, content)
    }
}

extension LocalTree {
    /// Whether two contents are the same bytes; each digest needs the bytes of the other.
    func isEqual(_ local: File, _ remote: File) throws -> Bool {
        guard local.size == remote.size else { return false }
        guard let content = remote.content else { return true }
        guard case .here(var reader) = try openContent(of: local, path: try path(of: local.id))
        else { return false }
        var digester = content.key.digester()
        try reader.readAll { digester.update($0) }
        return digester.finish() == content.digest
    }

    /// Merges three texts; nil when they are not texts, or what others wrote does not open.
    func mergeTexts(_ question: OpenQuestion) throws -> ContentOutcome? {
        let local = try text(of: question.local)
        let base: [UInt8]
        let remote: [UInt8]
        do {
            base = try question.base.map { try text(of: $0) } ?? []
            remote = try text(of: question.remote)
        } catch let error as LockbookError where error.isUnreadable {
            // A base that does not open is no empty one: over that, lines would come back that one
            // side deleted. Both versions stay whole.
            return nil
        }
        let outcome = TextMerge.merge(
            base: base,
            local: local,
            remote: remote,
            labels: try labels(against: question.remote, by: question.writer),
            fileExtension: question.remote.name.fileExtension
        )
        guard case .merged(let bytes, let conflicts) = outcome else { return nil }
        // The two sides together deleted all of it; an empty content has no blob to be merged into.
        guard !bytes.isEmpty else { return question.remote.size == 0 ? .same : nil }
        let key = ContentKey(random: environment.random)
        let version = VersionID(random: environment.random)
        let (blob, facts) = try ContentSealer.seal(
            bytes,
            key: key,
            bound: Content.binding(owner: owner, file: question.remote.id, version: version)
        )
        try keepBlob(blob, name: facts.blob)
        return .merged(Content(version: version, key: key, facts: facts), conflicts: conflicts)
    }

    /// Who wrote the two versions; devices of one name are told apart by their ids.
    /// - Parameters:
    ///   - writer: what the account of the other one is called; nil for what is known of it here.
    ///   - inEditor: whether the local one stood in this device's editor.
    func labels(
        against other: File,
        by writer: String? = nil,
        inEditor: Bool = false
    ) throws -> MergeLabels {
        let here = environment.deviceName
        let there = DeviceName.plain(other.deviceName)
        let isOneName = here == there && !(inEditor && other.device == account.device)
        func label(_ writer: String, _ device: DeviceID) -> String {
            isOneName ? MergeLabels.distinct(writer, device) : writer
        }
        return MergeLabels(
            local: label(
                MergeLabels.writer(account.username, on: here, inEditor: inEditor),
                account.device
            ),
            remote: label(
                MergeLabels.writer(try writer ?? username(of: other.author), on: there),
                other.device
            )
        )
    }

    private func text(of file: File) throws -> [UInt8] {
        switch try openContent(of: file, path: try path(of: file.id)) {
        case .empty: return []
        case .absent(let content): throw LockbookError.contentNotHere(path: content.path)
        case .here(var reader): return try reader.bytes()
        }
    }
}

extension MergeLabels {
    fileprivate static func distinct(_ writer: String, _ device: DeviceID) -> String {
        "\(writer) (\(device.description.prefix(8)))"
    }

    /// What markers may call a version that was written on this device, in UTF-8.
    /// - Parameter inEditor: whether it stood in the editor there.
    static func here(
        _ account: AccountFile,
        _ environment: EngineEnvironment,
        inEditor: Bool
    ) -> [[UInt8]] {
        let writer = writer(account.username, on: environment.deviceName, inEditor: inEditor)
        return [writer, distinct(writer, account.device)].map { Array($0.utf8) }
    }
}
