import LockbookEngine
import LockbookTestSupport
import Testing

/// What two devices did while they were offline, and of what the second to sync is told.
struct Story: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var notes: KeyValuePairs<String, String> = [:]
    let laptop: @Sendable (Device) throws -> Void
    let phone: @Sendable (Device) throws -> Void
    var kinds: Set<SyncReport.Note.Kind> = []

    static let all = [
        Story(
            testDescription: "nothing",
            laptop: { _ in },
            phone: { _ in }
        ),
        Story(
            testDescription: "different files",
            notes: ["a.md": "a", "b.md": "b", "dir/c.md": "c"],
            laptop: {
                try $0.write("/a.md", "one")
                try $0.move("/b.md", to: "/dir/")
            },
            phone: {
                try $0.write("/new/deep/d.md", "d")
                try $0.delete("/dir/c.md")
            }
        ),
        Story(
            testDescription: "different lines",
            notes: ["a.md": "1\n2\n3\n"],
            laptop: { try $0.write("/a.md", "one\n2\n3\n") },
            phone: { try $0.write("/a.md", "1\n2\nthree\n") },
            kinds: [.merged]
        ),
        Story(
            testDescription: "the same word",
            notes: ["a.md": "word\n"],
            laptop: { try $0.write("/a.md", "left\n") },
            phone: { try $0.write("/a.md", "right\n") },
            kinds: [.markers]
        ),
        Story(
            testDescription: "a binary",
            notes: ["a.bin": "\u{0}base"],
            laptop: { try $0.write("/a.bin", "\u{0}left") },
            phone: { try $0.write("/a.bin", "\u{0}right") },
            kinds: [.keptBoth]
        ),
        Story(
            testDescription: "a taken name",
            notes: ["a.md": "a", "b.md": "b"],
            laptop: { try $0.move("/a.md", to: "/c.md") },
            phone: { try $0.move("/b.md", to: "/c.md") },
            kinds: [.renamed]
        ),
        Story(
            testDescription: "two names and two places",
            notes: ["a.md": "a", "b.md": "b", "x/": "", "y/": ""],
            laptop: {
                try $0.move("/a.md", to: "/left.md")
                try $0.move("/b.md", to: "/x/")
            },
            phone: {
                try $0.move("/a.md", to: "/right.md")
                try $0.move("/b.md", to: "/y/")
            },
            kinds: [.renameUndone, .moveUndone]
        ),
        Story(
            testDescription: "a cycle",
            notes: ["x/": "", "y/": ""],
            laptop: { try $0.move("/x", to: "/y/") },
            phone: { try $0.move("/y", to: "/x/") },
            kinds: [.moveUndone]
        ),
        Story(
            testDescription: "an edit of what is deleted",
            notes: ["a.md": "a", "dir/b.md": "b"],
            laptop: {
                try $0.delete("/a.md")
                try $0.delete("/dir")
            },
            phone: {
                try $0.write("/a.md", "edited")
                try $0.write("/dir/new.md", "new")
            },
            kinds: [.deleted, .trashed]
        ),
        Story(
            testDescription: "two new folders of one name",
            laptop: { try $0.write("/today/a.md", "left\n") },
            phone: {
                try $0.write("/today/a.md", "right\n")
                try $0.write("/today/b.md", "b")
            },
            kinds: [.folded, .markers]
        ),
        Story(
            testDescription: "the same import on both",
            laptop: { device in
                for number in 0..<30 { try device.write("/in/\(number).md", "\(number)") }
            },
            phone: { device in
                for number in 0..<30 { try device.write("/in/\(number).md", "\(number)") }
            },
            kinds: [.folded]
        ),
    ]
}
