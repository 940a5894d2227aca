import Synchronization
import Testing

@testable import LockbookEngine
@testable import lockbook

/// What a search shows where not all of it can be written.
@Suite struct SearchPrinterTests {
    /// A disk that is full once, in the middle of what is written, and has room again.
    private final class Disk: Sendable {
        struct Full: Error {}

        private let state = Mutex<(text: String, fills: Bool)>(("", true))
        var text: String { state.withLock { $0.text } }

        func write(_ bytes: [UInt8]) throws {
            try state.withLock { state in
                let isFull = state.fills && state.text.utf8.count + bytes.count > 200
                let count = isFull ? 1 : bytes.count
                state.text += String(decoding: bytes.prefix(count), as: UTF8.self)
                guard isFull else { return }
                state.fills = false
                throw Full()
            }
        }
    }

    @Test func `nothing is written twice, or behind what is missing`() throws {
        let disk = Disk()
        var printer = SearchPrinter(.json, setsApart: false, fetches: false, words: []) {
            try disk.write($0)
        }
        func found(_ name: String) -> SearchEvent {
            .name(SearchedFile(id: name, path: "/\(name)", type: .document))
        }
        try printer.show([found("one")])
        let before = disk.text
        #expect(before.contains("/one"))
        #expect(throws: Disk.Full.self) {
            try printer.show([found("two"), found("three"), found("four"), found("five")])
        }
        // What a search does that cannot go on.
        try printer.close()
        #expect(disk.text == before + ",")
    }

    @Test func `a warning stands between lines, and what is printed stays JSON`() throws {
        let disk = Disk()
        var printer = SearchPrinter(.json, setsApart: false, fetches: false, words: []) {
            try disk.write($0)
        }
        let failure = LockbookError.io(path: "/unread", reason: "it cannot be read")
        for name in ["one", "two"] {
            let file = SearchedFile(id: name, path: "/\(name)", type: .document)
            try printer.show([.name(file), .unreadable(path: "/unread", failure)])
            #expect(disk.text.hasSuffix("}\n"))
        }
        _ = try printer.finish()
        #expect(disk.text.hasPrefix("[\n{") && disk.text.hasSuffix("}\n]\n"))
        #expect(disk.text.contains("}\n,\n{"))
    }
}
