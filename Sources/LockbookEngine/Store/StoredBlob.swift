import Glibc
import LockbookCrypto

extension LocalTree {
    /// Where a blob's bytes are on this device.
    enum StoredBlob: Sendable {
        case bytes([UInt8])
        case file(DiskFile)
        /// A file that is there and does not open, which is told of where it is read: that is one
        /// document's matter, and many are opened in one transaction.
        case unreadable(DiskFailure)

        /// Of the file that it is in.
        var path: String? {
            switch self {
            case .bytes: nil
            case .file(let file): file.path
            case .unreadable(let failure): failure.path
            }
        }

        /// Gives the bytes in pieces.
        /// - Throws: a `DiskFailure` with this blob's path.
        func readAll(into sink: (_ piece: [UInt8]) throws -> Void) throws {
            switch self {
            case .bytes(let bytes):
                let most = ContentFormat.segmentByteCount
                if bytes.count <= most { return try sink(bytes) }
                for start in stride(from: 0, to: bytes.count, by: most) {
                    try sink(Array(bytes[start..<min(bytes.count, start + most)]))
                }
            case .file(let file): try file.readAll(sink)
            case .unreadable(let failure): throw failure
            }
        }

        /// At most so many bytes of a file; none where they cannot be read.
        func bytes(upTo count: Int) throws -> [UInt8] {
            do {
                switch self {
                case .bytes(let bytes): return bytes
                case .file(let file): return try file.read(count, at: 0)
                case .unreadable: return []
                }
            } catch let failure as DiskFailure where failure.isOfFile {
                return []
            }
        }
    }
}

extension DiskFailure {
    /// Whether it is the file's, and not that this process has too little of what it needs for any.
    var isOfFile: Bool { ![EMFILE, ENFILE, ENOMEM].contains(code) }

    /// What is said where it keeps a document's content from being read.
    /// - Parameter document: its path.
    func reading(_ document: String) -> LockbookError {
        isOfFile
            ? .unreadableContent(path: document, file: path, reason: reason)
            : .io(path: path, reason: reason)
    }
}

extension LockbookError {
    /// Whether the bytes of a document that are on this device do not give its content.
    var isUnreadable: Bool {
        switch self {
        case .damaged, .unreadableContent: true
        default: false
        }
    }
}
