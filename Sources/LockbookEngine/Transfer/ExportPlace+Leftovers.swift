import Glibc
import LockbookCrypto
import LockbookModel

extension ExportPlace {
    /// Removes what an export that was killed left in a folder: it is plaintext.
    /// - Parameters:
    ///   - tag: of the export that looks for it.
    ///   - isShared: whether other machines may write there, of whose locks this one knows nothing: then
    ///     only what this device left goes.
    static func removeLeftovers(
        in folder: DiskFile,
        for tag: String,
        isShared: @autoclosure () -> Bool
    ) {
        for bytes in (try? Disk.names(in: folder)) ?? []
        where bytes.starts(with: temporaryPrefix.utf8) {
            let name = String(decoding: bytes, as: UTF8.self)
            let isFolder = isTemporary(name, isFolder: true)
            // Whoever is still at work holds the lock of the file.
            guard isFolder || isTemporary(name, isFolder: false),
                !isShared() || name.hasPrefix(temporaryPrefix + tag.prefix(ownerDigits)),
                let file = try? DiskFile(
                    in: folder,
                    name,
                    // Of a file on NFS only who may write it gets the lock.
                    flags: (isFolder ? O_RDONLY : O_RDWR) | O_NOFOLLOW | O_NONBLOCK
                ), flock(file.descriptor, LOCK_EX | LOCK_NB) == 0
            else { continue }
            if isFolder {
                Disk.removeTree(name, in: folder)
            } else {
                unlinkat(folder.descriptor, name, 0)
            }
        }
    }

    static let temporaryPrefix = ".lockbook-export."
    /// So much of a tag is its device's.
    private static let ownerDigits = 8

    /// Tells the unfinished files of one export from those of others, and a device's from others'.
    static func tag(of device: DeviceID, _ random: RandomSource) -> String {
        Hash256(sha256: device.bytes).bytes.prefix(ownerDigits / 2).hex + random.bytes(4).hex
    }

    static func temporaryFolder(_ tag: String, _ number: Int) -> String {
        "\(temporaryPrefix)\(tag)-d\(number)"
    }

    /// Whether exports call a folder, or a file, exactly so while it is not whole.
    ///
    /// A name that only begins so may be somebody's.
    static func isTemporary(_ name: String, isFolder: Bool) -> Bool {
        guard isReserved(name) else { return false }
        let parts = name.dropFirst(temporaryPrefix.count).split(
            separator: "-",
            omittingEmptySubsequences: false
        )
        guard parts.count <= 2, let tag = [UInt8](hex: parts[0]), tag.count == 8 else {
            return false
        }
        // An archive has no number.
        guard parts.count == 2 else { return !isFolder }
        let kind = isFolder ? "d" : ""
        return parts[1].hasPrefix(kind) && UInt(parts[1].dropFirst(kind.count)) != nil
    }

    func temporaryName(_ number: Int) -> String {
        "\(Self.temporaryPrefix)\(tag)-\(number)"
    }

    var isReserved: Bool { Self.isReserved(name) }

    /// Whether a name is one that exports use for what is not whole yet.
    static func isReserved(_ name: String) -> Bool { name.hasPrefix(temporaryPrefix) }
}
