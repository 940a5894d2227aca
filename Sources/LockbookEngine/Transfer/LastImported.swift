import Synchronization

/// What imports took in of the folder of the disk that was asked about last.
///
/// There may be thousands of files in it, which are asked about one by one: each time all that is known of
/// them would be read.
final class LastImported: Sendable {
    private let last = Mutex<(key: ImportedKey, folder: ImportedFolder)?>(nil)

    /// - Parameter read: reads what is not known.
    func folder(_ key: ImportedKey, _ read: (ImportedKey) throws -> ImportedFolder) rethrows
        -> ImportedFolder
    {
        if let known = last.withLock({ $0 }), known.key == key { return known.folder }
        let folder = try read(key)
        last.withLock { $0 = (key, folder) }
        return folder
    }
}
