import LockbookModel
import Testing

@testable import LockbookEngine

/// Which folders hold something, in drawn trees and in deep ones.
struct FoldersHoldingTests {
    private func folder(_ number: Int) throws -> FileID {
        var bytes = [UInt8](repeating: 0, count: 16)
        (bytes[14], bytes[15]) = (UInt8(number / 256), UInt8(number % 256))
        return try #require(FileID(bytes))
    }

    @Test func `a chain of folders is looked through once, from wherever it is asked for`() throws {
        let chain = try (0..<1_000).map { try folder($0) }
        for end in [true, false] {
            var looks = 0
            let folders = FoldersHolding { id in
                looks += 1
                let below = try #require(chain.firstIndex(of: id)) + 1
                return FoldersHolding.Inside(
                    holds: below == chain.count && end,
                    folders: below < chain.count ? [chain[below]] : []
                )
            }
            for id in chain[500...] + chain[...] { #expect(try folders.holds(id) == end) }
            #expect(looks == chain.count)
        }
    }

    @Test(arguments: UInt64(1)...100)
    func `they are those that a walk finds it in`(seed: UInt64) throws {
        var dice = PurgeTrialTests.Dice(state: seed)
        let ids = try (0..<Int.random(in: 2...60, using: &dice)).map { try folder($0) }
        var children: [FileID: [FileID]] = [:]
        var marked: Set<FileID> = []
        for number in 1..<ids.count {
            let parent = ids[Int.random(in: 0..<number, using: &dice)]
            children[parent, default: []].append(ids[number])
            if Int.random(in: 0..<8, using: &dice) == 0 { marked.insert(parent) }
        }
        // One that leads to itself ends as well.
        if seed.isMultiple(of: 4) { children[ids[ids.count - 1], default: []].append(ids[0]) }
        func isHeld(in id: FileID) -> Bool {
            var (seen, pending) = (Set([id]), [id])
            while let next = pending.popLast() {
                if marked.contains(next) { return true }
                pending += (children[next] ?? []).filter { seen.insert($0).inserted }
            }
            return false
        }
        var looks: [FileID: Int] = [:]
        let folders = FoldersHolding { id in
            looks[id, default: 0] += 1
            return FoldersHolding.Inside(
                holds: marked.contains(id),
                folders: children[id] ?? []
            )
        }
        let asked = seed.isMultiple(of: 4) ? [ids[0]] : ids.shuffled(using: &dice)
        for id in asked { #expect(try folders.holds(id) == isHeld(in: id)) }
        #expect(looks.values.allSatisfy { $0 == 1 })
    }
}
