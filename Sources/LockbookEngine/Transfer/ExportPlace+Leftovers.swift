import Glibc
import LockbookModel

extension ExportPlace {
    /// Removes what an export that was killed left in a folder: it is plaintext.
    static func removeLeftovers(in folder: DiskFile) {
        for bytes in (try? Disk.names(in: folder)) ?? []
        where bytes.starts(with: temporaryPrefix.utf8) {
            let name = String(decoding: bytes, as: UTF8.self)
            // Whoever is still at work holds the lock of the file.
            guard
                let file = try? DiskFile(
                    in: folder,
                    name,
                    flags: O_RDONLY | O_NOFOLLOW | O_NONBLOCK
                ), flock(file.descriptor, LOCK_EX | LOCK_NB) == 0
            else { continue }
            if isTemporaryFolder(name) {
                Disk.removeTree(name, in: folder)
            } else {
                unlinkat(folder.descriptor, name, 0)
            }
        }
    }

    static let temporaryPrefix = ".lockbook-export."

    static func temporaryFolder(_ tag: String, _ number: Int) -> String {
        "\(temporaryPrefix)\(tag)-d\(number)"
    }

    /// Only what an export calls so is removed with all that is in it: no folder of somebody's.
    private static func isTemporaryFolder(_ name: String) -> Bool {
        let parts = name.dropFirst(temporaryPrefix.count).split(
            separator: "-",
            omittingEmptySubsequences: false
        )
        guard parts.count == 2, let tag = [UInt8](hex: parts[0]), tag.count == 8 else {
            return false
        }
        return parts[1].first == "d" && Int(parts[1].dropFirst()).map { $0 > 0 } == true
    }

    func temporaryName(_ number: Int) -> String {
        "\(Self.temporaryPrefix)\(tag)-\(number)"
    }

    var isReserved: Bool { Self.isReserved(name) }

    /// Whether a name is one that exports use for what is not whole yet.
    static func isReserved(_ name: String) -> Bool { name.hasPrefix(temporaryPrefix) }
}
