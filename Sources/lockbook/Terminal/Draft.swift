import FoundationEssentials
import Glibc
import LockbookEngine

/// A text outside of the store, for an editor: one file in a folder that only its owner may enter.
///
/// Beside it stand what the editor was given, and which document of which device it is: a data
/// directory has many names, and one of them may be that of others. So a later process can end a
/// session whose own was killed; while that one lives it holds a lock.
struct Draft {
    let path: String
    let folder: String
    private let lock: Int32
    /// The file that the editor got; nil where another process gave it.
    private var given: stat?

    /// The file is called `note`, with the note's extension when that is plain: editors choose
    /// colours by it, and no name that somebody else chose reaches a shell or a plugin.
    init(of session: EditSession, on device: String) throws {
        var template = Array((Self.place() + "/lockbook-XXXXXX").utf8CString)
        // mkdtemp makes it 0700.
        guard mkdtemp(&template) != nil else {
            throw CommandError.privateFolder(reason: Terminal.reason(errno))
        }
        folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        path = folder + "/" + Self.plainName + Self.plainExtension(of: session.path)
        let about = folder + "/" + Self.aboutName
        do {
            // Whose it is stands there when it is locked: else it would be taken for one that was left.
            try PrivateFile.write([], to: about)
            lock = open(about, O_WRONLY | O_CLOEXEC)
            flock(lock, LOCK_EX)
            if let problem = Terminal.write(Array(device.utf8), to: lock) {
                throw CommandError.privateFolder(reason: Terminal.reason(problem))
            }
            try remember(session)
            // Whole or not there: a rescue would take half a text for what somebody left of it.
            try Self.put(session.bytes, at: path, in: folder)
            // Whoever saves within one tick of the clock is seen to have saved, too.
            var earlier = try PrivateFile.facts(of: path).st_mtim
            earlier.tv_sec -= 1
            utimensat(AT_FDCWD, path, [earlier, earlier], 0)
            given = try PrivateFile.facts(of: path)
        } catch {
            Self.remove(folder)
            throw error
        }
    }

    /// A draft whose process is gone; nil for anything else.
    ///
    /// One that no editor saw yet is removed: nothing is there but what belongs to the session.
    /// - Parameters:
    ///   - owners: what may stand in it for whose it is.
    ///   - hold: `take` for who ends it, `isFree` for who only asks.
    init?(abandonedIn folder: String, of owners: [String], held hold: (_ about: Int32) -> Bool) {
        guard let about = Self.openAbout(folder, of: owners) else { return nil }
        guard hold(about) else {
            close(about)
            return nil
        }
        // Only now: until then another process may have put a text there, and ended.
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else {
            close(about)
            return nil
        }
        guard names.contains(where: { !Self.ownNames.contains($0) }) else {
            if Self.take(about) { Self.remove(folder) }
            close(about)
            return nil
        }
        lock = about
        self.folder = folder
        path = folder + "/" + ((try? Self.remembered(in: folder).name) ?? Self.plainName)
    }

    /// Whether a folder has a draft of one of these owners whose process is there.
    static func isHeld(_ folder: String, of owners: [String]) -> Bool {
        guard let about = openAbout(folder, of: owners) else { return false }
        defer { close(about) }
        return !isFree(about)
    }

    /// Whether no process edits or ends a draft: who asks holds it with all others who ask.
    static func isFree(_ about: Int32) -> Bool { flock(about, LOCK_SH | LOCK_NB) == 0 }

    /// Takes a draft whose process is gone.
    ///
    /// Who only asks has it for a moment, and is waited for: by asking again, as nothing tells when a lock is
    /// let go, and the wait for one ends only with it, which whoever edits may hold for days.
    static func take(_ about: Int32) -> Bool {
        for _ in 0..<250 {
            if flock(about, LOCK_EX | LOCK_NB) == 0 { return true }
            guard isFree(about) else { return false }
            flock(about, LOCK_UN)
            usleep(20_000)
        }
        return false
    }

    /// Opens what says in a folder whose draft it is; nil where that is none of these owners'.
    private static func openAbout(_ folder: String, of owners: [String]) -> Int32? {
        var facts = stat()
        guard lstat(folder, &facts) == 0, facts.st_mode & S_IFMT == S_IFDIR,
            facts.st_uid == geteuid(), facts.st_mode & 0o077 == 0
        else { return nil }
        // Whatever stands there: nobody waits for who writes into a pipe.
        let about = open(
            folder + "/" + aboutName,
            O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
        )
        guard about >= 0 else { return nil }
        guard let owner = try? PrivateFile.contents(of: about),
            owners.contains(where: { Array($0.utf8) == owner })
        else {
            close(about)
            return nil
        }
        return about
    }

    /// Whether the editor wrote the file, be it with the same text.
    var isSaved: Bool {
        guard let given, let now = try? PrivateFile.facts(of: path) else { return false }
        return now.st_ino != given.st_ino || now.st_mtim.tv_sec != given.st_mtim.tv_sec
            || now.st_mtim.tv_nsec != given.st_mtim.tv_nsec
    }

    /// Whether the editor left its file.
    var isThere: Bool { access(path, F_OK) == 0 }

    /// Whether anything of it is left: what is stored is removed.
    var isLeft: Bool { access(folder, F_OK) == 0 }

    /// The text as the editor left it.
    /// - Throws: `.editorLeft` when that is no file.
    func text() throws -> [UInt8] {
        var facts = stat()
        // A socket cannot even be opened.
        if stat(path, &facts) == 0, let kind = PrivateFile.kind(facts) {
            throw CommandError.editorLeft(kind, in: folder)
        }
        return try PrivateFile.contents(of: path)
    }

    /// The names of files that an editor left beside the text, and that hold something else.
    ///
    /// That may be words that were never saved: nano writes them into `note.md.save` when its
    /// terminal is closed. What merely repeats the text, or what is stored, is left out.
    func leftBeside(_ session: EditSession) -> [String] {
        let text = try? text()
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.sorted().filter { name in
            let other = folder + "/" + name
            var facts = stat()
            guard !Self.ownNames.contains(name), other != path, lstat(other, &facts) == 0,
                facts.st_mode & S_IFMT == S_IFREG, facts.st_size > 0
            else { return false }
            // What cannot be read is not known to be of no use.
            guard let bytes = try? PrivateFile.contents(of: other) else { return true }
            return bytes != text && bytes != session.bytes
        }
    }

    /// Notes where the session stands, for who may have to end it.
    func remember(_ session: EditSession) throws {
        // No id and no name of a draft has a space in it.
        let name = path.dropFirst(folder.count + 1)
        let text = "\(session.id ?? "") \(name)\n\(session.path)\n"
        let file = folder + "/" + Self.sessionName
        try Self.put(Array(text.utf8) + session.bytes, at: file, in: folder)
    }

    func session() throws -> EditSession { try Self.remembered(in: folder).session }

    private static func remembered(in folder: String) throws
        -> (session: EditSession, name: String)
    {
        let lines = try PrivateFile.contents(of: folder + "/" + sessionName)
            .split(separator: UInt8(ascii: "\n"), maxSplits: 2, omittingEmptySubsequences: false)
        let words = lines[0].split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
        guard lines.count == 3, words.count <= 2 else {
            throw CommandError.privateFolder(reason: "what is in \(folder) is not whole")
        }
        let path = String(decoding: lines[1], as: UTF8.self)
        let session = EditSession(
            path: path,
            id: words[0].isEmpty ? nil : words[0],
            bytes: Array(lines[2])
        )
        // An earlier version remembered no name.
        return (session, words.count == 2 ? words[1] : plainName + plainExtension(of: path))
    }

    /// Removes the folder and all that an editor left beside the file.
    /// - Returns: whether it is gone; it is told where it is not.
    @discardableResult
    func remove() -> Bool {
        defer { close(lock) }
        return Self.remove(folder)
    }

    private static let aboutName = ".lockbook"
    private static let sessionName = ".session"
    /// What is not whole yet; the name of a draft begins with another letter.
    private static let newName = ".new"
    private static let ownNames = [aboutName, sessionName, newName]

    @discardableResult
    private static func remove(_ folder: String) -> Bool {
        do {
            try FileManager.default.removeItem(atPath: folder)
        } catch {
            // An editor may have taken all of it away.
            guard access(folder, F_OK) == 0 else { return true }
            Terminal.warn("the text is still in \(folder), remove it")
            return false
        }
        return true
    }

    /// Writes a file that is whole as soon as it is there.
    private static func put(_ bytes: [UInt8], at path: String, in folder: String) throws {
        let new = folder + "/" + newName
        unlink(new)
        try PrivateFile.write(bytes, to: new)
        guard rename(new, path) == 0 else {
            throw CommandError.privateFolder(reason: Terminal.reason(errno))
        }
    }
}
