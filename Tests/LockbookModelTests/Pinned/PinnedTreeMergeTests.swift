import LockbookCrypto
import LockbookModel
import Testing
import TreeSpace

/// What merges of trees give: every file, every note in its order, and the rounds it took.
struct PinnedTreeMergeTests {
    @Test(arguments: [
        (3, 3, "c4bc65778d842ab2"), (7, 6, "1b503ea6633dd92d"), (14, 12, "06c7ec713146e3d6"),
    ])
    func `drawn trees`(files: Int, edits: Int, pinned: String) throws {
        var pin = Pin()
        for seed in 0..<UInt64(1_500) {
            let drawn = try DrawnForest(seed: seed, files: files, edits: edits)
            do {
                let (plan, questions) = try drawn.merged()
                pin.add(plan)
                for question in questions {
                    pin.add(question.local.bytes)
                    pin.add(question.remote.bytes)
                }
            } catch is UnsettledMerge {
                pin.add("unsettled")
            }
        }
        #expect(pin.text == pinned)
    }

    @Test func `which files say the same`() throws {
        var pin = Pin()
        for seed in 0..<UInt64(2_000) {
            let drawn = try DrawnForest(seed: seed, files: 8, edits: 5)
            for (id, one) in drawn.local.files.sorted(by: { $0.key < $1.key }) {
                guard let other = drawn.remote.files[id] else { continue }
                pin.add([one.isSame(as: other), one.looksSame(as: other)])
                pin.add(one.settledBelowDead(base: other))
                pin.add(one.settledBelowDead(base: nil))
                var dead = one
                dead.dieWithFolder()
                pin.add(dead)
                dead.isDeleted = false
                pin.add(dead)
            }
        }
        #expect(pin.text == "a341d04bfd6b66e3")
    }

    @Test(arguments: [(false, "d880e5fc505a3439"), (true, "6e4b6e20ac5070e3")])
    func `what a validator says of drawn changes`(isSeenInPart: Bool, pinned: String) throws {
        var pin = Pin()
        for seed in 0..<UInt64(4_000) {
            var random = Seeded(seed)
            let drawn = try DrawnForest(seed: seed, files: 7, edits: 4)
            pin.add(verdict(drawn, isSeenInPart, &random))
        }
        #expect(pin.text == pinned)
    }

    /// The first violation in what a device would push, some of it tampered with.
    private func verdict(_ drawn: DrawnForest, _ isSeenInPart: Bool, _ random: inout Seeded)
        -> String
    {
        let ids = drawn.base.files.keys.sorted()
        func some(_ chance: Int) -> Set<FileID> {
            Set(ids.filter { _ in Int.random(in: 0..<chance, using: &random) == 0 })
        }
        var changes = drawn.local.changes(since: drawn.base).keys.sorted()
            .compactMap { drawn.local.facts($0) }
        for index in changes.indices where Int.random(in: 0..<6, using: &random) == 0 {
            tamper(&changes[index], ids, &random)
        }
        if Int.random(in: 0..<20, using: &random) == 0, let first = changes.first {
            changes.append(first)
        }
        let purged = Int.random(in: 0..<3, using: &random) == 0 ? some(4) : []
        let kept = some(12)
        var validator = PushValidator(
            before: drawn.base,
            owner: TreeStory.owner,
            refusesDead: Int.random(in: 0..<3, using: &random) > 0,
            tops: isSeenInPart ? some(4) : [],
            seenFrom: isSeenInPart ? some(4) : []
        )
        let author = Int.random(in: 0..<4, using: &random) > 0 ? TreeStory.owner : nil
        do {
            if purged.isEmpty {
                try validator.validate(changes, by: author) { !kept.contains($0.id) }
            } else {
                changes.removeAll { purged.contains($0.id) }
                try validator.validate(changes, purging: purged, by: author) {
                    !kept.contains($0.id)
                }
            }
            return "fine"
        } catch {
            return "\(error)"
        }
    }

    private func tamper(_ facts: inout FileFacts, _ ids: [FileID], _ random: inout Seeded) {
        let other = AccountID(hash: Hash256(sha256: [2]))
        switch Int.random(in: 0..<14, using: &random) {
        case 0: facts.owner = other
        case 1: facts.author = other
        case 2: facts.type = facts.type == .folder ? .document : .folder
        case 3: facts.epoch = UInt32.random(in: 1...4, using: &random)
        case 4: facts.parentEpoch = UInt32.random(in: 1...4, using: &random)
        case 5: facts.scope = facts.id
        case 6: facts.scope = ids.randomElement(using: &random) ?? facts.scope
        case 7: facts.parent = facts.id
        case 8: facts.id = TreeStory.root
        case 9: facts.parent = TreeStory.id("Z")
        case 10: facts.nameTag = Hash256(sha256: [3])
        case 11: facts.isDeleted.toggle()
        case 12:
            facts.blob = BlobReference(name: BlobName(hash: Hash256(sha256: [4])), size: 1)
        default: facts.parent = ids.randomElement(using: &random) ?? facts.parent
        }
    }
}
