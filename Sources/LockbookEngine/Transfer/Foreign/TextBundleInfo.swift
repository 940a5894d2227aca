import FoundationEssentials
import LockbookModel

/// What `info.json` of a TextBundle says that is of use here; the times are Bear's own.
struct TextBundleInfo {
    var isArchived = false
    var isTrashed = false
    var isEncrypted = false
    var id: String?
    var created: Timestamp?
    var modified: Timestamp?

    init() {}

    /// Nil for what is no JSON object.
    init?(_ bytes: [UInt8]) {
        guard let info = try? JSONDecoder().decode(Info.self, from: Data(bytes)) else { return nil }
        guard let bear = info.bear else { return }
        isArchived = bear.isTrue(.archived)
        isTrashed = bear.isTrue(.trashed)
        isEncrypted = bear.isTrue(.encrypted)
        id = bear.text(.uniqueIdentifier).flatMap { $0.isEmpty ? nil : $0 }
        created = bear.time(.creationDate)
        modified = bear.time(.modificationDate)
    }

    private struct Info: Decodable {
        let bear: Bear?

        enum Key: String, CodingKey {
            case bear = "net.shinyfrog.bear"
        }

        init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: Key.self)
            bear = try? values.decode(Bear.self, forKey: .bear)
        }
    }

    private struct Bear: Decodable {
        let values: KeyedDecodingContainer<Key>

        enum Key: String, CodingKey {
            case archived, trashed, encrypted, creationDate, modificationDate, uniqueIdentifier
        }

        init(from decoder: any Decoder) throws {
            values = try decoder.container(keyedBy: Key.self)
        }

        /// Bear writes 0 and 1.
        func isTrue(_ key: Key) -> Bool {
            if let number = try? values.decode(Int.self, forKey: key) { return number != 0 }
            return (try? values.decode(Bool.self, forKey: key)) ?? false
        }

        func text(_ key: Key) -> String? { try? values.decode(String.self, forKey: key) }

        func time(_ key: Key) -> Timestamp? {
            text(key).flatMap { Timestamp(exported: $0) }
        }
    }
}
