import FoundationEssentials
import Glibc
import LockbookEngine

extension Draft {
    /// Memory, if there is a private or common place in it; a disk remembers what was removed.
    static func place() -> String {
        if let memory = placesInMemory.first { return memory }
        let folder = Environment["TMPDIR"] ?? "/tmp"
        Terminal.warn("the text is in \(folder) while you edit, which may be on a disk")
        return folder
    }

    /// The place in which this one was put.
    var place: String { String(folder[..<(folder.lastIndex(of: "/") ?? folder.endIndex)]) }

    /// Texts of the account in a data directory whose editing was cut off, for this process to end: by a
    /// signal, a lost terminal, or a failure that was told.
    ///
    /// They are looked for where they would be put now, and where the account's were put before: another
    /// login, or none, has other places.
    static func abandoned(of directory: String) -> [Draft] {
        let (owners, folders) = candidates(of: directory)
        return folders.compactMap { Draft(abandonedIn: $0, of: owners, held: take) }
    }

    /// The same for who only tells of them.
    static func toldAbandoned(of directory: String) -> [Draft] {
        let (owners, folders) = candidates(of: directory)
        return folders.compactMap { Draft(abandonedIn: $0, of: owners, held: isFree) }
    }

    /// Whether a text of that account is being edited now.
    static func isAnyOpen(of directory: String) -> Bool {
        let (owners, folders) = candidates(of: directory)
        return folders.contains { isHeld($0, of: owners) }
    }

    /// What may stand in a draft for whose it is, and the folders that may be such.
    private static func candidates(of directory: String) -> (owners: [String], folders: [String]) {
        guard let device = try? Lockbook.device(in: directory) else { return ([], []) }
        // An earlier version wrote the data directory; a relative name of it may mean another one by now.
        let owners = directory.hasPrefix("/") ? [device, directory] : [device]
        let places =
            placesInMemory + [Environment["TMPDIR"] ?? "/tmp"]
            + Lockbook.draftPlaces(in: directory)
        // Many names may lead to one of them.
        var seen: Set<[UInt64]> = []
        let folders = places.filter { place in
            var facts = stat()
            guard stat(place, &facts) == 0 else { return false }
            return seen.insert([UInt64(facts.st_dev), UInt64(facts.st_ino)]).inserted
        }.flatMap { place in
            // Looked through by every command at a terminal: only names that drafts have.
            let names = (try? FileManager.default.contentsOfDirectory(atPath: place)) ?? []
            return names.sorted().filter { $0.hasPrefix("lockbook-") && $0.utf8.count == 15 }
                .map { place + "/" + $0 }
        }
        return (owners, folders)
    }

    /// Whether a process of this user was started with this text, or with what is beside it, and has not
    /// ended: an editor that went to the background and left only what had started it to be waited for, or
    /// one that brings back what a killed one left.
    var isOpenElsewhere: Bool {
        let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return processes.contains { name in
            guard name.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }),
                Self.isOwn("/proc/\(name)"),
                let words = FileManager.default.contents(atPath: "/proc/\(name)/cmdline")
            else { return false }
            return words.split(separator: 0).contains { $0.starts(with: "\(folder)/".utf8) }
        }
    }

    private static var placesInMemory: [String] {
        var places: [String] = []
        if let runtime = Environment["XDG_RUNTIME_DIR"], isOurs(runtime) { places.append(runtime) }
        if access("/dev/shm", W_OK | X_OK) == 0 { places.append("/dev/shm") }
        return places
    }

    /// Anybody may name the text in his own arguments.
    private static func isOwn(_ process: String) -> Bool {
        var facts = stat()
        return stat(process, &facts) == 0 && facts.st_uid == geteuid()
    }

    private static func isOurs(_ folder: String) -> Bool {
        var facts = stat()
        guard folder.hasPrefix("/"), stat(folder, &facts) == 0 else { return false }
        return facts.st_mode & S_IFMT == S_IFDIR && facts.st_uid == geteuid()
            && facts.st_mode & 0o077 == 0
    }
}
