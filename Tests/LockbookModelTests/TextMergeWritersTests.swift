import Testing

@testable import LockbookModel

/// Several devices that write one text at the same time, again and again, and leave the conflicts there.
@Suite struct TextMergeWritersTests {
    /// What each device has, and what it started from.
    private struct Writers {
        private(set) var server: [UInt8]
        private var base: [[UInt8]]
        private(set) var texts: [[UInt8]]
        private(set) var written = 0

        init(_ text: String, count: Int) {
            server = Array(text.utf8)
            base = Array(repeating: server, count: count)
            texts = base
        }

        mutating func write(_ device: Int, _ change: (inout [UInt8]) -> Void) {
            let before = texts[device].count
            change(&texts[device])
            written += max(0, texts[device].count - before)
        }

        /// Writes a line at the end or anywhere.
        mutating func insert(_ line: String, on device: Int, using random: inout Seeded) {
            let isAppended = Bool.random(using: &random)
            write(device) { text in
                let starts = [0] + text.indices.filter { text[$0] == 0x0A }.map { $0 + 1 }
                let at = isAppended ? text.count : starts.randomElement(using: &random) ?? 0
                text.insert(contentsOf: "\(line)\n".utf8, at: at)
            }
        }

        mutating func append(_ line: String, on device: Int) {
            write(device) { $0 += "\(line)\n".utf8 }
        }

        /// Decides one of the conflicts that a device has, in whatever others it is.
        mutating func decide(on device: Int, using random: inout Seeded) {
            let blocks = ConflictBlocks(in: texts[device])
            var places = 0
            _ = blocks.resolved(keeping: .local) { _, _ in
                places += 1
                return .neither
            }
            guard places > 0 else { return }
            let chosen = Int.random(in: 0..<places, using: &random)
            let sides = [ConflictSide.local, .remote, .both]
            let side = sides[Int.random(in: 0..<3, using: &random)]
            var place = -1
            texts[device] = blocks.resolved(keeping: side) { _, _ in
                place += 1
                return place == chosen ? .first : .neither
            }
        }

        mutating func sync(_ device: Int) throws {
            if texts[device] != base[device] {
                server = try merged(base[device], texts[device], server, device)
            }
            base[device] = server
            texts[device] = server
        }

        private func merged(
            _ base: [UInt8],
            _ local: [UInt8],
            _ remote: [UInt8],
            _ device: Int
        ) throws -> [UInt8] {
            let outcome = TextMerge.merge(
                base: base,
                local: local,
                remote: remote,
                labels: MergeLabels(local: "alice on d\(device)", remote: "alice on other"),
                fileExtension: "md"
            )
            guard case .merged(let text, _) = outcome else { throw NoText() }
            return text
        }
    }

    private struct NoText: Error {}

    private func lines(_ text: [UInt8]) -> [String] {
        text.split(separator: 0x0A).map { String(decoding: $0, as: UTF8.self) }
    }

    @Test(arguments: [2, 3, 4, 5])
    func `lines that devices append in turn stand there once, whoever syncs first`(count: Int)
        throws
    {
        var writers = Writers("start\n", count: count)
        var added: Set<String> = []
        for round in 0..<12 {
            for device in 0..<count {
                added.insert("d\(device)r\(round)")
                writers.append("d\(device)r\(round)", on: device)
            }
            for step in 0..<count { try writers.sync((step + round) % count) }
        }
        let found = lines(writers.server)
        #expect(found.filter(added.contains).count == added.count)
        #expect(Set(found).isSuperset(of: added))
        #expect(ConflictBlocks(in: writers.server).isWhole)
        #expect(writers.server.count < writers.written * 16)
    }

    @Test(arguments: UInt64(0)..<40)
    func `what is written at any time, by any device, grows with what is written`(seed: UInt64)
        throws
    {
        var random = Seeded(seed)
        let count = 3 + Int(seed % 3)
        var writers = Writers("one\ntwo\nthree\n", count: count)
        var added: Set<String> = []
        for step in 0..<40 * count {
            let device = Int.random(in: 0..<count, using: &random)
            guard Bool.random(using: &random) else {
                try writers.sync(device)
                continue
            }
            let line = "d\(device)s\(step)"
            added.insert(line)
            writers.insert(line, on: device, using: &random)
        }
        for device in [Array(0..<count), Array(0..<count)].joined() { try writers.sync(device) }
        #expect(Set(lines(writers.server)).isSuperset(of: added))
        #expect(writers.server.count < writers.written * 32)
        #expect(writers.texts.allSatisfy { $0 == writers.server })
    }

    /// Decisions with lines beside them are none to the merge, and may still overlap and double.
    @Test(arguments: UInt64(0)..<40)
    func `what is decided without seeing what others decide grows little`(seed: UInt64) throws {
        var random = Seeded(seed)
        let count = 2 + Int(seed % 4)
        var writers = Writers("one\ntwo\nthree\n", count: count)
        var largest = 0
        for step in 0..<300 {
            let device = Int.random(in: 0..<count, using: &random)
            switch Int.random(in: 0..<4, using: &random) {
            case 0: writers.insert("d\(device)s\(step)", on: device, using: &random)
            case 1: writers.decide(on: device, using: &random)
            default: try writers.sync(device)
            }
            largest = max(largest, writers.server.count)
        }
        for device in [Array(0..<count), Array(0..<count)].joined() { try writers.sync(device) }
        #expect(ConflictBlocks(in: writers.server).isWhole)
        #expect(largest < writers.written * 100)
        #expect(writers.texts.allSatisfy { $0 == writers.server })
    }

    private func merge(_ base: String, _ local: String, _ remote: String) -> String? {
        let outcome = TextMerge.merge(
            base: Array(base.utf8),
            local: Array(local.utf8),
            remote: Array(remote.utf8),
            labels: MergeLabels(local: "l", remote: "r"),
            fileExtension: "txt"
        )
        guard case .merged(let text, _) = outcome else { return nil }
        return String(decoding: text, as: UTF8.self)
    }

    private let nested = """
        start
        <<<<<<<< c
        c1
        ========
        <<<<<<< b
        b1
        =======
        a1
        >>>>>>> a
        >>>>>>>> x

        """

    @Test func `a change belongs into the version that it is one of, however deep that stands`() {
        let result = merge("start\na1\n", "start\na1\na2\n", nested)
        #expect(result == nested.replacing("a1\n", with: "a1\na2\n"))
        #expect(merge("start\na1\n", nested, "start\na1\na2\n") == result)
    }

    @Test func `a change of an older conflict belongs into it, also where others wrote in it`() {
        let old = "start\n<<<<<<< b\nb1\n=======\na1\n>>>>>>> a\n"
        let now = nested.replacing("a1\n", with: "a1\na2\n")
        #expect(merge(old, old + "b2\n", now) == now.replacing(" a\n", with: " a\nb2\n"))
    }

    @Test func `what stands whole in a conflict is no third version of it`() {
        #expect(merge("start\n", "start\na1\n", nested) == nested)
        #expect(merge("start\n", nested, "start\na1\n") == nested)
    }

    @Test
    func `one version that somebody decided for stands beside what another one wrote in both`() {
        let old = "<<<<<<< b\nb1\n=======\na1\n>>>>>>> a\n"
        let now = old.replacing("b1", with: "b2").replacing("a1", with: "a2")
        #expect(merge(old, "b1\n", now) == now)
        #expect(merge(old, now, "b1\n") == now)
    }

    /// A place whose versions two devices made.
    private func place(_ first: String, _ second: String, length: Int = 7) -> String {
        func marker(_ sign: String) -> String { String(repeating: sign, count: length) }
        return "\(marker("<")) a\n\(first)\(marker("="))\n\(second)\(marker(">")) b\n"
    }

    @Test func `what was taken out does not come back with what stands around a version`() {
        let held = "a\nb\n" + place("x\n", "c\n")
        #expect(
            merge("a\nb\nc\n", "a\nc\n", held)
                == "a\n<<<<<<<< l\nc\n========\nb\n" + place("x\n", "c\n") + ">>>>>>>> r\n"
        )
        let like = place("a\nb2\n", "a\nb\n") + "c\n"
        let result = merge("a\nb\nc\n", "a'\nb\n", like)
        #expect(result?.hasPrefix("<<<<<<<< l\na'\nb\n========\n") == true)
    }

    @Test func `of two versions that are alike it is the one further out that a change is of`() {
        let remote = place(place("y\n", "x\n"), "x\n", length: 8)
        #expect(
            merge("x\n", "x\nmine\n", remote)
                == place(place("y\n", "x\n"), "x\nmine\n", length: 8)
        )
    }

    @Test func `two new conflicts that end with the same line are not one`() throws {
        let base = "l1\nl2\nl3\nk8\n"
        let local = "l1\nl2\nl3\n" + place("k10\n", "k8\n")
        let remote = "l1\nl2\n" + place("k1\n", "l3\nk8\n")
        for (one, other) in [(local, remote), (remote, local)] {
            let result = try #require(merge(base, one, other))
            #expect(ConflictBlocks(in: Array(result.utf8)).isWhole)
            #expect(["l1", "l3", "k10", "k8", "k1"].allSatisfy(lines(Array(result.utf8)).contains))
        }
    }

    @Test func `of two conflicts that each have the base neither is first for being here`() {
        let local = place("l4\n", "k7\n") + "k14\n"
        let remote = place("k8\n", "k7\n")
        let result = merge("k7\n", local, remote)
        #expect(result == merge("k7\n", remote, local))
        #expect(result?.contains("k14") == true)
    }

    @Test func `many conflicts beside one another are compared with few lines each`() {
        let count = 3_000
        let base = (0..<count).map { "t\($0)\n" }.joined()
        let local = (0..<count).map { "t\($0) mine\n" }.joined()
        let remote = (0..<count).map { place("t\($0) q\n", "t\($0)\n") }.joined()
        #expect(merge(base, local, remote)?.contains("t2999 mine") == true)
    }

    @Test func `lines that look like markers are put into no conflict`() {
        let stray = "start\na1\n=======\n"
        let result = merge("start\na1\n", stray, nested)
        #expect(result?.contains("<<<<<<<<< l\na1\n=======\n=========\n") == true)
    }
}
