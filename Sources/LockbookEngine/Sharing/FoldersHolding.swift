import LockbookModel

/// Finds out which of many folders hold something, however deep in them: each is looked into once.
///
/// What was found holds as long as each stands where it does.
final class FoldersHolding {
    /// What stands in a folder itself.
    struct Inside {
        var holds = false
        var folders: [FileID] = []
    }

    /// A folder on the way down.
    private struct Step {
        let folder: FileID
        var inside: Inside
    }

    private let look: (FileID) throws -> Inside
    private var known: [FileID: Bool] = [:]

    /// - Parameter look: looks into a folder, and not into what is in it.
    init(look: @escaping (FileID) throws -> Inside) { self.look = look }

    /// Whether it is in a folder, or in one below it.
    func holds(_ folder: FileID) throws -> Bool {
        if let answer = known[folder] { return answer }
        var way = [try step(into: folder)]
        while var step = way.popLast() {
            guard !step.inside.holds, let next = step.inside.folders.popLast() else {
                known[step.folder] = step.inside.holds
                if step.inside.holds, !way.isEmpty { way[way.count - 1].inside.holds = true }
                continue
            }
            if let answer = known[next] {
                step.inside.holds = answer
                way.append(step)
            } else {
                way.append(step)
                way.append(try self.step(into: next))
            }
        }
        return known[folder] ?? false
    }

    private func step(into folder: FileID) throws -> Step {
        // One that leads to itself holds no more by that.
        known[folder] = false
        return Step(folder: folder, inside: try look(folder))
    }
}

extension BaseFacts {
    /// Finds out which folders go into another scope whole or not at all, as the server has them:
    /// something in them is shared by itself, or lives there and does not open.
    ///
    /// The latter came after the move, which refuses it: that stays here until it is gone.
    func foldersGoingWhole() -> FoldersHolding {
        FoldersHolding { folder in
            var inside = FoldersHolding.Inside()
            for row in try self.rows(in: folder) {
                guard let facts = try row.base.map({ try FileRecord($0).facts }) else { continue }
                guard !row.isDamaged else {
                    if !facts.isDeleted { inside.holds = true }
                    continue
                }
                let isMoved = try row.local.map { try FileRecord($0).facts.parent != facts.parent }
                if facts.scope == row.id, isMoved != true { inside.holds = true }
                if row.type == .folder { inside.folders.append(row.id) }
            }
            return inside
        }
    }
}
