import Testing

@testable import LockbookModel

/// Differences as `diff -u` shows them.
struct TextDiffTests {
    private func difference(_ old: String, _ new: String, context: Int = 3) -> [String]? {
        TextDiff.unified(from: Array(old.utf8), to: Array(new.utf8), context: context)?.map {
            line in
            let text = String(decoding: line.bytes, as: UTF8.self)
            switch line.kind {
            case .place: return text
            case .same: return " " + text
            case .removed: return "-" + text
            case .added: return "+" + text
            case .remark: return "\\ " + text
            }
        }
    }

    @Test func `lines around a change are shown and counted`() {
        let old = (1...12).map { "\($0)\n" }.joined()
        let new = old.replacing("6\n", with: "six\nand a half\n")
        #expect(
            difference(old, new, context: 2) == [
                "@@ -4,5 +4,6 @@", " 4", " 5", "-6", "+six", "+and a half", " 7", " 8",
            ]
        )
        #expect(difference(old, old) == [])
    }

    @Test func `three lines are shown around a change`() {
        let old = Array((1...12).map { "\($0)\n" }.joined().utf8)
        let new = Array((1...12).map { "\($0 == 6 ? "six" : "\($0)")\n" }.joined().utf8)
        let kinds = TextDiff.unified(from: old, to: new)?.map(\.kind)
        let same = [DiffLine.Kind.same, .same, .same]
        #expect(kinds == [.place] + same + [.removed, .added] + same)
    }

    @Test func `changes that are near stand together, others apart`() {
        let old = (1...20).map { "\($0)\n" }.joined()
        let near = old.replacing("5\n6\n", with: "6\n").replacing("9\n10\n", with: "nine\n10\n")
        #expect(difference(old, near)?.filter { $0.hasPrefix("@@") } == ["@@ -2,11 +2,10 @@"])
        let far = old.replacing("\n2\n", with: "\ntwo\n").replacing("18\n", with: "")
        #expect(
            difference(old, far, context: 1)?.filter { $0.hasPrefix("@@") }
                == ["@@ -1,3 +1,3 @@", "@@ -17,3 +17,2 @@"]
        )
    }

    @Test func `all made, all gone, and a last line without an end`() {
        #expect(difference("", "a\nb\n") == ["@@ -0,0 +1,2 @@", "+a", "+b"])
        #expect(difference("a\n", "") == ["@@ -1 +0,0 @@", "-a"])
        #expect(
            difference("a\nb", "a\nb\n") == [
                "@@ -1,2 +1,2 @@", " a", "-b", "\\ No newline at end of file", "+b",
            ]
        )
    }

    @Test func `what is too large is not compared by lines`() {
        let many = [UInt8](repeating: 0x0A, count: 4 << 20)
        #expect(TextDiff.unified(from: [], to: many)?.count == 1 + many.count)
        #expect(TextDiff.unified(from: [], to: many + [0x0A]) == nil)
        #expect(TextDiff.unified(from: [0x0A], to: many) == nil)
        let large = [UInt8](repeating: 0x61, count: 134_217_728)
        #expect(TextDiff.unified(from: large + [0x61], to: []) == nil)
        #expect(TextDiff.unified(from: [], to: large + [0x61]) == nil)
        #expect(TextDiff.unified(from: large, to: [])?.count == 3)
        #expect(TextDiff.unified(from: [], to: large)?.count == 3)
    }

    @Test func `what is no text is not compared by lines`() {
        #expect(difference("a\u{0}", "b") == nil)
        #expect(difference("a", "b\u{0}") == nil)
    }
}
