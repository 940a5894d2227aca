/// A file as a user sees it.
public struct FileInfo: Sendable, Equatable, Codable {
    public enum Kind: String, Sendable, Codable {
        case document, folder, link
    }

    /// 32 hexadecimal digits.
    public var id: String
    /// From the root, with a leading `/`; folders without a trailing one.
    public var path: String
    public var name: String
    public var type: Kind
    /// Bytes of plaintext; 0 for folders.
    public var size: UInt64
    /// When the author last changed it: milliseconds since 1970.
    public var modified: Int64
    /// Whether the content can be read without the server; always true for folders.
    public var isHere: Bool
    /// Whether this device has changes of it that were not synced.
    public var isChanged: Bool
    /// Whether its record could not be opened; such a file is shown by its id.
    public var isDamaged: Bool
    public var isExecutable: Bool
    /// Whether this account shares it with others; nil where it does not.
    public var isShared: Bool?
}

/// How a user names a file: by path, or `id:` and the beginning of an id, with a path below it.
public enum FileReference: Sendable, Hashable {
    case path(String)
    case id(prefix: String)

    public init(_ text: String) {
        if text.hasPrefix("id:") {
            // Behind the id a path may follow, in which letters are what they are.
            let (id, path) = text.behind("id:").idAndPath
            self = .id(prefix: id.lowercased() + path)
        } else {
            self = .path(text)
        }
    }

    /// Whether a document may be meant: by an id, or by a path of good names that no slash ends.
    public var isDocuments: Bool {
        guard case .path(let path) = self else { return true }
        guard let names = try? LocalTree.names(of: path) else { return false }
        return !names.isEmpty && !path.endsWithSlash
    }

    /// Whether it is an id alone: only what is there has one.
    var isBareID: Bool {
        guard case .id(let text) = self else { return false }
        return text.idAndPath.path.isEmpty
    }

    /// As it was typed.
    public var text: String {
        switch self {
        case .path(let path): path
        case .id(let prefix): "id:\(prefix)"
        }
    }
}
