/// One line of a difference, as `diff -u` shows them.
package struct DiffLine: Equatable, Sendable {
    package enum Kind: Sendable {
        /// Where the lines that follow stand: `@@ -1,3 +1,4 @@`.
        case place
        case same, removed, added
        /// That a last line has no end.
        case remark
    }

    package var kind: Kind
    /// Without its sign and its end.
    package var bytes: [UInt8]
}

/// The difference of two texts by lines, with some lines around each change.
package enum TextDiff {
    /// Bytes of either text above which they are not compared.
    package static let sizeLimit = 128 << 20
    /// Lines of both texts together above which they are not compared: each may take some 150 bytes
    /// of memory.
    static let lineLimit = 4 << 20

    /// - Returns: nothing when they are equal; nil when one of them is no text, or when they are too
    ///   large.
    package static func unified(
        from old: [UInt8],
        to new: [UInt8],
        context: Int = 3
    ) -> [DiffLine]? {
        if old == new { return [] }
        guard old.count <= sizeLimit, new.count <= sizeLimit,
            old.count(where: { $0 == 0x0A }) + new.count(where: { $0 == 0x0A }) <= lineLimit,
            TextMerge.isText(old), TextMerge.isText(new)
        else { return nil }
        var table = PieceTable(of: old + new)
        let before = table.lines(of: 0..<old.count)
        let after = table.lines(of: old.count..<old.count + new.count)
        var budget = DiffBudget(pieces: before.count + after.count).local
        let hunks = SequenceDiff.hunks(
            from: before.ids,
            to: after.ids,
            kinds: table.count,
            budget: &budget
        )
        let bytes = table.bytes
        var lines: [DiffLine] = []
        for group in grouped(hunks, context) {
            lines += show(group, before, after, bytes, context)
        }
        return lines
    }

    /// Changes that are so near to each other that the lines between them are shown anyway.
    private static func grouped(_ hunks: [DiffHunk], _ context: Int) -> [[DiffHunk]] {
        var groups: [[DiffHunk]] = []
        for hunk in hunks {
            if let last = groups.last?.last,
                hunk.base.lowerBound - last.base.upperBound <= 2 * context
            {
                groups[groups.count - 1].append(hunk)
            } else {
                groups.append([hunk])
            }
        }
        return groups
    }

    private static func show(
        _ group: [DiffHunk],
        _ before: TextPieces,
        _ after: TextPieces,
        _ bytes: [UInt8],
        _ context: Int
    ) -> [DiffLine] {
        guard let first = group.first, let last = group.last else { return [] }
        let lead = min(context, first.base.lowerBound)
        let tail = min(context, before.count - last.base.upperBound)
        let old = first.base.lowerBound - lead..<last.base.upperBound + tail
        let new = first.side.lowerBound - lead..<last.side.upperBound + tail
        let place = "@@ -\(range(old)) +\(range(new)) @@"
        var lines = [DiffLine(kind: .place, bytes: Array(place.utf8))]
        func add(_ kind: DiffLine.Kind, _ pieces: TextPieces, _ range: Range<Int>) {
            for piece in range {
                var line = bytes[pieces.bytes(of: piece..<piece + 1)]
                let isEnded = line.last == 0x0A
                if isEnded { line.removeLast() }
                lines.append(DiffLine(kind: kind, bytes: Array(line)))
                guard !isEnded else { continue }
                lines.append(
                    DiffLine(kind: .remark, bytes: Array("No newline at end of file".utf8))
                )
            }
        }
        var at = old.lowerBound
        for hunk in group {
            add(.same, before, at..<hunk.base.lowerBound)
            add(.removed, before, hunk.base)
            add(.added, after, hunk.side)
            at = hunk.base.upperBound
        }
        add(.same, before, at..<old.upperBound)
        return lines
    }

    /// As `diff -u` counts: from 1, an empty stretch by the line before it, one line without its count.
    private static func range(_ lines: Range<Int>) -> String {
        let start = lines.lowerBound + (lines.isEmpty ? 0 : 1)
        return lines.count == 1 ? "\(start)" : "\(start),\(lines.count)"
    }
}
