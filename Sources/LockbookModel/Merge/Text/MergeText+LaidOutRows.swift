extension MergeText {
    /// Rows of a drawn table, merged one by one whatever their layout.
    ///
    /// Editors lay a table out anew with every change of it, and words exclude each other then. A row
    /// to which one side did nothing else is as the other side made it, its fields as wide as they
    /// are in the wider layout.
    ///
    /// - Returns: nil where rows or columns may have moved: a row has more than one other field, or is
    ///   as another one was. With rows that came or went, or that both sides changed, nil also where
    ///   the table has its old layout, as words do not exclude each other for that.
    func laidOutRows(
        base: Range<Int>,
        local: Range<Int>,
        remote: Range<Int>,
        budget: inout DiffBudget
    ) -> [MergedPart]? {
        guard tables.isDrawn, base.count + local.count + remote.count <= Self.rowSizeLimit,
            let old = DrawnRow.all(in: bytes[base], form: tables),
            let mine = DrawnRow.all(in: bytes[local], form: tables),
            let theirs = DrawnRow.all(in: bytes[remote], form: tables),
            let mineRows = RowChanges(from: old, to: mine, budget: &budget.local),
            let theirRows = RowChanges(from: old, to: theirs, budget: &budget.remote)
        else { return nil }
        var merge = RowMerge(
            of: old,
            local: mineRows,
            remote: theirRows,
            from: (local.lowerBound, remote.lowerBound),
            in: self
        )
        guard let parts = merge.merged() else { return nil }
        let isPlain = merge.hasAllRows && !parts.contains(where: \.isConflict)
        if isPlain { return parts }
        guard merge.isLaidOut, !mineRows.isUnsure(beside: theirRows, from: old) else { return nil }
        var table = PieceTable(of: self)
        let stretch = MergedStretch(
            base: table.words(of: base),
            local: table.words(of: local),
            remote: table.words(of: remote),
            parts: parts
        )
        return WordBalance(of: [stretch], in: &table).isKept ? parts : nil
    }

    /// Bytes of three versions of a table above which it is not cut into fields, each of which takes
    /// some sixty.
    static let rowSizeLimit = 2 << 20
}
