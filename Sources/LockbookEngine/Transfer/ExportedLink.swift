import LockbookCrypto
import LockbookModel

/// Where an export put what a link leads to: when the link is not there any more, nothing else knows.
struct ExportedLink: Equatable, Sendable {
    let owner: AccountID
    let source: FileID
    let isDocument: Bool
    /// A path on disk.
    let place: [UInt8]
}

extension [ExportedLink] {
    /// No format of `ExportedFolder`, beside which it stands.
    private static var format: UInt8 { 0x80 }

    fileprivate var bytes: [UInt8] {
        var encoder = CanonicalEncoder()
        encoder.append(Self.format)
        encoder.append(UInt32(count))
        for link in self {
            encoder.append(link.owner.hash)
            encoder.append(fixed: link.source.bytes)
            encoder.append(link.isDocument)
            encoder.append(counted: link.place)
        }
        return encoder.bytes
    }

    fileprivate init(decoding bytes: [UInt8]) throws {
        var decoder = CanonicalDecoder(bytes)
        guard try decoder.byte() == Self.format else {
            throw DecodingFailure.invalid(field: "format")
        }
        self = []
        for _ in 0..<(try decoder.count(itemsOfAtLeast: 53)) {
            let owner = AccountID(hash: try decoder.hash())
            guard let source = FileID(try decoder.fixed(16)) else {
                throw DecodingFailure.invalid(field: "source")
            }
            append(
                ExportedLink(
                    owner: owner,
                    source: source,
                    isDocument: try decoder.bool("document"),
                    place: [UInt8](try decoder.counted())
                )
            )
        }
        try decoder.finish()
    }
}

extension LocalTree {
    /// No folder on disk has this name.
    private static let links = "\0links"

    /// The links that earlier exports to a place went through.
    func exportedLinks(at identity: [UInt8]) throws -> [ExportedLink] {
        guard let bytes = try exportNote(Self.links, at: identity) else { return [] }
        return (try? [ExportedLink](decoding: bytes)) ?? []
    }

    func remember(_ links: [ExportedLink], at identity: [UInt8]) throws {
        try putExportNote(links.bytes, Self.links, at: identity)
    }
}
