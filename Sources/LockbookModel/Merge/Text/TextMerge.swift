/// How a three-way merge of two documents ended.
///
/// With `conflicts` above zero that many pairs of versions stand in the document between markers.
/// `notText` means: keep both copies, this document cannot be merged.
package enum TextMergeOutcome: Equatable, Sendable {
    case merged([UInt8], conflicts: Int)
    case notText
}

/// Who made each side of a merge, as the conflict markers name them ("alice on laptop").
package struct MergeLabels: Sendable {
    package var local: String
    package var remote: String

    package init(local: String, remote: String) {
        self.local = local
        self.remote = remote
    }

    /// The version of a user's device, or what the user had in the editor there.
    package static func writer(_ user: String, on device: String, inEditor: Bool = false) -> String
    {
        "\(user)\(inEditor ? " in the editor" : "")\(infix)\(device)"
    }

    /// Whether the markers of a place name who wrote its versions, as `writer` does.
    ///
    /// Both are what stands behind their signs, in UTF-8.
    package static func nameWriters(_ first: [UInt8], _ second: [UInt8]) -> Bool {
        let word = Array(infix.utf8)
        return first.contains(word) && second.contains(word)
    }

    private static let infix = " on "
}

/// The three-way merge of documents: by line, then by word where the lines of both sides overlap.
///
/// A pure function of its arguments. It follows `git merge-file` where that gives a clean result,
/// and only ever finds fewer conflicts.
package enum TextMerge {
    /// Merges what `local` and `remote` each made of `base`.
    ///
    /// The extension, with or without its dot and in any case, is one of two hints whether markers
    /// would break the document; the other is its content.
    package static func merge(
        base: [UInt8],
        local: [UInt8],
        remote: [UInt8],
        labels: MergeLabels,
        fileExtension: String
    ) -> TextMergeOutcome {
        guard base.count + local.count + remote.count <= sizeLimit,
            isText(base), isText(local), isText(remote)
        else { return .notText }
        if local == remote || base == remote { return .merged(local, conflicts: 0) }
        if base == local { return .merged(remote, conflicts: 0) }
        guard [base, local, remote].reduce(0, { $0 + $1.lineCount }) <= lineLimit else {
            return .notText
        }

        guard let form = MergedForm(base: base, local: local, remote: remote) else {
            return mergePlain(base, local, remote, labels, fileExtension)
        }
        let merge = mergePlain(
            form.base.plain(base),
            form.local.plain(local),
            form.remote.plain(remote),
            labels,
            fileExtension
        )
        guard case .merged(let text, let conflicts) = merge else { return .notText }
        return .merged(form.merged.formed(text), conflicts: conflicts)
    }

    /// Merges texts as they are, whatever mark and line ends they have.
    private static func mergePlain(
        _ base: [UInt8],
        _ local: [UInt8],
        _ remote: [UInt8],
        _ labels: MergeLabels,
        _ fileExtension: String
    ) -> TextMergeOutcome {
        // Two new texts are changes of the lines that they have in common: a template, say.
        let base =
            base.isEmpty
            ? commonLines(of: local, and: remote) : ended(base, as: local, and: remote)
        if local == remote || base == remote { return .merged(local, conflicts: 0) }
        if base == local { return .merged(remote, conflicts: 0) }
        var text = MergeText(base: base, local: local, remote: remote)
        let format = StructuredFormat(
            fileExtension: fileExtension,
            local: local,
            remote: remote
        )
        // In formats that have no markers nothing was decided between them.
        let reopened = format == nil ? text.alignDecisions() : 0
        text.hasRecords = [nil, .xml, .html, .json].contains(format)
        text.isOrg = fileExtension.drop { $0 == "." }.lowercased() == "org"
        text.tables = TableForm(fileExtension: fileExtension, base: base)
            .partingNumbers(of: [base, local, remote])
        let parts =
            format == nil
            ? mergedParts(of: text, keysOf: KeyedFormat(fileExtension: fileExtension))
            : mergedParts(of: text)
        let conflicts = parts.count { $0.isConflict } + reopened
        if let format, conflicts > 0 {
            return joined(text, as: format).map { .merged($0, conflicts: 0) } ?? .notText
        }
        let merged = text.render(parts, labels: labels)
        if let format, !format.accepts(merged, of: base, from: local, and: remote) {
            return .notText
        }
        return .merged(merged, conflicts: conflicts)
    }

    /// Bytes of the three documents together above which both copies are kept instead.
    ///
    static let sizeLimit = 512 << 20

    /// Lines of the three documents together above which both copies are kept instead.
    ///
    /// Comparing takes some 50 bytes of memory a line, and lines may be as short as one byte.
    static let lineLimit = 16 << 20
}

extension [UInt8] {
    /// How many lines end in these bytes.
    fileprivate var lineCount: Int {
        count { $0 == 0x0A }
    }
}
