import Testing

@testable import LockbookModel

/// Texts with two versions between markers: read, decided, and merged once more.
struct ConflictBlocksTests {
    private static let text = """
        before
        <<<<<<< alice on phone
        left
        =======
        right
        >>>>>>> alice on laptop
        after

        """

    private static let marks = String(repeating: "\u{316}\u{301}", count: 250_000)

    private func kept(_ text: String, _ side: ConflictSide) -> String {
        let blocks = ConflictBlocks(in: Array(text.utf8))
        return String(decoding: blocks.resolved(keeping: side), as: UTF8.self)
    }

    @Test func `one side stays, or both without the markers`() {
        #expect(ConflictBlocks(in: Array(Self.text.utf8)).count == 1)
        #expect(kept(Self.text, .local) == "before\nleft\nafter\n")
        #expect(kept(Self.text, .remote) == "before\nright\nafter\n")
        #expect(kept(Self.text, .both) == "before\nleft\nright\nafter\n")
        #expect(
            kept(Self.text.replacing("\n", with: "\r\n"), .local) == "before\r\nleft\r\nafter\r\n"
        )
    }

    @Test func `markers, versions and what is around them are found byte by byte`() {
        let text = lines("a", "<<<<<<< x", "l", "=======", "r", ">>>>>>> y", "b")
        let blocks = ConflictBlocks(in: Array(text.utf8))
        #expect(blocks.markers == [2..<12, 14..<22, 24..<34])
        #expect(blocks.versions == [12..<14, 22..<24])
        #expect(blocks.outside == [0..<2, 34..<36])
        #expect(blocks.isWhole)
        #expect(!ConflictBlocks(in: Array((text + "=======\n").utf8)).isWhole)
        #expect(!ConflictBlocks(in: Array(("<<<<<<< z\n" + text).utf8)).isWhole)
    }

    @Test func `around a version stands what stays, whichever of the others is chosen`() {
        let inner = lines("<<<<<<< b", "p", "=======", "q", ">>>>>>> c")
        let outer =
            lines("<<<<<<<< a", "x") + inner + lines("========", "y", ">>>>>>>> d")
        let other = lines("<<<<<<< f", "m", "=======", "n", ">>>>>>> g")
        let bytes = Array(("o\n" + outer + "e\n" + other).utf8)
        let blocks = ConflictBlocks(in: bytes)
        func texts(_ ranges: [Range<Int>]) -> [String] {
            ranges.map { String(decoding: bytes[$0], as: UTF8.self) }
        }
        #expect(texts(blocks.versions) == ["x\n" + inner, "y\n", "m\n", "n\n", "p\n", "q\n"])
        let (here, there) = (["o\n", "e\n", other], ["o\n", outer, "e\n"])
        let within = ["o\n", "x\n", "e\n", other]
        let wanted = [here, here, there, there, within, within]
        #expect(blocks.versions.map { texts(blocks.around($0)) } == wanted)
    }

    @Test func `lines like markers are strays where they are of no place`() {
        let place = lines("<<<<<<< a", "b", "=======", "c", ">>>>>>> d")
        let texts: [(String, [String])] = [
            ("", []), (place, []), ("=======\n", ["======="]), ("=======", ["======="]),
            ("a\n<<<<<<<\tb\n", ["<<<<<<<\tb"]), (">>>>>>>\r\n", [">>>>>>>\r"]),
            ("=======\r\n", ["=======\r"]), ("======= \n", []), ("<<<<<<\n", []),
            ("<<<<<<<!\n", []), ("|||||||\n", []), (" =======\n", []),
            (place + "=======\n" + place, ["======="]), ("<<<<<<<< e\n" + place, ["<<<<<<<< e"]),
            (place.replacing("b\n", with: ">>>>>>> e\n"), [">>>>>>> e"]),
            (place.replacing("c\n", with: "<<<<<<< e\n=======\n"), ["<<<<<<< a", "======="]),
        ]
        for (text, strays) in texts {
            let found = ConflictBlocks(in: Array(text.utf8)).strays
            let lines = Set(found.map { String(decoding: $0, as: UTF8.self) })
            #expect(lines == Set(strays), "\(text.debugDescription)")
        }
    }

    @Test func `a text ends in a marker where that closes and has no end`() {
        for text in [">>>>>>>", ">>>>>>> a", "b\n>>>>>>>>\ta"] {
            #expect(ConflictBlocks.endsInMarker(Array(text.utf8)), "\(text)")
        }
        for text in [
            "", "a", "=======", "<<<<<<< a", ">>>>>> a", ">>>>>>>a", " >>>>>>> a", ">>>>>>> a\n",
            ">>>>>>> a\nb",
        ] {
            #expect(!ConflictBlocks.endsInMarker(Array(text.utf8)), "\(text)")
        }
    }

    @Test func `there may be places where seven signs that open one stand in a row`() {
        for text in ["<<<<<<<", "<<<<<<< a\n", "a <<<<<<<<"] {
            #expect(ConflictBlocks.mayBe(in: Array(text.utf8)[...]), "\(text)")
        }
        for text in ["", "<<<<<<", "<<<<<< <", "abcdefghij", ">>>>>>> a\n", "<<<<<<x<<<<<<"] {
            #expect(!ConflictBlocks.mayBe(in: Array(text.utf8)[...]), "\(text)")
        }
    }

    @Test func `lines with a marker are of a whole place`() {
        let text = lines("a", "<<<<<<< x", "l", "=======", "r", ">>>>>>> y", "b")
        let cut = CutText(text)
        let markers = MarkerLines(in: cut.bytes.indices, cutInto: cut.lines, of: cut.bytes)
        let marked: [Range<Int>] = [1..<2, 3..<4, 5..<6, 0..<2, 2..<4, 4..<7, 0..<7]
        for lines in marked {
            #expect(markers.conflicts(in: lines, beyond: nil) == 1..<6, "\(lines)")
        }
        let others: [Range<Int>] = [0..<1, 2..<3, 4..<5, 6..<7, 1..<1]
        for lines in others {
            #expect(markers.conflicts(in: lines, beyond: nil) == nil, "\(lines)")
        }
        // What was asked for before is not looked at again.
        #expect(markers.conflicts(in: 0..<7, beyond: 1..<6) == nil)
        #expect(markers.conflicts(in: 0..<4, beyond: 1..<4) == nil)
        #expect(markers.conflicts(in: 0..<6, beyond: 2..<6) == 1..<6)
        #expect(markers.conflicts(in: 1..<6, beyond: 1..<5) == 1..<6)
    }

    @Test func `of two older places the one that nobody touched stays as it is`() throws {
        let block = Self.text.replacing("before\n", with: "").replacing("after\n", with: "")
        let edited = block.replacing("right", with: "right, and more")
        let start = block + lines("one", "two", "three")
        let base: String = start + block + "end\n"
        let decided: String = start + "left\nend\n"
        let wrote: String = start + edited + "end\n"
        let merge = try #require(merged(base, decided, wrote))
        #expect(merge == (wrote, 1))
    }

    @Test func `a place behind the mark of UTF-8 is one`() {
        let text = "\u{FEFF}" + Self.text.replacing("before\n", with: "")
        let blocks = ConflictBlocks(in: Array(text.utf8))
        #expect(blocks.count == 1 && blocks.namesWriters)
        #expect(kept(text, .local) == "\u{FEFF}left\nafter\n")
        #expect(kept(text, .both) == "\u{FEFF}left\nright\nafter\n")
    }

    @Test func `a place in a version of another one is decided with it`() {
        let nested = Self.text.replacing(
            "left\n",
            with: "<<<<<<<< a\none\n========\ntwo\n>>>>>>>> b\n"
        )
        #expect(ConflictBlocks(in: Array(nested.utf8)).count == 1)
        #expect(kept(nested, .local) == "before\none\nafter\n")
        #expect(kept(nested, .remote) == "before\nright\nafter\n")
        #expect(kept(nested, .both) == "before\none\ntwo\nright\nafter\n")
    }

    @Test(arguments: [
        "<<<<<<< a\nb\n", "=======\n>>>>>>> b\n", "<<<<<<< a\n=======\nb\n",
        "<<<<<<\n======\n>>>>>>\n", "a line\n<<<<<< a\n======\n>>>>>> b\n",
        "<<<<<<< a\n======== \n>>>>>>> b\n", ">>>>>>>\n=======\n<<<<<<<\n", "Title\n=======\n", "",
    ])
    func `what is not closed is text`(text: String) {
        #expect(ConflictBlocks(in: Array(text.utf8)).count == 0)
        #expect(kept(text, .local) == text)
        #expect(kept(text + Self.text, .remote) == text + "before\nright\nafter\n")
    }

    @Test func `who wrote the versions of a place is what stands behind the signs`() {
        var labels: [String] = []
        let text = "<<<<<<<  = ann on a !\t \r\nx\n=======\r\ny\n>>>>>>>\tben on b\n"
        _ = ConflictBlocks(in: Array(text.utf8)).resolved(keeping: .both) { first, second in
            labels += [first, second].map { String(decoding: $0, as: UTF8.self) }
            return .first
        }
        #expect(labels == ["= ann on a !", "\tben on b"])
        #expect(ConflictBlocks(in: Array("<<<<<<<!\n=======\n>>>>>>> b\n".utf8)).count == 0)
    }

    @Test func `text and the markers of git name no writers`() {
        #expect(ConflictBlocks(in: Array(Self.text.utf8)).namesWriters)
        #expect(!ConflictBlocks(in: Array("before\nafter\n".utf8)).namesWriters)
        let ofGit = Self.text.replacing("alice on phone", with: "HEAD")
            .replacing("alice on laptop", with: "main")
        #expect(!ConflictBlocks(in: Array(ofGit.utf8)).namesWriters)
    }

    @Test func `of places in one another, the 32 innermost are read`() {
        func place(_ length: Int, around text: String) -> String {
            let signs = ["<", "=", ">"].map { String(repeating: $0, count: length) }
            return "\(signs[0]) a\n\(text)\(signs[1])\ny\n\(signs[2]) b\n"
        }
        let deep = (7..<39).reduce("x\n") { place($1, around: $0) }
        #expect(kept(deep, .local) == "x\n")
        #expect(kept(place(39, around: deep), .local) == place(39, around: "x\n"))
    }

    @Test(arguments: [
        String(repeating: "<<<<<<<\n", count: 131_000),
        String(repeating: "<<<<<<< a on b\nx\n", count: 40_000)
            + String(repeating: "=======\n>>>>>>> a on c\n", count: 40_000),
        String(repeating: "<<<<<<< a on b\n=======\n", count: 40_000),
        (7..<1_200).map { String(repeating: "<", count: $0) + "\n" }.joined(),
        String(repeating: text, count: 9_000),
        // Strings are compared in their normal forms, which takes the square of a run of marks.
        "<<<<<<< a\(marks) on b\n=======\n>>>>>>> a\(marks) on b\n",
    ])
    func `however many places there are, and in one another, they are read`(hostile: String) {
        let blocks = ConflictBlocks(in: Array(hostile.utf8))
        let untouched = blocks.resolved(keeping: .local) { _, _ in .neither }
        #expect(untouched == Array(hostile.utf8))
        _ = blocks.namesWriters
        // What stands behind it is found.
        #expect(ConflictBlocks(in: Array((hostile + Self.text).utf8)).namesWriters)
        #expect(kept(hostile + Self.text, .local).hasSuffix("before\nleft\nafter\n"))
    }

    private func merged(_ base: String, _ local: String, _ remote: String) -> (String, Int)? {
        let outcome = TextMerge.merge(
            base: Array(base.utf8),
            local: Array(local.utf8),
            remote: Array(remote.utf8),
            labels: MergeLabels(local: "ann on a", remote: "ann on b"),
            fileExtension: "md"
        )
        guard case .merged(let bytes, let conflicts) = outcome else { return nil }
        return (String(decoding: bytes, as: UTF8.self), conflicts)
    }

    @Test func `a change of one version goes into the conflict that has it`() throws {
        for version in ["left", "right"] {
            let base = "before\n\(version)\nafter\n"
            let changed = base.replacing(version, with: "\(version) and more")
            let expected = Self.text.replacing("\n\(version)\n", with: "\n\(version) and more\n")
            let here = try #require(merged(base, changed, Self.text))
            #expect(here == (expected, 0))
            let there = try #require(merged(base, Self.text, changed))
            #expect(there == (expected, 0))
        }
    }

    @Test func `another conflict beside one that is open leaves both well formed`() throws {
        let left = Self.text.replacing("before\n", with: "before, says ann\n")
        let right = Self.text.replacing("before\n", with: "before, says ben\n")
        let (text, conflicts) = try #require(merged(Self.text, left, right))
        #expect(conflicts == 1)
        #expect(ConflictBlocks(in: Array(text.utf8)).count == 2)
        #expect(kept(text, .local) == "before, says ann\nleft\nafter\n")
        #expect(kept(text, .remote) == "before, says ben\nright\nafter\n")
    }
}

extension ConflictBlocks {
    /// As where every place is a merge of this device.
    func resolved(keeping side: ConflictSide) -> [UInt8] {
        resolved(keeping: side) { _, _ in .first }
    }
}
