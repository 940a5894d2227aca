import Glibc

/// What is in a folder.
extension Disk {
    /// Removes a folder that is empty, or a link in its place: what that leads to stays.
    static func removeFolder(_ path: String) {
        if rmdir(path) != 0, isLink(path) { unlink(path) }
    }

    /// Does something with each of these, also where that fails with another one.
    /// - Throws: the first failure, when all are done.
    static func each<Item>(_ items: [Item], _ body: (Item) throws -> Void) throws {
        var failure: (any Error)?
        for item in items {
            do { try body(item) } catch { failure = failure ?? error }
        }
        if let failure { throw failure }
    }

    /// Removes a folder and what is in it, as far as it can be removed; follows no link.
    ///
    /// Two are open at once, however deep it goes: folders that stand in one of its folders are moved
    /// up into it first, under names that begin with its own.
    static func removeTree(_ name: String, in above: DiskFile) {
        let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW
        guard let top = try? DiskFile(in: above, name, flags: flags) else { return }
        var pending = removeFiles(in: top)
        var moved = 0
        while let next = pending.popLast() {
            if let folder = try? DiskFile(in: top, next, flags: flags) {
                for child in removeFiles(in: folder) {
                    moved += 1
                    let aside = "\(name)-\(moved)"
                    if renameat(folder.descriptor, child, top.descriptor, aside) == 0 {
                        pending.append(aside)
                    }
                }
            }
            unlinkat(top.descriptor, next, AT_REMOVEDIR)
        }
        unlinkat(above.descriptor, name, AT_REMOVEDIR)
    }

    /// Removes files and empty folders from a folder.
    /// - Returns: the names of what is left.
    private static func removeFiles(in folder: DiskFile) -> [String] {
        ((try? names(in: folder)) ?? []).map { String(decoding: $0, as: UTF8.self) }.filter {
            unlinkat(folder.descriptor, $0, 0) != 0
                && unlinkat(folder.descriptor, $0, AT_REMOVEDIR) != 0
        }
    }

    /// Names in a folder, as bytes; `.` and `..` left out.
    static func names(in folder: DiskFile) throws -> [[UInt8]] {
        let copy = try retry(folder.path) { fcntl(folder.descriptor, F_DUPFD_CLOEXEC, 0) }
        guard let stream = fdopendir(copy) else {
            close(copy)
            throw DiskFailure(folder.path)
        }
        defer { closedir(stream) }
        rewinddir(stream)
        var names: [[UInt8]] = []
        errno = 0
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { raw in
                Array(raw.prefix { $0 != 0 })
            }
            if name != Array(".".utf8), name != Array("..".utf8) { names.append(name) }
            errno = 0
        }
        guard errno == 0 else { throw DiskFailure(folder.path) }
        return names
    }
}
