import Testing

@testable import LockbookModel

/// Two runs of words, and whether what stands between them makes them one value.
struct TextPiecesValueTests {
    private func isOneValue(_ line: String, _ one: Int, _ other: Int) -> Bool {
        let text = CutText(line)
        return text.words.isOneValue(one..<one + 1, other..<other + 1, in: text.bytes)
    }

    @Test(arguments: [
        ("a$b", 2), ("a#b", 2), ("a%b", 2), ("a&b", 2), ("a^b", 2), ("a{1", 2), ("1+a", 2),
        ("1 2", 2), ("1  2", 2), ("1 a", 2), ("a 1", 2), ("a. 1", 3), ("1 : 2", 4), ("1 (2", 3),
        ("1 – 2", 4), ("1 x 2", 4), ("1 2 3", 4), ("1 2 3 a", 6), ("a 1 2 3", 6), ("1年2", 2),
    ])
    func `a number or a sign holds words together`(line: String, last: Int) {
        #expect(isOneValue(line, 0, last))
    }

    @Test func `the point of a day that begins no line holds it and the month together`() {
        #expect(isOneValue("x 1. 2", 2, 5))
        #expect(!isOneValue("1. 2", 0, 3))
    }

    @Test(arguments: [
        ("a+b", 2), ("a{$b", 3), ("a}#b", 3), ("1,a", 2), ("1;2", 2), ("1|2", 2), ("1\n2", 2),
        ("1\t2", 2), ("1 \t2", 2), ("1 \ta", 2), ("a \t1", 2), ("1. a", 3), ("a 1 2 b", 6),
        ("1 + 2", 4), ("1 xyzw 2", 4), ("1年月2", 3), ("a b", 2), ("a年b", 2), ("x\\a", 2),
    ])
    func `other signs and blanks part them`(line: String, last: Int) {
        #expect(!isOneValue(line, 0, last))
    }

    @Test func `nothing between two runs holds nothing`() {
        #expect(!isOneValue("1$2", 0, 1))
        #expect(!isOneValue("1$2", 2, 0))
    }

    @Test func `a backslash holds the names of a path together, however far down a text`() {
        #expect(isOneValue("C:\\a\\b", 3, 5))
        #expect(isOneValue("x C:\\a\\b", 5, 7))
        #expect(!isOneValue("x\\a\\b", 2, 4))
        #expect(!isOneValue("x C:a\\b", 2, 4))
        // Three hundred words and blanks, and then the drive, a colon and a backslash.
        let far: String = String(repeating: "a ", count: 150) + "C:\\b\\c"
        #expect(isOneValue(far, 303, 305))
    }

    @Test func `a path is looked through for its beginning as far as some hundred pieces`() {
        let names = String(repeating: "a\\", count: 200)
        let (single, double): (String, String) = ("C:\\" + names, "C:\\\\" + names)
        #expect(isOneValue(single, 255, 257) && !isOneValue(single, 257, 259))
        #expect(isOneValue(double, 256, 258) && !isOneValue(double, 258, 260))
    }
}
