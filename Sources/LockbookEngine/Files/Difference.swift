import LockbookCrypto
import LockbookModel

/// What changed between two versions of a document, or between two documents, by lines.
public struct Difference: Sendable, Equatable {
    public struct Line: Sendable, Equatable {
        public enum Kind: Sendable {
            /// Where the lines that follow stand: `@@ -1,3 +1,4 @@`.
            case place
            case same, removed, added
            /// That a last line has no end.
            case remark
        }

        public var kind: Kind
        /// Without its sign and its end.
        public var bytes: [UInt8]
    }

    public var path: String
    /// The document of the second side, where that is another one.
    public var otherPath: String?
    /// What the two sides are called: versions, or `now`.
    public var from: String
    public var to: String
    /// None when they are equal; nil when they differ and one of them is no text, or both are too
    /// large to be compared by lines.
    public var lines: [Line]?
}

extension Lockbook {
    /// Compares two versions of a document.
    /// - Parameters:
    ///   - old: a version as `history` calls it; nil for the one before the newest content.
    ///   - new: a version; nil for the document as it is now.
    public func difference(_ reference: FileReference, from old: String?, to new: String?)
        async throws -> Difference
    {
        let path = try info(reference).path
        let from = if let old { old } else { try await earlierContent(reference, path) }
        var before = Compared()
        if let from {
            try await read(reference, version: from) { before.append($0) }
        }
        var after = Compared()
        if let new {
            try await read(reference, version: new) { after.append($0) }
        } else {
            try await read(reference) { after.append($0) }
        }
        return Difference(
            path: path,
            from: from ?? "nothing",
            to: new ?? "now",
            lines: Self.lines(from: &before, to: &after)
        )
    }

    /// Compares two documents as they are now.
    public func difference(between old: FileReference, and new: FileReference) async throws
        -> Difference
    {
        let (path, otherPath) = (try info(old).path, try info(new).path)
        var (before, after) = (Compared(), Compared())
        try await read(old) { before.append($0) }
        try await read(new) { after.append($0) }
        return Difference(
            path: path,
            otherPath: otherPath,
            from: "now",
            to: "now",
            lines: Self.lines(from: &before, to: &after)
        )
    }

    /// The version before the newest content; nil where that is the first one.
    /// - Throws: `.earlierNotKnown` where another device may have written between these two, and the
    ///   server cannot be asked.
    private func earlierContent(_ reference: FileReference, _ path: String) async throws -> String?
    {
        let history = try await history(reference, limit: 1_000)
        // What was taken back to it stands above it.
        let newest = try? newestVersion(reference)
        let start = history.versions.firstIndex { $0.version == newest } ?? 0
        let written = history.versions[start...].filter {
            $0.change == .edited || $0.change == .made || $0 == history.versions.last
        }
        guard history.isComplete || written.first?.isUnsynced == true else {
            throw LockbookError.earlierNotKnown(
                path: path,
                obstacle: history.obstacle ?? .unreachable
            )
        }
        return written.dropFirst().first?.version
    }

    /// How `history` calls a file as it is now; nil for one of which it knows no version.
    private func newestVersion(_ reference: FileReference) throws -> String? {
        try across(reference) {
            try store.read { try $0.newestVersion(reference) }
        } there: { place in
            try place.lockbook.store.read { try $0.newestVersion(place.reference) }
        }
    }
}

extension LocalTree {
    fileprivate func newestVersion(_ reference: FileReference) throws -> String? {
        let row = try find(reference)
        if let crossing = try crossing(row) { throw crossing }
        return try (row.local ?? row.base).map { try FileRecord($0).versionName }
    }
}

extension Lockbook {
    private static func lines(
        from before: inout Compared,
        to after: inout Compared
    ) -> [Difference.Line]? {
        guard before.finish() != after.finish() else { return [] }
        guard let old = before.bytes, let new = after.bytes else { return nil }
        return TextDiff.unified(from: old, to: new)?.map {
            Difference.Line(kind: Difference.Line.Kind($0.kind), bytes: $0.bytes)
        }
    }
}

/// One of two contents: its bytes while they are few enough to be compared, and what tells it from
/// another one in any case.
private struct Compared {
    private(set) var bytes: [UInt8]? = []
    // Named as a blob would be: a hash of any number of bytes.
    private var namer = BlobNamer()

    mutating func append(_ part: [UInt8]) {
        namer.update(part)
        guard let count = bytes?.count, count + part.count <= TextDiff.sizeLimit else {
            bytes = nil
            return
        }
        bytes?.append(contentsOf: part)
    }

    mutating func finish() -> BlobName { namer.finish() }
}

extension Difference.Line.Kind {
    fileprivate init(_ kind: DiffLine.Kind) {
        switch kind {
        case .place: self = .place
        case .same: self = .same
        case .removed: self = .removed
        case .added: self = .added
        case .remark: self = .remark
        }
    }
}
