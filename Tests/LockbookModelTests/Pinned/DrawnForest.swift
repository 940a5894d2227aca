import LockbookCrypto
import LockbookModel
import TreeSpace

/// A tree of a few files and what two devices made of it apart, in every way that records allow.
struct DrawnForest {
    private(set) var base: SmallTree
    private(set) var local: SmallTree
    private(set) var remote: SmallTree
    /// How contents come together when the merge asks.
    private let answers: [ContentQuestion.Answer]

    private var random: Seeded
    /// Whether what no tree allows is drawn now.
    private var isWild = false

    private static let names = [
        "a", "a", "b", "b", "a-1", "a.md", "a-1.md", "\u{e9}", "e\u{301}", ".a",
        String(repeating: "x", count: 255), String(repeating: "x", count: 252) + ".md",
        String(repeating: "€", count: 84) + "a-1",
    ]

    init(seed: UInt64, files: Int, edits: Int) throws {
        random = Seeded(seed)
        answers = [.same, .merged, .marked, .keepBoth].shuffled(using: &random)
        let root = try TreeStory.file(TreeStory.root, in: TreeStory.root, "alice", isFolder: true)
        base = SmallTree(files: [root.id: root])
        (local, remote) = (base, base)
        for number in 0..<Int.random(in: 0...files, using: &random) {
            base = try adding(Self.id(number), to: base)
        }
        for _ in 0..<Int.random(in: 0...2, using: &random) { base = try changed(base, from: 20) }
        (local, remote) = (base, base)
        for _ in 0..<Int.random(in: 0...edits, using: &random) {
            local = try changed(local, from: 40)
        }
        for _ in 0..<Int.random(in: 0...edits, using: &random) {
            remote = try changed(remote, from: 60)
        }
        if Int.random(in: 0..<8, using: &random) > 0 { remote = remote.settled(over: base) }
    }

    private static func id(_ number: Int) -> FileID {
        FileID(random: .seeded(UInt64(number) + 1_000))
    }

    private mutating func draw(_ range: Range<Int>) -> Int { Int.random(in: range, using: &random) }

    private mutating func adding(_ id: FileID, to tree: SmallTree) throws -> SmallTree {
        let folders = tree.files.values.filter { $0.type == .folder }.map(\.id).sorted()
        let name = Self.names[draw(0..<Self.names.count)]
        let parent = folders[draw(0..<folders.count)]
        var file = try TreeStory.file(id, in: parent, name, isFolder: draw(0..<2) == 0)
        if file.type == .document, draw(0..<5) > 0 { file.content = try content() }
        if !tree.isLive(parent), draw(0..<4) > 0 { file.dieWithFolder() }
        return kept(file, in: tree)
    }

    /// Puts a file in a tree if the tree is one then.
    private func kept(_ file: File, in tree: SmallTree) -> SmallTree {
        var changed = tree
        changed.files[file.id] = file
        return isWild || changed.defect == nil ? changed : tree
    }

    private mutating func content() throws -> Content {
        let key = ContentKey(random: .seeded(1))
        let facts = try ContentSealer.seal([UInt8(draw(0..<4))], key: key, bound: []).facts
        return Content(
            version: VersionID(random: .seeded(random.next() % 64)),
            key: key,
            facts: facts
        )
    }

    private mutating func changed(_ tree: SmallTree, from new: Int) throws -> SmallTree {
        let files = tree.files.keys.sorted().filter { $0 != TreeStory.root }
        guard let id = files.randomElement(using: &random), var file = tree.files[id],
            draw(0..<6) > 0
        else {
            // Now and then both devices make the same file, as a copied data folder does.
            return try adding(Self.id(draw(0..<4) == 0 ? 90 : new + tree.files.count), to: tree)
        }
        file.modified = Timestamp(milliseconds: Int64(draw(0..<5)))
        switch draw(0..<16) {
        case 0, 1, 2, 3:
            let folders = tree.files.values.filter { $0.type == .folder }.map(\.id).sorted()
            file.parent = folders[draw(0..<folders.count)]
            if draw(0..<4) == 0 { file.name = try FileName(Self.names[draw(0..<Self.names.count)]) }
        case 4, 5, 6: file.name = try FileName(Self.names[draw(0..<Self.names.count)])
        case 7, 8: file.isDeleted = true
        case 9: file.isDeleted = false
        case 10: file.dieWithFolder()
        case 11: file.isExecutable.toggle()
        case 12: file.epoch += 1
        case 13 where draw(0..<4) == 0: file.parentEpoch += 1
        default: if file.type == .document { file.content = draw(0..<9) == 0 ? nil : try content() }
        }
        return kept(file, in: tree)
    }

    /// The merge on the second device, every question answered.
    func merged() throws -> (plan: MergePlan, questions: [ContentQuestion]) {
        let view = CountedView(SmallView(local: local, agreed: base))
        var outcomes: [ContentQuestion: ContentOutcome] = [:]
        var questions: [ContentQuestion] = []
        while true {
            var merge = TreeMerge(
                view: view,
                root: TreeStory.root,
                remote: remote.changes(since: base),
                local: local.changes(since: base),
                outcomes: outcomes
            )
            let plan = try merge.run()
            if plan.questions.isEmpty { return (plan, questions) }
            let new = plan.questions.sorted { ($0.local, $0.remote) < ($1.local, $1.remote) }
            for question in new {
                let answer = answers[questions.count % answers.count]
                outcomes[question] = try outcome(of: question, answer)
                questions.append(question)
            }
        }
    }

    private func outcome(of question: ContentQuestion, _ answer: ContentQuestion.Answer) throws
        -> ContentOutcome
    {
        let mine = local.files[question.local]?.content
        switch answer {
        case .same: return .same
        case .keepBoth:
            let isOne = question.local == question.remote
            let copy = FileID(random: .seeded(UInt64(question.local.bytes[0]) + 5_000))
            return .keepBoth(copy: isOne ? copy : question.local, isOne ? mine : nil)
        case .merged, .marked:
            guard var content = mine ?? remote.files[question.remote]?.content else { return .same }
            content.version = VersionID(random: .seeded(UInt64(question.local.bytes[0]) + 9_000))
            return .merged(content, conflicts: answer == .marked ? 2 : 0)
        }
    }
}

extension ContentQuestion {
    /// What a merge of two contents may come to.
    enum Answer: Sendable {
        case same, merged, marked, keepBoth
    }
}

extension Pin {
    mutating func add(_ file: File) {
        add(file.id.bytes)
        add(file.parent.bytes)
        add(file.name.text)
        add([file.isDeleted, file.diedWithFolder, file.isExecutable, file.content != nil])
        add(file.content?.version.bytes ?? [])
        add(Int(file.modified.milliseconds))
        add(Int(file.epoch) << 32 | Int(file.parentEpoch))
        add(file.bodyExtension)
    }

    mutating func add(_ plan: MergePlan) {
        add(plan.rounds)
        for (_, file) in plan.files.sorted(by: { $0.key < $1.key }) { add(file) }
        for id in plan.removed.sorted() { add(id.bytes) }
        for note in plan.notes {
            add("\(note.kind)")
            add(note.file.bytes)
            add(note.name?.text ?? "")
        }
    }
}
