/// A merge that found something to repair in every round, which none should: its plan is no tree.
package struct UnsettledMerge: Error {}

/// Merges what the server has with what was changed here: a pure function over three trees.
///
/// Changes of both sides are laid over each other field by field, then what breaks the tree is
/// repaired by giving way on the local side, until nothing breaks it any more. Every repair makes
/// a local change smaller, renames it once, or puts it in the trash, so the loop ends.
package struct TreeMerge<View: MergeView> {
    let view: View
    let root: FileID
    let remote: [FileID: File]
    let local: [FileID: File]
    let outcomes: [ContentQuestion: ContentOutcome]

    var plan = MergePlan()
    // Files as they were agreed with the server, looked up once.
    var bases: [FileID: File?] = [:]
    // The last number tried for each name.
    var numbers: [NamedPlace: Int] = [:]
    // Second copies, each with the document that it is of.
    var copies: [FileID: FileID] = [:]
    // Moves of the server that were undone here; none is undone twice.
    var rescued: Set<FileID> = []
    // The innermost share that each folder is in, as far as it was asked for since one went elsewhere.
    var sharesAround: [FileID: FileID?] = [:]
    var livesHere: Lives
    var livesThere: Lives
    private var noted: Set<MergeNote> = []

    /// - Parameters:
    ///   - remote: the new state of every file that the server changed.
    ///   - local: the state of every file that was changed here and not pushed.
    package init(
        view: View,
        root: FileID,
        remote: [FileID: File],
        local: [FileID: File],
        outcomes: [ContentQuestion: ContentOutcome]
    ) {
        self.view = view
        self.root = root
        self.remote = remote
        self.local = local
        self.outcomes = outcomes
        livesHere = Lives(root: root)
        livesThere = Lives(root: root)
    }

    package mutating func run() throws -> MergePlan {
        guard !local.isEmpty else {
            // Nothing was changed here, so the server's tree, which the validator accepted, is it.
            plan.files = remote
            plan.rounds = 1
            return plan
        }
        for id in Set(remote.keys).union(local.keys).sorted() { try mergeFields(of: id) }
        guard plan.questions.isEmpty else { return plan }
        try keepDepartures()
        // Each round settles at least one file for good; one more finds that nothing is left.
        for _ in 0...plan.files.count + 2 {
            plan.rounds += 1
            let uncycled = try undoCycles()
            let places = try settlePlaces()
            // What is about to go to the trash takes nobody's name, and is joined with nothing.
            if places == .undoing { continue }
            let folded = try foldFolders()
            let named = try settleNames()
            guard plan.questions.isEmpty else { return plan }
            if !uncycled, places == .settled, !folded, !named {
                try noteDeaths()
                return plan
            }
        }
        throw UnsettledMerge()
    }

    /// The file as it was agreed with the server; nil when it never was.
    mutating func base(_ id: FileID) throws -> File? {
        if let known = bases[id] { return known }
        let file = try view.base(id)
        bases[id] = .some(file)
        return file
    }

    /// The file as the server has it.
    mutating func remoteFile(_ id: FileID) throws -> File? {
        if let file = remote[id] { return file }
        return try base(id)
    }

    /// The file as the merge has it so far.
    func merged(_ id: FileID) throws -> File? {
        if plan.removed.contains(id) { return nil }
        if let file = plan.files[id] { return file }
        return try view.file(id)
    }

    mutating func note(_ kind: MergeNote.Kind, _ id: FileID, name: FileName? = nil) {
        let note = MergeNote(kind: kind, file: id, name: name)
        if noted.insert(note).inserted { plan.notes.append(note) }
    }

    mutating func takeBackNotes(_ kind: MergeNote.Kind, of files: Set<FileID>) {
        let notes = Set(files.map { MergeNote(kind: kind, file: $0, name: nil) })
        noted.subtract(notes)
        plan.notes.removeAll { notes.contains($0) }
    }
}
