import LockbookModel
import Testing

@Suite struct DeviceNameTests {
    @Test(
        arguments: [
            ("laptop", "laptop"),
            ("z\u{e9}\u{65e5}", "z\u{e9}\u{65e5}"),
            ("", ""),
            ("red\u{1b}[31m", "red\\u001b[31m"),
            ("two\nlines\r", "two\\u000alines\\u000d"),
            ("gpj.\u{202e}exe", "gpj.\\u202eexe"),
            ("a\u{200b}b\u{2066}\u{feff}", "a\\u200bb\\u2066\\ufeff"),
            ("c1\u{9b}\u{7f}", "c1\\u009b\\u007f"),
            ("hidden\u{3164}\u{e0041}", "hidden\\u3164\\udb40\\udc41"),
        ]
    )
    func `what nobody should see in a device's name is made visible`(name: String, shown: String) {
        #expect(DeviceName.plain(name) == shown)
        #expect(DeviceName.plain(shown) == shown)
    }

    @Test func `a device name has at most 64 bytes`() {
        #expect(DeviceName.plain(String(repeating: "x", count: 100)).utf8.count == 64)
    }

    @Test(arguments: ["x", "\u{e9}", "\u{65e5}", "\u{1f642}", "\u{202e}", "\u{e0041}"])
    func `a long device name is cut between characters`(letter: String) {
        let shown = DeviceName.plain(String(repeating: letter, count: 10_000))
        let piece = DeviceName.plain(letter)
        #expect(shown.utf8.count <= DeviceName.maximumByteCount)
        #expect(shown.utf8.count > DeviceName.maximumByteCount - piece.utf8.count)
        #expect(shown == String(repeating: piece, count: shown.utf8.count / piece.utf8.count))
    }
}
