/// How lines that both sides added at one place of a structured document stand one after the other.
struct AdditionJoint {
    fileprivate enum Records {
        /// Values of JSON: objects, or one a line.
        case values
        /// Components of calendars and contacts.
        case components
    }

    fileprivate let records: Records
    /// A comma somewhere in the buffer, which is put behind the first of the two; nil for none.
    fileprivate let comma: Range<Int>?

    /// Whether both are records that the other side does not have.
    func joins(_ one: Range<Int>, _ other: Range<Int>, in bytes: [UInt8]) -> Bool {
        let (mine, theirs) = (bytes[one], bytes[other])
        switch records {
        case .components:
            return [mine, theirs].allSatisfy { $0.starts(with: "BEGIN:".utf8) }
        case .values: return Self.heads(of: mine).isDisjoint(with: Self.heads(of: theirs))
        }
    }

    /// The lines with words of those that are indented least: keys, and values of one line.
    private static func heads(of lines: ArraySlice<UInt8>) -> Set<ArraySlice<UInt8>> {
        let parted = lines.split(separator: 0x0A).filter { $0.contains { $0 > 0x20 } }
        func depth(_ line: ArraySlice<UInt8>) -> Int { line.count - line.withoutIndentation.count }
        let least = parted.map(depth).min() ?? 0
        return Set(
            parted.filter { depth($0) == least && $0.contains(where: TextPieces.isOfWord) }
                .map(\.withoutComma)
        )
    }
}

extension [MergedPart] {
    /// Adds lines that both sides added at one place, in an order that both devices know.
    mutating func join(
        _ local: Range<Int>,
        _ remote: Range<Int>,
        with joint: AdditionJoint,
        in bytes: [UInt8]
    ) {
        let isRemoteFirst = bytes[remote].lexicographicallyPrecedes(bytes[local])
        let (first, second) = isRemoteFirst ? (remote, local) : (local, remote)
        if let comma = joint.comma, let last = bytes[first].lastIndex(where: { $0 > 0x20 }) {
            keep(first.lowerBound..<last + 1)
            keep(comma)
            keep(last + 1..<first.upperBound)
        } else {
            keep(first)
        }
        keep(second)
    }
}

extension TextMerge {
    /// A document in which what both sides added at one place is joined: two records of a list, say.
    ///
    /// - Returns: nil where both changed the same otherwise, where the result is none of the format
    ///   as both sides were, and for formats whose records are not plain to see.
    static func joined(_ text: MergeText, as format: StructuredFormat) -> [UInt8]? {
        guard text.size <= joinedSizeLimit else { return nil }
        // What a side took out it may have put elsewhere, changed; of a canvas the ids would say so.
        guard format == .canvas || [text.local, text.remote].allSatisfy(text.hasBase) else {
            return nil
        }
        for joint in joints(of: format, in: text.bytes) {
            var joining = text
            joining.joint = joint
            let parts = mergedParts(of: joining)
            guard !parts.contains(where: \.isConflict) else { return nil }
            let merged = text.document(of: parts, choosingLocal: true)
            let versions = [text.base, text.local, text.remote].map { Array(text.bytes[$0]) }
            if format.accepts(merged, of: versions[0], from: versions[1], and: versions[2]) {
                return merged
            }
        }
        return nil
    }

    /// Bytes of the three documents above which both copies are kept: their lines are held in sets.
    private static let joinedSizeLimit = 8 << 20

    private static func joints(of format: StructuredFormat, in bytes: [UInt8]) -> [AdditionJoint] {
        switch format {
        case .xml, .html: return []
        case .components: return [AdditionJoint(records: .components, comma: nil)]
        case .jsonLines: return [AdditionJoint(records: .values, comma: nil)]
        case .json, .canvas:
            let comma = bytes.firstIndex(of: UInt8(ascii: ",")).map { $0..<$0 + 1 }
            return (comma == nil ? [nil] : [nil, comma]).map {
                AdditionJoint(records: .values, comma: $0)
            }
        }
    }
}

extension MergeText {
    /// Whether a side has every line of the base, in order, but for indentation and a comma behind it.
    fileprivate func hasBase(_ side: Range<Int>) -> Bool {
        func next(_ cursor: inout LineCursor) -> ArraySlice<UInt8>? {
            while let line = cursor.line() {
                let value = line.withoutIndentation.withoutTrail.withoutComma
                if !value.isEmpty { return value }
            }
            return nil
        }
        var (old, new) = (LineCursor(bytes[base]), LineCursor(bytes[side]))
        while let wanted = next(&old) {
            var line = next(&new)
            while let other = line, other != wanted { line = next(&new) }
            if line == nil { return false }
        }
        return true
    }
}

extension ArraySlice<UInt8> {
    /// Without the comma that it may end with.
    fileprivate var withoutComma: ArraySlice<UInt8> {
        last == UInt8(ascii: ",") ? dropLast() : self
    }
}
