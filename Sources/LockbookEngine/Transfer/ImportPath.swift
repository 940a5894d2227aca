import LockbookModel

/// Where something goes in the lockbook: as it is written, and as it is compared.
///
/// Each is one path, and no list of names: of those a file would have as many as it is deep.
struct ImportPath: Sendable {
    /// With a slash in front of each name; empty for the root.
    let text: String
    /// The same in the normal forms of the names.
    let normalized: [UInt8]
    /// The last one; nil for the root.
    let name: FileName?

    init(_ names: some Sequence<FileName>) {
        var text = ""
        var normalized: [UInt8] = []
        var last: FileName?
        for name in names {
            text += "/" + name.text
            normalized += [0x2f] + name.normalized
            last = name
        }
        self.init(text: text, normalized: normalized, name: last)
    }

    private init(text: String, normalized: [UInt8], name: FileName?) {
        (self.text, self.normalized, self.name) = (text, normalized, name)
    }

    /// What stands there under a name.
    func appending(_ name: FileName) -> ImportPath {
        ImportPath(
            text: "\(text)/\(name.text)",
            normalized: normalized + [0x2f] + name.normalized,
            name: name
        )
    }

    /// As it is shown.
    var shown: String { text.isEmpty ? "/" : text }

    /// The folder that it stands in; empty for the root.
    var folder: String { text.folderAndName.folder }

    var names: [FileName] {
        get throws { try LocalTree.names(of: text) }
    }
}
