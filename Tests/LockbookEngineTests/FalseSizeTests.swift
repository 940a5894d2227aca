import LockbookCrypto
import LockbookModel
import Testing

@testable import LockbookEngine

/// A content whose record tells something else of it than it is.
struct FalseSizeTests {
    private let text = Array(String(repeating: "words of some note, ", count: 400).utf8)

    /// What is given out before the end, where it is told that the content is damaged.
    private func given(ofSize difference: Int, _ text: [UInt8]) throws -> [UInt8] {
        let key = ContentKey(random: .system)
        let (blob, facts) = try ContentSealer.seal(text, key: key, bound: [])
        var content = Content(version: VersionID(random: .system), key: key, facts: facts)
        content.size = UInt64(Int(content.size) + difference)
        var reader = ContentReader(.bytes(blob), content: content, binding: [], path: "/a.md")
        var given: [UInt8] = []
        do {
            try reader.readAll { given.append(contentsOf: $0) }
            #expect(difference == 0)
        } catch {
            #expect(error as? LockbookError == .damaged(file: "/a.md", author: ""))
        }
        return given
    }

    @Test(arguments: [-5, -1, 1, 5, 100])
    func `nothing is given of a small one of a false size`(difference: Int) throws {
        #expect(try given(ofSize: difference, text).isEmpty)
        #expect(try given(ofSize: difference, Array(text.prefix(63))).isEmpty)
        #expect(try given(ofSize: 0, text) == text)
    }
}
