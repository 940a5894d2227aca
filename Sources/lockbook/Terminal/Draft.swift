import FoundationEssentials
import Glibc

/// A text outside of the store, for an editor: one file in a folder that only its owner may enter.
struct Draft {
    let path: String
    private let folder: String
    private let text: [UInt8]

    /// The file is called `note`, with the note's extension when that is plain: editors choose
    /// colours by it, and no name that somebody else chose reaches a shell or a plugin.
    init(of notePath: String, holding text: [UInt8]) throws {
        self.text = text
        var template = Array((Self.place() + "/lockbook-XXXXXX").utf8CString)
        // mkdtemp makes it 0700.
        guard mkdtemp(&template) != nil else {
            throw CommandError.privateFolder(reason: Terminal.reason(errno))
        }
        folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        path = folder + "/note" + Self.plainExtension(of: notePath)
        do {
            try write(text)
        } catch {
            remove()
            throw error
        }
    }

    /// The text as the editor left it.
    ///
    /// When the editor fails, or the text cannot be read back, a changed text stays.
    func edited(with editor: Editor) throws -> [UInt8] {
        let status = try editor.open(path)
        guard status == 0 else {
            if (try? read()) == text {
                remove()
                throw CommandError.editor(status: status, kept: nil)
            }
            throw CommandError.editor(status: status, kept: path)
        }
        do {
            return try read()
        } catch {
            throw CommandError.notStored(error, kept: path)
        }
    }

    /// Removes the folder and all that an editor left beside the file.
    func remove() {
        do {
            try FileManager.default.removeItem(atPath: folder)
        } catch {
            Terminal.warn("the text is still in \(folder), remove it")
        }
    }

    private func write(_ bytes: [UInt8]) throws {
        let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw CommandError.privateFolder(reason: Terminal.reason(errno)) }
        defer { close(file) }
        if let problem = Terminal.write(bytes, to: file) {
            throw CommandError.privateFolder(reason: Terminal.reason(problem))
        }
    }

    private func read() throws -> [UInt8] {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw CommandError.privateFolder(reason: Terminal.reason(errno)) }
        defer { close(file) }
        var bytes: [UInt8] = []
        while let piece = try StandardInput.read(from: file) {
            bytes += piece
        }
        return bytes
    }

    /// Memory, if there is a private or common place in it; a disk remembers what was removed.
    private static func place() -> String {
        if let runtime = Environment["XDG_RUNTIME_DIR"], isOurs(runtime) {
            return runtime
        }
        if access("/dev/shm", W_OK | X_OK) == 0 {
            return "/dev/shm"
        }
        let folder = Environment["TMPDIR"] ?? "/tmp"
        Terminal.warn("the text is in \(folder) while you edit, which may be on a disk")
        return folder
    }

    private static func isOurs(_ folder: String) -> Bool {
        var facts = stat()
        guard folder.hasPrefix("/"), stat(folder, &facts) == 0 else { return false }
        return facts.st_mode & S_IFMT == S_IFDIR && facts.st_uid == geteuid()
            && facts.st_mode & 0o077 == 0
    }

    private static func plainExtension(of path: String) -> String {
        guard let name = path.utf8.split(separator: UInt8(ascii: "/")).last,
            let dot = name.lastIndex(of: UInt8(ascii: "."))
        else { return "" }
        let letters = name[name.index(after: dot)...]
        let isPlain = letters.allSatisfy { isDigitOrLetter($0) }
        return isPlain && (1...10).contains(letters.count) ? "." + String(Substring(letters)) : ""
    }

    private static func isDigitOrLetter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"):
            true
        default: false
        }
    }
}
