import CArchive
import Glibc

/// Reads the members of a tar or zip file in their order; nothing of it is written to the disk.
///
/// What no program for notes puts into its files (links, devices, names that lead out of the
/// archive) is refused: who finds it holds something else than what he thinks.
final class ArchiveReader {
    /// More than this, and more than a hundred times the archive, is a bomb.
    static let freeByteCount = 64 << 20
    static let mostMembers = 1_000_000

    private let library: Libarchive
    private let archive: OpaquePointer
    private let file: DiskFile
    private let mostBytes: Int
    private var bytes = 0
    private var members = 0

    /// - Throws: `.missingLibrary`, `.badExport`.
    init(_ file: DiskFile) throws {
        let size = Int(try file.status().st_size)
        library = try Libarchive()
        guard let archive = library.new() else {
            throw LockbookError.badExport(path: file.path, reason: "there is no memory to read it")
        }
        self.archive = archive
        self.file = file
        mostBytes = Self.mostBytes(of: size)
        _ = library.supportTar(archive)
        _ = library.supportZip(archive)
        lseek(file.descriptor, 0, SEEK_SET)
        guard library.open(archive, file.descriptor, 1 << 16) == ARCHIVE_OK else {
            throw failure()
        }
    }

    deinit { _ = library.free(archive) }

    /// How much may come out of an archive of this size.
    static func mostBytes(of size: Int) -> Int {
        // A file with holes may be said to be of any size; so much can be counted.
        freeByteCount + min(size, Int.max / 200) * 100
    }

    /// The next file; nil at the end.
    func next() throws -> ForeignMember? {
        while true {
            var entry: OpaquePointer?
            // Names are turned into those of the locale, which may have room for ASCII alone.
            let locale = newlocale(1 << LC_CTYPE, "C.UTF-8", nil)
            let before = locale.map { uselocale($0) }
            defer {
                if let before { uselocale(before) }
                if let locale { freelocale(locale) }
            }
            let status = library.next(archive, &entry)
            if status == ARCHIVE_EOF {
                try requireEnd()
                return nil
            }
            guard status == ARCHIVE_OK || status == ARCHIVE_WARN, let entry else { throw failure() }
            members += 1
            guard members <= Self.mostMembers else {
                throw bad("it has more than \(Self.mostMembers) files")
            }
            if let member = try member(entry) { return member }
        }
    }

    /// - Returns: nil for a folder.
    private func member(_ entry: OpaquePointer) throws -> ForeignMember? {
        let plain = library.path(entry).map { String(cString: $0) }
        let valid = library.pathUTF8(entry).flatMap { String(validatingCString: $0) }
        let path = valid ?? plain ?? ""
        guard !path.beginsWithSlash, !path.steps.contains("..") else {
            throw bad("\(path) in it would lead out of its folder")
        }
        guard library.hardlink(entry) == nil else { throw bad("\(path) in it is a link") }
        switch mode_t(library.type(entry)) & S_IFMT {
        case S_IFREG: break
        case S_IFDIR: return nil
        case S_IFLNK: throw bad("\(path) in it is a link")
        default: throw bad("\(path) in it is neither a file nor a folder")
        }
        guard library.isEncrypted(entry) != 1 else { throw bad("\(path) in it is encrypted") }
        return ForeignMember(
            path: path.steps.filter { $0 != "." }.joined(separator: "/"),
            isUTF8: valid != nil
        )
    }

    /// At most this many bytes of the member; none at its end.
    func read(_ count: Int) throws -> [UInt8] {
        let piece = try [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            let got = library.read(archive, buffer.baseAddress, count)
            guard got >= 0 else { throw failure() }
            filled = got
        }
        bytes += piece.count
        guard bytes <= mostBytes else {
            throw bad("it grows to more than a hundred times its size")
        }
        return piece
    }

    /// Refuses a tar that was cut off between two files, which would be taken for its end.
    ///
    /// A whole one ends with blocks of zeros; a zip has its directory there, without which nothing is
    /// read.
    private func requireEnd() throws {
        guard library.format(archive) & ARCHIVE_FORMAT_BASE_MASK == ARCHIVE_FORMAT_TAR else {
            return
        }
        let block = 512
        let size = Int(try file.status().st_size)
        let end = try file.read(block, at: UInt64(max(size - block, 0)))
        guard end.count == block, end.allSatisfy({ $0 == 0 }) else {
            throw bad("it was cut off: its end is missing")
        }
    }

    private func failure() -> LockbookError {
        bad(library.error(archive).map { String(cString: $0) } ?? "it cannot be read")
    }

    private func bad(_ reason: String) -> LockbookError {
        LockbookError.badExport(path: file.path, reason: reason)
    }
}
