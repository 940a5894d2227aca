/// A name in a folder, as names are compared.
struct NamedPlace: Hashable {
    let folder: FileID
    let name: [UInt8]

    init(_ name: FileName, in folder: FileID) {
        self.folder = folder
        self.name = name.normalized
    }
}

extension TreeMerge {
    /// Gives every file a name of its own: by folding, by joining, or by a number.
    mutating func settleNames() throws -> Bool {
        var taken: [NamedPlace: FileID] = [:]
        var changed = false
        wanted = [:]
        for (id, file) in plan.files where !file.isDeleted && !plan.removed.contains(id) {
            wanted[NamedPlace(file.name, in: file.parent)] = id
        }
        // The server's names stand; those made here come after and give way.
        let ids = plan.files.keys.filter { $0 != root && !plan.removed.contains($0) }
        for id in ids.map(rank).sorted().map(\.id) {
            guard let file = plan.files[id], !file.isDeleted, !plan.removed.contains(id) else {
                continue
            }
            let place = NamedPlace(file.name, in: file.parent)
            guard let other = try occupant(of: place, name: file.name, besides: id, taken) else {
                taken[place] = id
                continue
            }
            changed = true
            try resolve(id, against: other, &taken)
            guard plan.questions.isEmpty else { return true }
            if let file = plan.files[id], !plan.removed.contains(id) {
                taken[NamedPlace(file.name, in: file.parent)] = id
            }
        }
        return changed
    }

    /// Smaller stays, larger gives way.
    private func rank(_ id: FileID) -> Rank {
        guard let file = plan.files[id] else { return Rank(order: 0, id: id) }
        guard let remote = remoteFile(id) else { return Rank(order: 2, id: id) }
        let isMoved =
            file.parent != remote.parent || file.name != remote.name
            || file.isDeleted != remote.isDeleted
        return Rank(order: isMoved ? 1 : 0, id: id)
    }

    private struct Rank: Comparable {
        let order: Int
        let id: FileID

        static func < (left: Rank, right: Rank) -> Bool {
            (left.order, left.id) < (right.order, right.id)
        }
    }

    /// Who has a name, among the files of this merge and all others.
    private func occupant(
        of place: NamedPlace,
        name: FileName,
        besides id: FileID,
        _ taken: [NamedPlace: FileID]
    ) throws -> FileID? {
        if let other = taken[place], other != id { return other }
        guard let other = try view.child(named: name, of: place.folder), other != id,
            plan.files[other] == nil, !plan.removed.contains(other)
        else { return nil }
        return other
    }

    private mutating func resolve(
        _ id: FileID,
        against other: FileID,
        _ taken: inout [NamedPlace: FileID]
    ) throws {
        guard let file = plan.files[id], let winner = try merged(other) else { return }
        let isNew = remoteFile(id) == nil
        if isNew, file.type == .folder, winner.type == .folder {
            fold(id, into: other)
            return
        }
        if isNew, file.type == .document, winner.type == .document,
            remoteFile(other) != nil, self.local[id] != nil
        {
            let question = ContentQuestion(local: id, remote: other)
            switch outcomes[question] {
            case nil:
                plan.questions.insert(question)
                return
            case .same:
                plan.removed.insert(id)
                return
            case .merged(let content, let conflicts):
                plan.files[other] = plan.files[other] ?? winner
                plan.files[other]?.content = content
                plan.files[other]?.modified = max(file.modified, winner.modified)
                plan.removed.insert(id)
                note(conflicts > 0 ? .markers : .merged, other)
                return
            case .keepBoth: break
            }
        }
        try rename(id, file, taken)
    }

    /// Puts everything in a folder made here into the one that is already there.
    private mutating func fold(_ id: FileID, into other: FileID) {
        for (child, file) in plan.files where file.parent == id && child != id {
            plan.files[child]?.parent = other
        }
        plan.removed.insert(id)
        note(.folded, other)
    }

    private mutating func rename(_ id: FileID, _ file: File, _ taken: [NamedPlace: FileID])
        throws
    {
        var number = numbers[NamedPlace(file.name, in: file.parent)] ?? 0
        while true {
            number += 1
            let name = file.name.numbered(number)
            let place = NamedPlace(name, in: file.parent)
            guard try occupant(of: place, name: name, besides: id, taken) == nil,
                !isWanted(place, besides: id)
            else { continue }
            numbers[NamedPlace(file.name, in: file.parent)] = number
            plan.files[id]?.name = name
            wanted[place] = id
            if !plan.notes.contains(where: { $0.file == id && $0.kind == .keptBoth }) {
                note(.renamed, id, name: file.name)
            }
            return
        }
    }

    /// Whether a file of this merge that comes later has the name already.
    private func isWanted(_ place: NamedPlace, besides id: FileID) -> Bool {
        guard let other = wanted[place], other != id, !plan.removed.contains(other),
            let file = plan.files[other], !file.isDeleted
        else { return false }
        return NamedPlace(file.name, in: file.parent) == place
    }
}
