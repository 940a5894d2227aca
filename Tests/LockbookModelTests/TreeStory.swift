import LockbookCrypto
import LockbookModel
import TreeSpace

/// A merge told in paths: for each file, by a letter, where it is in each of three trees.
///
/// `notes/` is a folder, `†x` is deleted, `‡x` died with its folder, `x=2` is a document with its
/// second content; `§team/` is shared by itself. A file that a tree does not name is not there.
struct TreeStory {
    typealias Drawing = [Character: String]

    private(set) var plan = MergePlan()
    private(set) var result: Drawing = [:]
    private(set) var view: CountedView

    /// - Parameter isMember: whether the tree is another account's.
    init(
        base: Drawing = [:],
        local: Drawing,
        remote: Drawing,
        answer: Answer = .keepBoth,
        isMember: Bool = false
    ) throws {
        let trees = try [base, local, remote].map { try Self.tree($0) }
        let counted = CountedView(
            SmallView(local: trees[1], agreed: trees[0]),
            isMember: isMember
        )
        view = counted
        var outcomes: [ContentQuestion: ContentOutcome] = [:]
        repeat {
            var merge = TreeMerge(
                view: counted,
                root: Self.root,
                remote: trees[2].changes(since: trees[0]),
                local: trees[1].changes(since: trees[0]),
                outcomes: outcomes
            )
            plan = try merge.run()
            for question in plan.questions {
                outcomes[question] = try Self.outcome(of: question, answer, trees[1])
            }
        } while !plan.questions.isEmpty
        var merged = trees[1]
        for (id, file) in plan.files { merged.files[id] = file }
        for id in plan.removed { merged.files[id] = nil }
        result = Self.drawing(of: merged)
    }

    /// The kinds of the notes, each once.
    var notes: Set<MergeNote.Kind> { Set(plan.notes.map(\.kind)) }

    static let owner = AccountID(hash: Hash256(sha256: [1]))
    static let root = FileID(rootOf: owner)

    static func id(_ letter: Character) -> FileID {
        FileID(random: .seeded(UInt64(letter.asciiValue ?? 0)))
    }

    static func file(_ id: FileID, in parent: FileID, _ name: String, isFolder: Bool) throws -> File
    {
        File(
            id: id,
            parent: parent,
            type: isFolder ? .folder : .document,
            name: try FileName(name),
            at: Timestamp(milliseconds: 0),
            author: owner,
            device: DeviceID(random: .seeded(1)),
            deviceName: "laptop",
            scope: root
        )
    }

    /// What a merge makes of one file that both sides changed, or made, in a tree that they agreed on.
    static func plan(local: File, remote: File, agreed: SmallTree) throws -> MergePlan {
        var here = agreed
        here.files[local.id] = local
        var merge = TreeMerge(
            view: SmallView(local: here, agreed: agreed),
            root: root,
            remote: [remote.id: remote],
            local: [local.id: local],
            outcomes: [:]
        )
        return try merge.run()
    }

    private static func tree(_ drawing: Drawing) throws -> SmallTree {
        var tree = SmallTree(files: [root: try file(root, in: root, "alice", isFolder: true)])
        var folders = ["": root]
        for (letter, text) in drawing where text.hasSuffix("/") {
            folders[text.filter { !"†‡§".contains($0) }] = id(letter)
        }
        for (letter, text) in drawing {
            let parts = text.filter { !"†‡§".contains($0) }.split(separator: "=")
            let path = parts[0].split(separator: "/")
            let above = path.dropLast().map { $0 + "/" }.joined()
            guard let parent = folders[above], let name = path.last else {
                throw FileNameFailure.empty
            }
            var new = try file(
                id(letter),
                in: parent,
                String(name),
                isFolder: text.hasSuffix("/")
            )
            new.isDeleted = text.hasPrefix("†")
            if text.hasPrefix("‡") { new.dieWithFolder() }
            if text.contains("§") { new.scope = new.id }
            if !text.hasSuffix("/") { new.content = try content(parts.count > 1 ? parts[1] : "") }
            tree.files[new.id] = new
        }
        return tree
    }

    private static func content(_ text: Substring) throws -> Content {
        let key = ContentKey(random: .seeded(1))
        let bytes = Array(text.utf8)
        let (_, facts) = try ContentSealer.seal(bytes, key: key, bound: [])
        // The version says what the content is, so that a test can read it back.
        let number = text.utf8.reduce(UInt64(7)) { $0 &* 31 &+ UInt64($1) }
        return Content(version: VersionID(random: .seeded(number)), key: key, facts: facts)
    }

    private static func outcome(of question: ContentQuestion, _ answer: Answer, _ local: SmallTree)
        throws -> ContentOutcome
    {
        switch answer {
        case .same: .same
        case .merged: .merged(try content("both"), conflicts: 0)
        case .keepBoth where question.local != question.remote:
            .keepBoth(copy: question.local, nil)
        case .keepBoth:
            .keepBoth(copy: id("*"), local.files[question.local]?.content)
        }
    }

    /// The tree in the same words; a second copy is `*`.
    private static func drawing(of tree: SmallTree) -> Drawing {
        var texts: [Hash256: String] = [:]
        for text in ["", "1", "2", "3", "both"] {
            if let content = try? content(text[...]) { texts[content.digest] = text }
        }
        var drawing: Drawing = [:]
        for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ*" {
            guard let file = tree.files[id(letter)] else { continue }
            var path = file.name.text + (file.type == .folder ? "/" : "")
            var above = file.parent
            while above != root, let folder = tree.files[above] {
                path = folder.name.text + "/" + path
                above = folder.parent
            }
            let text = file.content.flatMap { texts[$0.digest] } ?? ""
            let death = file.diedWithFolder ? "‡" : file.isDeleted ? "†" : ""
            drawing[letter] = death + path + (text.isEmpty ? "" : "=\(text)")
        }
        return drawing
    }
}

/// A view that counts what it is asked.
final class CountedView: MergeView {
    private let view: SmallView
    private let isMember: Bool
    private let children: [FileID: [[UInt8]: FileID]]
    private(set) var lookups = 0

    init(_ view: SmallView, isMember: Bool = false) {
        self.view = view
        self.isMember = isMember
        var children: [FileID: [[UInt8]: FileID]] = [:]
        for (id, file) in view.local.files where !file.isDeleted && file.parent != id {
            children[file.parent, default: [:]][file.name.normalized] = id
        }
        self.children = children
    }

    func file(_ id: FileID) -> File? {
        lookups += 1
        return view.file(id)
    }

    func base(_ id: FileID) -> File? {
        lookups += 1
        return view.base(id)
    }

    func mayPlace(_ file: File) -> Bool { !isMember || file.scope != file.id }

    func child(named name: FileName, of folder: FileID) -> FileID? {
        lookups += 1
        return children[folder]?[name.normalized]
    }
}

extension RandomSource {
    /// Bytes that are the same for the same seed.
    static func seeded(_ seed: UInt64) -> RandomSource {
        RandomSource { count in
            var random = Seeded(seed)
            return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &random) }
        }
    }
}
