import Crypto

/// The name of a blob: a digest over the digests of its 1 MiB segments.
///
/// So a part can be checked as it comes, a broken transfer goes on where it stopped, and segments
/// can be hashed side by side.
package struct BlobName: Hashable, Comparable, Sendable, CustomStringConvertible {
    package let hash: Hash256

    package init(hash: Hash256) {
        self.hash = hash
    }

    /// The name of the blob that has these segments.
    package init(length: UInt64, segments: [Hash256]) {
        var encoder = CanonicalEncoder(reserving: 8 + segments.count * 32)
        encoder.append(length)
        for segment in segments { encoder.append(segment) }
        hash = Hash256(label: "lockbook/v1/blob", encoder.bytes)
    }

    /// The name of a blob that is at hand.
    package init(of blob: [UInt8]) {
        var namer = BlobNamer()
        namer.update(blob)
        self = namer.finish()
    }

    package var description: String { hash.description }

    package static func < (left: BlobName, right: BlobName) -> Bool { left.hash < right.hash }
}

/// Names a blob that comes in pieces.
package struct BlobNamer {
    private var segment = SHA256()
    private var inSegment = 0
    private var length: UInt64 = 0
    package private(set) var segments: [Hash256] = []

    package init() {}

    package mutating func update(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let piece = rest.prefix(ContentFormat.segmentByteCount - inSegment)
            piece.withUnsafeBytes { segment.update(bufferPointer: $0) }
            inSegment += piece.count
            length += UInt64(piece.count)
            rest = rest.dropFirst(piece.count)
            if inSegment == ContentFormat.segmentByteCount { endSegment() }
        }
    }

    package mutating func finish() -> BlobName {
        if inSegment > 0 { endSegment() }
        return BlobName(length: length, segments: segments)
    }

    private mutating func endSegment() {
        segments.append(Hash256(digest: segment.finalize()))
        segment = SHA256()
        inSegment = 0
    }
}
