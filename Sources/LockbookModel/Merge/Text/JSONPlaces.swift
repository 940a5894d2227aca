/// What documents of JSON say at each place that has a name, whatever order they say it in.
///
/// A place is named by the key that it stands behind, or, of an element of a list, by what tells
/// that from the others. A list whose elements have no such member is one value. Blanks, comments
/// and how a letter is escaped are nothing that is said.
struct JSONPlaces {
    /// A name within another place.
    private struct Name: Hashable {
        let place: Int
        let name: ArraySlice<UInt8>
    }

    /// What all these documents name, each place behind the one that it is in.
    private var places: [Name: Int] = [:]
    private var parents = [0]
    private var documents: [[Int: ArraySlice<UInt8>]] = []
    /// What a document names twice; nobody can tell which of the two another one means.
    private var repeated: [Set<Int>] = []

    /// Bytes of all versions together above which nothing is said.
    private static let sizeLimit = 8 << 20

    /// Whether each record and each value is as the two sides have it.
    ///
    /// What came to the place of another record is no version of it: who changed that one changed
    /// nothing here. All four are JSON, or lines of it, and of what a side has twice nothing is
    /// said.
    static func areKept(
        by merged: [UInt8],
        of base: [UInt8],
        from local: [UInt8],
        and remote: [UInt8],
        isLines: Bool
    ) -> Bool {
        let texts = [base, local, remote, merged]
        guard texts.reduce(0, { $0 + $1.count }) <= sizeLimit else { return true }
        var places = JSONPlaces()
        for text in texts {
            guard let tree = JSONTree(text, isLines: isLines) else { return true }
            places.read(tree)
        }
        return places.areKept
    }

    private var areKept: Bool {
        var isUnsure = [false]
        for place in parents.indices.dropFirst() {
            let isRepeated = repeated.dropLast().contains { $0.contains(place) }
            isUnsure.append(isRepeated || isUnsure[parents[place]])
            if isUnsure[place] { continue }
            let versions = ThreeWay(
                base: documents[0][place],
                local: documents[1][place],
                remote: documents[2][place]
            )
            let value = documents[3][place]
            if repeated[3].contains(place) { return false }
            if versions.isDecidedAgainstLocal {
                guard versions.local != nil, versions.remote != nil, value != nil else {
                    return false
                }
            } else if value != versions.merged {
                return false
            }
        }
        return true
    }

    private mutating func read(_ tree: JSONTree) {
        var values: [Int: ArraySlice<UInt8>] = [:]
        var again: Set<Int> = []
        /// Of each node, nil where it has no name.
        var named: [Int?] = []
        for node in tree.nodes {
            guard let parent = node.parent else {
                named.append(0)
                continue
            }
            guard let outer = named[parent], let name = tree.name(of: node) else {
                named.append(nil)
                continue
            }
            let place = place(of: name, in: outer)
            named.append(place)
            if values.updateValue(tree.value(of: node), forKey: place) != nil {
                again.insert(place)
            }
        }
        documents.append(values)
        repeated.append(again)
    }

    private mutating func place(of name: ArraySlice<UInt8>, in outer: Int) -> Int {
        let key = Name(place: outer, name: name)
        if let place = places[key] { return place }
        places[key] = parents.count
        parents.append(outer)
        return parents.count - 1
    }
}
