import Testing

@testable import lockbook

@Suite struct SettingsFileTests {
    @Test func `tables, texts, numbers and truths are read with their lines`() throws {
        let file = try SettingsFile(
            """
            # comment
            a = "x \\"y\\" \\u00e9 \\\\ # no comment"  # comment
            b='C:\\x'
            [profile.work]
              n = -1_000
            "t t" = true
            sub.key = false
            """
        )
        #expect(file.entries.map(\.key) == ["a", "b", "n", "t t", "key"])
        #expect(
            file.entries.map(\.value) == [
                .text("x \"y\" é \\ # no comment"), .text("C:\\x"), .number(-1000), .truth(true),
                .truth(false),
            ]
        )
        #expect(file.entries.map(\.line) == [2, 3, 5, 6, 7])
        #expect(file.entries[2].table == ["profile", "work"])
        #expect(file.entries[4].table == ["profile", "work", "sub"])
        #expect(file.tables.map(\.line) == [4])
    }

    @Test func `lines may end as on other systems, and a byte order mark is passed by`() throws {
        let file = try SettingsFile(
            "\u{FEFF}a = \"x\"\r\n\r\n# comment\r\n[profile.work]\r\nn = 1\r\n"
        )
        #expect(file.entries.map(\.value) == [.text("x"), .number(1)])
        #expect(file.entries.map(\.line) == [1, 5])
        #expect(file.tables.map(\.name) == [["profile", "work"]])
    }

    @Test(arguments: [
        "a", "a =", "= 1", "a = x", "a = \"x", "a = 'x", "a = 1 2", "a = \"x\" y", "[a", "[a] b",
        "[]", "a = [1]", "a = {}", "a = 2026-11-21", "a = \"\\x\"", "a = \"\\u12\"", "a = 1\na = 2",
        "[t]\n[t]", "a. = 1", "a = 99999999999999999999", "é = 1",
    ])
    func `what cannot be read is refused`(text: String) {
        #expect(throws: SettingsFile.Unreadable.self) { try SettingsFile(text) }
    }
}
