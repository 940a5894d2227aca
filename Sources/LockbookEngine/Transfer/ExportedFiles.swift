import LockbookCrypto
import LockbookModel

/// Remembered files, as they are stored: thousands are compared with the disk without an object or
/// a string for each.
struct ExportedFiles: Sendable {
    /// Bytes of a file in front of its name.
    private static let headByteCount = 50
    /// Bits of one of these bytes.
    private static let found: UInt8 = 1
    private static let executable: UInt8 = 2
    private static let digested: UInt8 = 4
    private static let noted: UInt8 = 8
    private static let digestByteCount = 32
    private static let noteByteCount = 16

    private(set) var count = 0
    private var bytes: ArraySlice<UInt8> = []

    var byteCount: Int { bytes.count }

    init() {}

    init(_ files: some Sequence<ExportedFile>) {
        var encoder = CanonicalEncoder()
        for file in files {
            encoder.append(file.stamp.modifiedSeconds)
            encoder.append(file.stamp.modifiedNanoseconds)
            encoder.append(file.stamp.size)
            encoder.append(file.stamp.inode)
            var bits: UInt8 = 0
            if file.isFound { bits |= Self.found }
            if file.isExecutable { bits |= Self.executable }
            if file.digest != nil { bits |= Self.digested }
            if file.note != nil { bits |= Self.noted }
            encoder.append(bits)
            encoder.append(file.blob != nil)
            encoder.append(fixed: file.blob?.bytes ?? [UInt8](repeating: 0, count: 16))
            encoder.append(counted: file.name.utf8)
            // System calls take the name where it stands.
            encoder.append(UInt8(0))
            if let digest = file.digest { encoder.append(digest) }
            if let note = file.note { encoder.append(fixed: note.bytes) }
            count += 1
        }
        bytes = encoder.bytes[...]
    }

    init(from decoder: inout CanonicalDecoder) throws {
        count = Int(try decoder.uint32())
        bytes = try decoder.counted()
    }

    func append(to encoder: inout CanonicalEncoder) {
        encoder.append(UInt32(count))
        encoder.append(UInt32(bytes.count))
        encoder.append(fixed: bytes)
    }

    /// Asks about one after the other, until the answer is no.
    /// - Parameter check: gets the name, which ends with NUL, how its blob's name began (or nil),
    ///   the stamp, whether the file was there before any export, whether it could be run, the digest
    ///   of its bytes (or nil), and the id of its document (or nil).
    func allSatisfy(
        _ check: (
            _ name: UnsafePointer<CChar>, _ blob: UnsafeRawBufferPointer?, _ stamp: DiskStamp,
            _ isFound: Bool, _ isExecutable: Bool, _ digest: UnsafeRawBufferPointer?,
            _ note: UnsafeRawBufferPointer?
        ) throws -> Bool
    ) rethrows -> Bool {
        try bytes.withUnsafeBytes { raw in
            guard let base = raw.baseAddress else { return count == 0 }
            func integer<Value: FixedWidthInteger>(_ offset: Int) -> Value {
                Value(bigEndian: raw.loadUnaligned(fromByteOffset: offset, as: Value.self))
            }
            var start = 0
            for _ in 0..<count {
                guard raw.count - start > Self.headByteCount else { return false }
                let length = Int(integer(start + 46) as UInt32)
                let name = start + Self.headByteCount
                let bits = raw[start + 28]
                let digestLength = bits & Self.digested != 0 ? Self.digestByteCount : 0
                let noteLength = bits & Self.noted != 0 ? Self.noteByteCount : 0
                guard raw.count - name > length + digestLength + noteLength,
                    raw[name + length] == 0
                else { return false }
                let middle = name + length + 1 + digestLength
                let end = middle + noteLength
                let digest =
                    digestLength == 0
                    ? nil : UnsafeRawBufferPointer(rebasing: raw[middle - digestLength..<middle])
                let note =
                    noteLength == 0 ? nil : UnsafeRawBufferPointer(rebasing: raw[middle..<end])
                let blob =
                    raw[start + 29] == 0
                    ? nil : UnsafeRawBufferPointer(rebasing: raw[start + 30..<start + 46])
                let stamp = DiskStamp(
                    size: integer(start + 12),
                    modifiedSeconds: integer(start),
                    modifiedNanoseconds: integer(start + 8),
                    inode: integer(start + 20)
                )
                let text = (base + name).assumingMemoryBound(to: CChar.self)
                guard
                    try check(
                        text,
                        blob,
                        stamp,
                        bits & Self.found != 0,
                        bits & Self.executable != 0,
                        digest,
                        note
                    )
                else { return false }
                start = end
            }
            return true
        }
    }

    /// All of them, for a folder that has to be looked at file by file.
    var all: [ExportedFile] {
        var files: [ExportedFile] = []
        files.reserveCapacity(count)
        _ = allSatisfy { name, blob, stamp, isFound, isExecutable, digest, note in
            files.append(
                ExportedFile(
                    name: String(cString: name),
                    blob: blob.flatMap { BlobPrefix(Array($0)) },
                    stamp: stamp,
                    isFound: isFound,
                    isExecutable: isExecutable,
                    digest: digest.flatMap { Hash256(Array($0)) },
                    note: note.flatMap { FileID(Array($0)) }
                )
            )
            return true
        }
        return files
    }
}
