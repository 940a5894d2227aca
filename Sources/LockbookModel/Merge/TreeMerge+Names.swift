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
    /// Gives every file a name of its own: by joining two documents, or by a number.
    mutating func settleNames() throws -> Bool {
        var taken: [NamedPlace: FileID] = [:]
        // Names that files of this merge have, also those that come later.
        var wanted: [NamedPlace: FileID] = [:]
        var changed = false
        // A second copy comes where what it is of would: its own id was drawn just now, and the
        // same merge has to give the same names each time.
        var ranked: [(rank: Int, order: FileID, id: FileID)] = []
        for (id, file) in plan.files
        where id != root && !file.isDeleted && !plan.removed.contains(id) {
            wanted[NamedPlace(file.name, in: file.parent)] = id
            ranked.append((try rank(id, file), copies[id] ?? id, id))
        }
        // The server's names stand; those made here come after and give way.
        ranked.sort { ($0.rank, $0.order) < ($1.rank, $1.order) }
        for (_, _, id) in ranked {
            guard let file = plan.files[id] else { continue }
            let place = NamedPlace(file.name, in: file.parent)
            guard let other = try occupant(of: place, name: file.name, taken) else {
                taken[place] = id
                continue
            }
            changed = true
            if try !join(id, file, with: other) { try rename(id, file, taken, wanted) }
            if let file = plan.files[id], !plan.removed.contains(id) {
                taken[NamedPlace(file.name, in: file.parent)] = id
            }
        }
        return changed
    }

    /// Smaller stays, larger gives way.
    private mutating func rank(_ id: FileID, _ file: File) throws -> Int {
        guard let remote = try remoteFile(id) else { return 2 }
        let isMoved =
            file.parent != remote.parent || file.name != remote.name
            || file.isDeleted != remote.isDeleted
        return isMoved ? 1 : 0
    }

    /// Who has a name, among the files of this merge and all others.
    private func occupant(
        of place: NamedPlace,
        name: FileName,
        _ taken: [NamedPlace: FileID]
    ) throws -> FileID? {
        if let other = taken[place] { return other }
        guard let other = try view.child(named: name, of: place.folder), plan.files[other] == nil
        else { return nil }
        return other
    }

    /// Makes a document that was never pushed one with the server's document of that name.
    /// - Returns: false when both have to stay.
    private mutating func join(_ id: FileID, _ file: File, with other: FileID) throws -> Bool {
        guard file.type == .document, local[id] != nil, let winner = try merged(other),
            winner.type == .document, try remoteFile(id) == nil,
            // The other one is new, too: a name alone does not make an old one the same document.
            let remote = remote[other], try base(other) == nil,
            // What was written here of the other one must not be joined away.
            remote.content?.identity == winner.content?.identity
        else { return false }
        let question = ContentQuestion(local: id, remote: other)
        switch outcomes[question] {
        case nil:
            plan.questions.insert(question)
            return true
        case .same: break
        case .merged(let content, let conflicts):
            plan.files[other]?.content = content
            plan.files[other]?.modified = max(file.modified, winner.modified)
            note(conflicts > 0 ? .markers : .merged, other)
        case .keepBoth: return false
        }
        // A program stays one: nobody took that from either of the two.
        if file.isExecutable, !winner.isExecutable {
            plan.files[other]?.isExecutable = true
            plan.files[other]?.modified = max(file.modified, winner.modified)
        }
        plan.removed.insert(id)
        plan.joined[id] = other
        return true
    }

    private mutating func rename(
        _ id: FileID,
        _ file: File,
        _ taken: [NamedPlace: FileID],
        _ wanted: [NamedPlace: FileID]
    ) throws {
        // Names that are cut to the same stem share their numbers, or each would try them all.
        let series = NamedPlace(file.name.numbered(1), in: file.parent)
        var number = numbers[series] ?? 0
        while true {
            number += 1
            let name = file.name.numbered(number)
            let place = NamedPlace(name, in: file.parent)
            guard try occupant(of: place, name: name, taken) == nil, !isWanted(place, wanted)
            else { continue }
            numbers[series] = number
            plan.files[id]?.name = name
            if copies[id] == nil { note(.renamed, id, name: file.name) }
            return
        }
    }

    /// Whether a file of this merge that comes later has the name already.
    private func isWanted(_ place: NamedPlace, _ wanted: [NamedPlace: FileID]) -> Bool {
        guard let other = wanted[place], let file = plan.files[other] else { return false }
        return NamedPlace(file.name, in: file.parent) == place
    }
}
