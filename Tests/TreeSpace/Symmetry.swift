extension TreeSpace {
    /// One tree of each kind, with the number of trees that differ from it only in which file is
    /// which and which name is which.
    func representatives() -> [(tree: Shapes, weight: Int)] {
        let files = Self.permutations(of: fileCount)
        let names = Self.permutations(of: nameCount)
        var found: [(tree: Shapes, weight: Int)] = []
        for tree in trees {
            var orbit: Set<Shapes> = []
            for files in files {
                for names in names {
                    orbit.insert(Self.renumbered(tree, files: files, names: names))
                }
            }
            if orbit.allSatisfy({ !$0.precedes(tree) }) { found.append((tree, orbit.count)) }
        }
        return found
    }

    private static func renumbered(_ tree: Shapes, files: [Int], names: [Int]) -> Shapes {
        var other = tree
        for number in tree.indices {
            var shape = tree[number]
            shape?.parent = tree[number].map { $0.parent < 0 ? $0.parent : files[$0.parent] } ?? 0
            shape?.name = tree[number].map { names[$0.name] } ?? 0
            other[files[number]] = shape
        }
        return other
    }

    private static func permutations(of count: Int) -> [[Int]] {
        guard count > 0 else { return [[]] }
        return permutations(of: count - 1).flatMap { shorter in
            (0..<count).map { place in
                var longer = shorter
                longer.insert(count - 1, at: place)
                return longer
            }
        }
    }
}

extension Shapes {
    /// An order of trees; which one does not matter.
    fileprivate func precedes(_ other: Shapes) -> Bool {
        numbers.lexicographicallyPrecedes(other.numbers)
    }

    private var numbers: [Int] {
        flatMap { shape in
            guard let shape else { return [0] }
            return [
                1, shape.isFolder ? 1 : 0, shape.parent, shape.name, shape.isDeleted ? 1 : 0,
                shape.isEdited ? 1 : 0,
            ]
        }
    }

    /// The tree in a line: for each file its parent's number (`/` is the root), its name, `/` behind
    /// a folder, `†` for deleted, `*` for written.
    package var drawn: String {
        let files = map { shape in
            guard let shape else { return "-" }
            return (shape.parent < 0 ? "/" : "\(shape.parent)/") + FileTable.names[shape.name]
                + (shape.isFolder ? "/" : "") + (shape.isDeleted ? "†" : "")
                + (shape.isEdited ? "*" : "")
        }
        return "[\(files.joined(separator: " "))]"
    }
}
