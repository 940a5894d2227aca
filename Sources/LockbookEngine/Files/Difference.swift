import LockbookCrypto
import LockbookModel

/// What changed between two versions of a document, by lines.
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
    /// What the two sides are called: versions, or `now`.
    public var from: String
    public var to: String
    /// None when they are equal; nil when they differ and one of them is no text.
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
        var from = old
        if from == nil {
            let versions = try await history(reference, limit: 1_000).versions
            let written = versions.filter { $0.change == .edited || $0.change == .made }
            from = written.dropFirst().first?.version
        }
        var before: [UInt8] = []
        if let from {
            try await read(reference, version: from) { before.append(contentsOf: $0) }
        }
        var after: [UInt8] = []
        if let new {
            try await read(reference, version: new) { after.append(contentsOf: $0) }
        } else {
            try await read(reference) { after.append(contentsOf: $0) }
        }
        var lines: [Difference.Line]? = []
        if before != after {
            lines = TextDiff.unified(from: before, to: after)?.map {
                Difference.Line(kind: Difference.Line.Kind($0.kind), bytes: $0.bytes)
            }
        }
        return Difference(path: path, from: from ?? "nothing", to: new ?? "now", lines: lines)
    }
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
