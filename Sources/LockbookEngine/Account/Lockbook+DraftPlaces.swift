import Glibc
import LockbookModel

/// Where texts were put while somebody edited them: outside of the store, in folders that another
/// login does not know of.
extension Lockbook {
    static func draftPlacesPath(_ directory: String) -> String { directory + "/draft-places" }

    /// The id of the device whose account is in a data directory; nil when there is none.
    public static func device(in directory: String) throws -> String? {
        try existing(directory)?.device.description
    }

    /// The folders in which texts of the account in a data directory were put, as far as they were
    /// remembered.
    public static func draftPlaces(in directory: String) -> [String] {
        let bytes = (try? Disk.contents(of: draftPlacesPath(directory))) ?? []
        return bytes.split(separator: UInt8(ascii: "\n")).map {
            String(decoding: $0, as: UTF8.self)
        }
    }

    /// Remembers a folder in which a text is put; one that has no name everywhere is left out.
    public func remember(draftPlace place: String) throws {
        guard place.hasPrefix("/"), !place.utf8.contains(UInt8(ascii: "\n")),
            !Self.draftPlaces(in: account.directory).contains(place)
        else { return }
        do {
            let file = try DiskFile(
                Self.draftPlacesPath(account.directory),
                flags: O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW
            )
            // In one piece: another editing may begin at this moment. Behind an end of its own: a full disk may
            // have cut the line before off.
            try file.write(Array("\n\(place)\n".utf8))
        } catch let failure as DiskFailure {
            throw LockbookError.io(path: failure.path, reason: failure.reason)
        }
    }

    func forgetDraftPlaces() throws {
        try Disk.remove(Self.draftPlacesPath(account.directory))
    }
}
