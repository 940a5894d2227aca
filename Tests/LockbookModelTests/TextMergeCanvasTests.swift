import Testing

@testable import LockbookModel

/// Canvases, whose edges lead from one node to another.
struct TextMergeCanvasTests {
    /// A node for each letter, and an edge for each pair of letters.
    private func canvas(_ nodes: String, _ edges: String...) -> String {
        let nodes = nodes.map { "\t\t{\"id\":\"\($0)\",\"type\":\"text\",\"text\":\"of \($0)\"}" }
        let edges = edges.map {
            "\t\t{\"id\":\"\($0)\",\"fromNode\":\"\($0.prefix(1))\",\"toNode\":\"\($0.suffix(1))\"}"
        }
        return "{\n\t\"nodes\":[\n" + nodes.joined(separator: ",\n") + "\n\t],\n\t\"edges\":[\n"
            + edges.joined(separator: ",\n") + "\n\t]\n}\n"
    }

    /// Merges both ways round; nil where both copies are kept.
    private func expect(_ base: String, _ one: String, _ other: String, _ taken: String?) {
        let merge = taken.map(Merged.clean) ?? .notText
        #expect(merged(base, one, other, fileExtension: "canvas") == merge)
        #expect(merged(base, other, one, fileExtension: ".CANVAS") == merge)
    }

    @Test func `an edge to a node that the other side took out keeps both copies`() {
        let (base, without) = (canvas("abcd", "ad"), canvas("acd", "ad"))
        expect(base, without, canvas("abcd", "ab", "ad"), nil)
        expect(base, without, canvas("abcd", "ba", "ad"), nil)
        expect(base, without, canvas("abcd", "ac", "ad"), canvas("acd", "ac", "ad"))
    }

    @Test func `an edge to a node that was not there before is none`() {
        let base = canvas("acd", "ab", "ad")
        let one = canvas("aecd", "ab", "ad")
        expect(base, one, canvas("acd", "ab", "ac", "ad"), canvas("aecd", "ab", "ac", "ad"))
    }

    @Test func `a node that both sides put elsewhere in the list keeps both copies`() {
        let base = canvas("abcdefgh", "ad")
        let one = canvas("acdebfgh", "ad")
        expect(base, one, canvas("acdefgbh", "ad"), nil)
        expect(base, one, canvas("abcdefgh", "ac", "ad"), canvas("acdebfgh", "ac", "ad"))
    }

    @Test func `a canvas has no markers, though it is no JSON`() {
        expect("{\n1\n", "{\n2\n", "{\n3\n", nil)
    }

    @Test func `nodes and edges are elements of their lists`() {
        func faults(_ text: String) -> [StructuredFault: Int]? {
            JSONCheck.faults(ofCanvas: Array(text.utf8))
        }
        let (a, b) = (Array("a".utf8), Array("b".utf8))
        let edge = "{\"id\":\"a\",\"fromNode\":\"\\u0061\",\"toNode\":\"b\"}"
        #expect(
            faults("{\"edges\":[\(edge)],\"nodes\":[{\"id\":\"a\"},{\"id\":\"a\",\"id\":\"c\"}]}")
                == [.repeated(a): 1, .repeated(Array("id".utf8)): 1, .unknownNode(b): 1]
        )
        #expect(faults("{\"edges\":[\(edge),\(edge)]}")?[.repeated(a)] == 1)
        for text in [
            "{}", "[\(edge)]", "{\"x\":[\(edge)]}", "{\"x\":{\"edges\":[\(edge)]}}",
            "{\"nodes\":[{\"id\":\"a\",\"x\":{\"id\":\"a\"}},{\"id\":1}],\"edges\":[{}]}",
        ] {
            #expect(faults(text) == [:], "\(text)")
        }
        #expect(faults("{\"nodes\":[") == nil)
    }
}
