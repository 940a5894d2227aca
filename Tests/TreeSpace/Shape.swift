/// One file in a small tree: what a merge of trees can see of it, and nothing else.
package struct Shape: Hashable, Sendable {
    package var isFolder: Bool
    /// The number of the folder it stands in, from 0; `Shape.root` is none of the files.
    package var parent: Int
    /// Which of the few names it has.
    package var name: Int
    package var isDeleted: Bool
    /// Whether a document was written since the tree before.
    package var isEdited: Bool

    package static let root = -1
}

/// A state of a few files; nil is one that was not made yet.
package typealias Shapes = [Shape?]

/// Every tree that so many files and names can be, and every pair of changes of each.
///
/// A state is, for each file: not made; or folder or document, in the root or in one of the other
/// files, under one of the names, deleted or not. It is a tree when parents are folders that are
/// there, nothing is below itself, and no two files that are not deleted share folder and name.
///
/// A successor is what commands can make of a tree, any number of them: a file stays made, keeps
/// its type, and stays deleted once it is; whatever is dead stays as it is; a document that lives
/// may be written. A new file may be made dead, as when its folder is deleted after.
package struct TreeSpace: Sendable {
    package let fileCount: Int
    package let nameCount: Int
    /// Whether documents are written too, which makes more successors.
    package let hasEdits: Bool
    package let trees: [Shapes]

    package init(fileCount: Int, nameCount: Int = 2, hasEdits: Bool) {
        self.fileCount = fileCount
        self.nameCount = nameCount
        self.hasEdits = hasEdits
        var trees: [Shapes] = [[]]
        for _ in 0..<fileCount {
            let states = Self.states(fileCount: fileCount, nameCount: nameCount)
            trees = trees.flatMap { tree in states.map { tree + [$0] } }
        }
        self.trees = trees.filter(Self.isTree)
    }

    private static func states(fileCount: Int, nameCount: Int) -> [Shape?] {
        var states: [Shape?] = [nil]
        for isFolder in [false, true] {
            for parent in Shape.root..<fileCount {
                for name in 0..<nameCount {
                    for isDeleted in [false, true] {
                        states.append(
                            Shape(
                                isFolder: isFolder,
                                parent: parent,
                                name: name,
                                isDeleted: isDeleted,
                                isEdited: false
                            )
                        )
                    }
                }
            }
        }
        return states
    }

    static func isTree(_ shapes: Shapes) -> Bool {
        var taken: Set<[Int]> = []
        for number in shapes.indices {
            guard let shape = shapes[number] else { continue }
            if !shape.isDeleted, !taken.insert([shape.parent, shape.name]).inserted {
                return false
            }
            var above = shape.parent
            var steps = 0
            while above != Shape.root {
                guard steps < shapes.count, let folder = shapes[above], folder.isFolder else {
                    return false
                }
                above = folder.parent
                steps += 1
            }
        }
        return true
    }

    /// Whether a file, or a folder above it, is deleted.
    package static func isDead(_ number: Int, in shapes: Shapes) -> Bool {
        var number = number
        while number != Shape.root, let shape = shapes[number] {
            if shape.isDeleted { return true }
            number = shape.parent
        }
        return false
    }

    /// What one device can make of a tree before it syncs.
    package func successors(of base: Shapes) -> [Shapes] {
        let dead = base.indices.map { Self.isDead($0, in: base) }
        var all: [Shapes] = []
        for tree in trees where Self.isSuccessor(tree, of: base, dead: dead) {
            var variants = [tree]
            let documents = base.indices.filter { number in
                base[number]?.isFolder == false && !dead[number]
            }
            for number in documents where hasEdits {
                variants += variants.map { variant in
                    var edited = variant
                    edited[number]?.isEdited = true
                    return edited
                }
            }
            all += variants
        }
        return all
    }

    private static func isSuccessor(_ tree: Shapes, of base: Shapes, dead: [Bool]) -> Bool {
        for number in base.indices {
            guard let before = base[number] else { continue }
            guard let after = tree[number], after.isFolder == before.isFolder else { return false }
            if dead[number], after != before { return false }
        }
        return true
    }

    /// Whether two devices can have made these of one tree: a file that both have and the base has
    /// not, as after a data folder was copied, is of one type.
    package static func canMeet(_ one: Shapes, _ other: Shapes) -> Bool {
        zip(one, other).allSatisfy { one, other in
            guard let one, let other else { return true }
            return one.isFolder == other.isFolder
        }
    }

    /// Whether both devices made the same file.
    package static func haveTwin(_ one: Shapes, _ other: Shapes, of base: Shapes) -> Bool {
        base.indices.contains { base[$0] == nil && one[$0] != nil && other[$0] != nil }
    }
}
