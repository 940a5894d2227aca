import LockbookCrypto
import LockbookModel

/// Both devices made a document of one name: what was saved on this one until then becomes the history
/// of the one that stays.
extension LocalTree {
    /// By the document that stays; to be asked for before the folders go in which the others stand.
    func saves(
        joinedBy plan: MergePlan,
        _ news: [FileID: File]
    ) throws -> [FileID: [CarriedSave]] {
        var saves: [FileID: [CarriedSave]] = [:]
        for (id, other) in plan.joined.sorted(by: { $0.key < $1.key }) {
            guard let row = try row(id) else { continue }
            let path = try path(of: row)
            saves[other, default: []] += try self.saves(of: row, at: path, for: other)
            // What this one says now, where the one that stays says something else.
            if plan.files[other]?.content != news[other]?.content {
                let now = OpenedKept(at: environment.now().milliseconds, file: try file(row))
                saves[other, default: []] += try [carried(now, at: path, to: other)]
                    .compactMap(\.self)
            }
        }
        return saves
    }
}
