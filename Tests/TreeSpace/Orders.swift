import LockbookModel

/// What may differ between the trees that two orders of syncing end in.
package enum OrderDifference: String, Sendable, CaseIterable, Comparable {
    /// Which of two files has the name that both wanted, and which has a number behind it.
    case number
    /// Which of two names a file has that both devices renamed.
    case name
    /// Which of two places a file has that both devices moved, and what is below it.
    case place
    /// Which of the moves is undone that together would put a folder into itself.
    case cycle

    package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// One meeting in both orders of syncing.
package struct Orders {
    let base: SmallTree
    let left: SmallTree
    let right: SmallTree
    let leftFirst: Meeting
    let rightFirst: Meeting
    // What second copies are of.
    let originals: [FileID: FileID]

    package init(leftFirst: Meeting, rightFirst: Meeting, table: FileTable) {
        originals = Dictionary(uniqueKeysWithValues: zip(table.copies, table.ids))
        base = leftFirst.base
        right = leftFirst.local
        left = rightFirst.local
        self.leftFirst = leftFirst
        self.rightFirst = rightFirst
    }

    package var hasQuestions: Bool {
        !leftFirst.questions.isEmpty || !rightFirst.questions.isEmpty
    }

    /// Whether both devices made the same file, as after a data folder was copied.
    package var hasTwins: Bool {
        left.files.keys.contains { right.files[$0] != nil && base.files[$0] == nil }
    }

    /// What has to be disregarded for the two trees to be the same; nil when they never are.
    ///
    /// Two trees are the same when they have the same live documents and folders under the same
    /// paths: folders and documents that nobody wrote by their id, written and new ones by what is
    /// in them, since of two files that became one, or one that became two, either may have the id.
    /// What is dead is not compared: how it is marked may differ.
    package func differences() -> Set<OrderDifference>? {
        if leftFirst.result.isSame(as: rightFirst.result) { return [] }
        var all = Set(OrderDifference.allCases)
        let cycles = filesInCycles()
        guard isSame(disregarding: all, cycles) else { return nil }
        for difference in OrderDifference.allCases.sorted() where all.contains(difference) {
            if isSame(disregarding: all.subtracting([difference]), cycles) {
                all.remove(difference)
            }
        }
        return all
    }

    private func isSame(disregarding differences: Set<OrderDifference>, _ cycles: Set<FileID>)
        -> Bool
    {
        let cycles = differences.contains(.cycle) ? cycles : []
        return live(leftFirst, disregarding: differences, cycles)
            == live(rightFirst, disregarding: differences, cycles)
    }

    private func live(
        _ meeting: Meeting,
        disregarding differences: Set<OrderDifference>,
        _ cycles: Set<FileID>
    ) -> [String] {
        let tree = meeting.result
        let isFree = { (id: FileID) in
            (differences.contains(.place) && isContested(id, \.parent))
                || cycles.contains(id)
        }
        return tree.files.keys.filter { tree.isLive($0) }.compactMap { start in
            guard let file = tree.files[start] else { return nil }
            var path: [String] = []
            var id = start
            while let above = tree.files[id], above.parent != id {
                if isFree(id) { return nil }
                let isFreeName = differences.contains(.name) && isContested(id, \.name)
                path.append(isFreeName ? "?" : name(above, disregarding: differences))
                id = above.parent
            }
            return "\(path.reversed().joined(separator: "/")) \(token(file, meeting))"
        }.sorted()
    }

    private func name(_ file: File, disregarding differences: Set<OrderDifference>) -> String {
        let name = file.name.text
        guard differences.contains(.number), let dash = name.firstIndex(of: "-") else {
            return name
        }
        return String(name[..<dash])
    }

    /// What is in a document, as its reader sees it.
    private func token(_ file: File, _ meeting: Meeting) -> String {
        let before = base.files[file.id]
        guard let version = file.content?.version else {
            return before == nil ? "folder" : "folder \(file.id)"
        }
        if version == before?.content?.version { return "unchanged \(file.id)" }
        if meeting.answer == .same { return "written" }
        if left.files.values.contains(where: { $0.content?.version == version }) { return "left" }
        if right.files.values.contains(where: { $0.content?.version == version }) { return "right" }
        return "joined"
    }

    /// Whether both devices changed a field, each in its own way.
    private func isContested<Value: Equatable>(_ id: FileID, _ field: KeyPath<File, Value>) -> Bool
    {
        let id = originals[id] ?? id
        guard let left = left.files[id]?[keyPath: field],
            let right = right.files[id]?[keyPath: field]
        else { return false }
        let before = base.files[id]?[keyPath: field]
        return left != right && left != before && right != before
    }

    /// The files that can be below themselves when moves of both devices are made.
    ///
    /// A file that both devices moved may be in either place: with one of them a cycle closes, with
    /// the other not. A move that is undone may close another cycle with its old place.
    private func filesInCycles() -> Set<FileID> {
        let all = Set(left.files.keys).union(right.files.keys)
        var found: Set<FileID> = []
        while true {
            let more = all.filter { !found.contains($0) && isInCycle($0, undone: found) }
            if more.isEmpty { return found }
            found.formUnion(more)
        }
    }

    private func isInCycle(_ start: FileID, undone: Set<FileID>) -> Bool {
        var reached: Set<FileID> = []
        var open = [start]
        while let id = open.popLast() {
            for above in places(of: id, undone: undone) where above != id {
                if above == start { return true }
                if reached.insert(above).inserted { open.append(above) }
            }
        }
        return false
    }

    /// The folders that a file was moved into, or the one where it stayed or may go back to.
    private func places(of id: FileID, undone: Set<FileID>) -> Set<FileID> {
        let before = base.files[id]?.parent
        let moves = [left.files[id]?.parent, right.files[id]?.parent].compactMap { $0 }
            .filter { $0 != before }
        let stays = moves.isEmpty || undone.contains(id)
        return Set(moves).union(stays ? [before].compactMap { $0 } : [])
    }
}
