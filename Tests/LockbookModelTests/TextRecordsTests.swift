import Testing

@testable import LockbookModel

/// The records that a text is read into.
struct TextRecordsTests {
    private func records(_ text: String) -> [TextRecords.Record] {
        var table = PieceTable(of: Array(text.utf8))
        let pieces = table.lines(of: 0..<text.utf8.count)
        return TextRecords(of: pieces, in: Array(text.utf8)).all
    }

    @Test func `what tells a record from others is of the innermost one`() {
        let all = records("- a:\n    - b: 1\n      id: 2\n    - c: 1\n      id: 3\nd\n")
        #expect(all.map(\.lines) == [1..<3, 3..<5, 0..<5])
        #expect(all.map(\.id) == [2, 4, nil])
        #expect(records("- a: 1\n  b:\n    id: 2\n").map(\.id).contains(2) == false)
    }

    @Test func `lines that are too deep are of the last record that is not`() {
        let deep = (0..<140).map { String(repeating: " ", count: $0) + "- \($0)\n" }.joined()
        let all = records(deep + "end\n")
        #expect(all.count == 128)
        #expect(all.allSatisfy { $0.lines.upperBound == 140 })
        #expect(all.map(\.lines.lowerBound) == (0..<128).reversed())
    }
}

/// What tells the elements of a list in JSON from each other.
struct JSONTreeTests {
    private func names(_ text: String) throws -> [String?] {
        let tree = try #require(JSONTree(Array(text.utf8), isLines: false))
        let elements = tree.nodes.filter { $0.parent == 0 }
        return elements.map { tree.name(of: $0).map { String(decoding: $0, as: UTF8.self) } }
    }

    @Test func `an id that is not empty is the name of an element`() throws {
        #expect(try names(#"[{"id": ""}, {"id": "x"}, {"id": 7}]"#) == [nil, #""x""#, "7"])
        #expect(
            try names(#"[{"n": 1}, {"key": 1, "ID": 2}, {"id": 1, "key": 2}]"#) == [nil, "2", "1"]
        )
        #expect(try names(#"[{"id": []}, [], {"a": {"id": 1}}]"#) == [nil, nil, nil])
        // A list of values has none.
        #expect(try names(#"["id", 1]"#) == [])
    }
}
