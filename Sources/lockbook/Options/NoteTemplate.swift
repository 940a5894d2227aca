import Glibc
import LockbookEngine

/// A document of `/templates` that new notes begin with.
struct NoteTemplate {
    static let folder = "/templates"
    /// The path of the document.
    let path: String
    private let date: String
    private let time: String

    /// - Parameter path: there need not be such a document.
    /// - Throws: `.noDate`.
    init(path: String) throws {
        self.path = path
        let now = localTime(milliseconds: Int64(Glibc.time(nil)) * 1000).split(separator: " ")
        guard now.count == 2 else { throw CommandError.noDate }
        (date, time) = (String(now[0]), String(now[1]))
    }

    /// The document of this name, with or without `.md`; a name with a slash is a path.
    /// - Throws: `.notFound` when there is none, `.notADocument` for a folder.
    init(named name: String, in lockbook: Lockbook) throws {
        let path = name.contains("/") ? name : Self.folder + "/" + name
        let found: FileInfo
        do {
            found = try lockbook.info(.path(path))
        } catch LockbookError.notFound where !path.hasSuffix(".md") {
            found = try lockbook.info(.path(path + ".md"))
        }
        guard found.type == .document else { throw LockbookError.notADocument(path: found.path) }
        try self.init(path: found.path)
    }

    /// Brings its text to this device; today's note is edited without it where that cannot be done.
    func fetch(from lockbook: Lockbook) throws {
        let path = path
        try asking(lockbook.awaited) { try await lockbook.fetch(FileReference(path), toRead: true) }
    }

    /// The text of a note: `{{date}}`, `{{time}}` and `{{title}}` are filled in.
    func text(_ template: String, for note: String) -> String {
        let name = note.utf8.split(separator: UInt8(ascii: "/")).last.map { String(Substring($0)) }
        let title = (name ?? "").split(separator: ".", omittingEmptySubsequences: false)
        let plain = title.count > 1 ? title.dropLast().joined(separator: ".") : name ?? ""
        // By bytes: others may have written it, and letters are compared in their normal forms.
        var text = Array(template.utf8)
        let fields = [
            ("date", date), ("time", time), ("title", plain.isEmpty ? name ?? "" : plain),
        ]
        for (field, value) in fields {
            text.replace(Array("{{\(field)}}".utf8), with: Array(value.utf8))
        }
        return String(decoding: text, as: UTF8.self)
    }
}
