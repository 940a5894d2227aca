import LockbookModel

/// Where the files of an export go; made before anything is written, so that an export that makes
/// no sense changes nothing.
struct ForeignPlan {
    /// A file that goes into the lockbook.
    struct Place {
        /// In the other program.
        var id: String
        /// Below the destination.
        var path: [FileName]
        var created: Timestamp?
        var modified: Timestamp?
        /// Makes the note of what stands in the file; nil for what is taken as it is.
        var note: (([UInt8]) throws -> Made)?
    }

    /// What a note becomes here.
    struct Made {
        var bytes: [UInt8]
        /// Attachments that it links to, and that the export does not hold.
        var lost: [String] = []
    }

    /// A note that is no file of its own in the export.
    struct Note {
        var place: Place
        /// Where it comes from, for reports.
        var source: String
        var bytes: [UInt8]
    }

    /// Those that should be there even when nothing is in them.
    var folders: [(id: String, path: [FileName])] = []
    /// By the path of the member.
    var places: [String: Place] = [:]
    var notes: [Note] = []
    var problems: [TransferReport.Problem] = []
    /// What is of no use here: settings, histories.
    var ignored = 0
    /// Notes that are the second version of another one, and stand apart.
    var conflicts = 0
    private var admitted: Set<String> = []
    private var ids: Set<String> = []

    /// Whether a member can be told by its name.
    /// - Throws: `.badExport` where another one has it too.
    mutating func admits(_ member: ForeignMember, of files: ForeignFiles) throws -> Bool {
        guard member.isUTF8 else {
            problem(member.path, "its name is not UTF-8")
            return false
        }
        guard admitted.insert(member.path).inserted else {
            throw files.bad("\(member.path) is in it twice")
        }
        return true
    }

    /// - Throws: `.badExport` where another item has the id too.
    mutating func admits(id: String, of files: ForeignFiles) throws {
        guard ids.insert(id).inserted else { throw files.bad("two items in it have the id \(id)") }
    }

    mutating func problem(_ path: String, _ reason: String) {
        problems.append(TransferReport.Problem(path: path, reason: reason))
    }

    /// Names each tag of which nothing is left here, or that is none of its own here.
    ///
    /// To the reader of tags those are one that differ only in the case of their letters.
    /// - Parameter names: those of all notes.
    mutating func noteTags(_ names: [String]) {
        var first: [String: String] = [:]
        let all = Set(names.map(\.streamSafe)).sorted()
        // What is a tag already is known by its own name.
        for name in all.filter(NoteTag.isTag) + all.filter({ !NoteTag.isTag($0) }) {
            guard let tag = NoteTag.made(of: name) else {
                let isBlank = name.allSatisfy(\.isWhitespace)
                if !isBlank { problem(name, "this tag is lost: it has neither letters nor digits") }
                continue
            }
            let other = first[tag.lowercased()]
            if other == nil { first[tag.lowercased()] = name }
            if let other, other.lowercased() != name.lowercased() {
                problem(name, "this tag is \(tag) here, and cannot be told from \(other)")
            }
        }
    }

    /// A larger text is nothing that somebody wrote.
    static let largestNote = 64 << 20
}
