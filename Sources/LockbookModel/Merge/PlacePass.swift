/// Whether a file can have children for people to see.
enum Standing: Equatable {
    case live, dead, missing
    /// In a cycle, or below one: nobody knows before the next round undoes it.
    case cyclic
    /// In a dead folder as long as this file is, which may go back to a live one yet.
    case waiting(for: FileID)
}

/// What a round made of the places of files.
enum PlacesOutcome {
    /// All stand where they can stay.
    case settled
    case changed
    /// Moves were undone, and what stands in dead folders was not put in the trash yet.
    case undoing
}

/// The places of files, as far as one pass has come.
struct PlacePass {
    /// Whether what stands in a dead folder goes to the trash.
    var letsDie = false
    /// What would.
    var dying: Set<FileID> = []
    /// What stands in a dead folder and may go back yet, folders before what stands in them.
    var waiting: [FileID] = []
    var hasChanged = false
    /// Whether the standing of what was changed is final, too, but for what is waited for.
    var isFinal = false
    /// What was waited for and has gone back since.
    var back: Set<FileID> = []
    /// What the answers since this was emptied are waiting for.
    var awaited: [FileID] = []
    private var known: [FileID: Standing]

    init(root: FileID) {
        known = [root: .live]
    }

    subscript(id: FileID) -> Standing? {
        get {
            if case .waiting(let other) = known[id], back.contains(other) { return .live }
            return known[id]
        }
        set { known[id] = newValue }
    }
}
