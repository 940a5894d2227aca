import LockbookCrypto
package import LockbookModel

/// Which device wrote a document's content last.
package enum Writer: Int, Sendable, CaseIterable {
    case base, left, right
}

/// Files for shapes, made once: a merge is cheap beside making its input.
package struct FileTable: Sendable {
    package static let names = ["a", "b", "c"]

    package let owner: AccountID
    package let root: FileID
    package let ids: [FileID]
    /// What stands for a second copy of each file.
    package let copies: [FileID]
    private let rootFile: File
    private let device: DeviceID
    private let names: [FileName]
    private let contents: [[Content]]

    package init(fileCount: Int) throws {
        owner = AccountID(hash: Hash256(sha256: [1]))
        root = FileID(rootOf: owner)
        let id = { (number: Int) in
            // Above and below the root's, whatever that is.
            FileID([UInt8(number % 2) * 255] + [UInt8](repeating: 0, count: 14) + [UInt8(number)])
        }
        ids = (0..<fileCount).compactMap { id($0) }
        copies = (0..<fileCount).compactMap { id($0 + 100) }
        guard let device = DeviceID([UInt8](repeating: 1, count: 16)) else {
            throw FileNameFailure.empty
        }
        self.device = device
        names = try Self.names.map { try FileName($0) }
        rootFile = File(
            id: root,
            parent: root,
            type: .folder,
            name: try FileName("alice"),
            at: Timestamp(milliseconds: 0),
            author: owner,
            device: device,
            deviceName: "laptop",
            scope: root
        )
        let random = RandomSource { [UInt8](repeating: 7, count: $0) }
        let key = ContentKey(random: random)
        let (_, facts) = try ContentSealer.seal([1], key: key, bound: [])
        contents = (0..<fileCount).map { number in
            (0...Writer.allCases.count).compactMap { version in
                VersionID([UInt8](repeating: UInt8(number * 16 + version + 1), count: 16)).map {
                    Content(version: $0, key: key, facts: facts)
                }
            }
        }
    }

    package func content(of number: Int, by writer: Writer) -> Content {
        contents[number][writer.rawValue]
    }

    /// What merging both devices' contents of a file gives.
    package func mergedContent(of number: Int) -> Content {
        contents[number][Writer.allCases.count]
    }

    /// The tree of a state.
    /// - Parameters:
    ///   - base: the state before, whose documents that are not edited are unchanged.
    ///   - writer: who made what is new or edited.
    package func tree(_ shapes: Shapes, since base: Shapes? = nil, by writer: Writer) -> SmallTree {
        var tree = SmallTree(files: [root: rootFile])
        for number in shapes.indices {
            guard let shape = shapes[number] else { continue }
            let isOld = base.map { $0[number] != nil && !shape.isEdited } ?? true
            var file = File(
                id: ids[number],
                parent: shape.parent == Shape.root ? root : ids[shape.parent],
                type: shape.isFolder ? .folder : .document,
                name: names[shape.name],
                content: shape.isFolder ? nil : content(of: number, by: isOld ? .base : writer),
                at: Timestamp(milliseconds: 0),
                author: owner,
                device: device,
                deviceName: "laptop",
                scope: root
            )
            file.isDeleted = shape.isDeleted
            tree.files[file.id] = file
        }
        return tree
    }
}
