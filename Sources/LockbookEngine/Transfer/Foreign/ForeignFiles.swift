import Glibc

/// A file in what another program exported.
struct ForeignMember {
    /// From the top of the export, with `/` between its names.
    let path: String
    /// Whether this is the name, and not only something like it.
    let isUTF8: Bool

    var name: String { path.steps.last ?? "" }

    /// Whether a desktop left it beside what a program exported: macOS does so in folders, and in the
    /// archives that it makes of them.
    var isOfDesktop: Bool {
        name == ".DS_Store" || name.hasPrefix("._") || path.steps.first == "__MACOSX"
    }
}

/// What another program exported: an archive, a folder, or one file.
///
/// It is read as often as need be, a piece at a time, and never unpacked.
enum ForeignFiles {
    case archive(DiskFile)
    case folder(DiskFile)
    case file(DiskFile)

    /// At most so many bytes, none at the end.
    typealias Read = (Int) throws -> [UInt8]

    /// - Throws: `.badExport`, `DiskFailure`.
    init(_ path: String, mayBeText: Bool = false) throws {
        let file = try DiskFile(path, flags: O_RDONLY | O_NONBLOCK)
        switch try file.status().st_mode & S_IFMT {
        case S_IFDIR: self = .folder(file)
        case S_IFREG:
            let isZip = try file.read(2, at: 0) == Array("PK".utf8)
            self = isZip || !mayBeText ? .archive(file) : .file(file)
        default:
            throw LockbookError.badExport(
                path: path,
                reason: "it is neither a file nor a folder"
            )
        }
    }

    var path: String {
        switch self {
        case .archive(let file), .folder(let file), .file(let file): file.path
        }
    }

    func bad(_ reason: String) -> LockbookError { .badExport(path: path, reason: reason) }

    /// Shows every file, in the order in which they stand.
    /// - Throws: `.badExport`, `.missingLibrary`, `DiskFailure`.
    func visit(_ body: (ForeignMember, Read) throws -> Void) throws {
        switch self {
        case .archive(let file):
            let reader = try ArchiveReader(file)
            while let member = try reader.next() {
                try body(member) { try reader.read($0) }
                // To the end, also of what nobody wants: only then is it known to be whole.
                while try !reader.read(1 << 16).isEmpty {}
            }
        case .folder(let folder): try Self.visit(folder, steps: [], body)
        case .file(let file):
            lseek(file.descriptor, 0, SEEK_SET)
            let name = file.path.steps.last ?? file.path
            try body(ForeignMember(path: name, isUTF8: true)) { try file.read($0) }
        }
    }

    private static func visit(
        _ folder: DiskFile,
        steps: [String],
        _ body: (ForeignMember, Read) throws -> Void
    ) throws {
        guard steps.count < 64 else {
            throw LockbookError.badExport(path: folder.path, reason: "its folders go too deep")
        }
        let names = try Disk.names(in: folder)
        for bytes in names.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
            let name = String(decoding: bytes, as: UTF8.self)
            let isUTF8 = name.utf8.elementsEqual(bytes)
            let path = (steps + [name]).joined(separator: "/")
            guard isUTF8 else {
                try body(ForeignMember(path: path, isUTF8: false)) { _ in [] }
                continue
            }
            let file: DiskFile
            do {
                file = try DiskFile(in: folder, name, flags: O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
            } catch let failure as DiskFailure where failure.code == ELOOP {
                throw LockbookError.badExport(path: folder.path, reason: "\(path) in it is a link")
            }
            switch try file.status().st_mode & S_IFMT {
            case S_IFDIR: try visit(file, steps: steps + [name], body)
            case S_IFREG: try body(ForeignMember(path: path, isUTF8: true)) { try file.read($0) }
            default:
                throw LockbookError.badExport(
                    path: folder.path,
                    reason: "\(path) in it is neither a file nor a folder"
                )
            }
        }
    }
}

extension ForeignFiles {
    /// All of a member.
    /// - Returns: nil when it has more bytes than that.
    static func all(_ read: Read, atMost limit: Int) throws -> [UInt8]? {
        var bytes: [UInt8] = []
        while true {
            let piece = try read(1 << 16)
            if piece.isEmpty { return bytes }
            guard bytes.count + piece.count <= limit else { return nil }
            bytes += piece
        }
    }
}
