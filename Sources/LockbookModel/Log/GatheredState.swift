/// A tree at one position of its log, gathered file by file, from which each scope's state follows.
///
/// Client and server run this same code, so that what the one signs is what the other has.
package struct GatheredState: Sendable {
    private let root: FileID
    private var records: [FileID: [RecordReference]] = [:]
    /// In which scope a file stands.
    private var scopes: [FileID: FileID] = [:]
    /// What the first file of a scope says.
    private var tops: [FileID: FileFacts] = [:]

    package init(rootOf owner: AccountID) { root = FileID(rootOf: owner) }

    /// Takes one file; by rising id.
    /// - Parameter top: what a file says that a scope begins with; nil of any other.
    package mutating func add(_ record: RecordReference, in scope: FileID, top: FileFacts?) {
        records[scope, default: []].append(record)
        scopes[record.file] = scope
        if let top { tops[record.file] = top }
    }

    /// The file that a scope begins with.
    package func top(of scope: FileID) -> FileFacts? { tops[scope] }

    /// What nothing was ever shared of has.
    package var digests: [ScopeDigest] {
        records.sorted { $0.key < $1.key }
            .map { ScopeDigest(scope: $0.key, sortedRecords: $0.value) }
    }

    /// Every scope's state, without the wraps.
    /// - Parameter grants: all that hold in the tree, those that take one back too.
    package func states(_ grants: [Grant]) -> [ScopeState] {
        let around = Dictionary(uniqueKeysWithValues: records.keys.map { ($0, outer($0)) })
        var inner: [FileID: [FileID]] = [:]
        for (scope, outer) in around {
            for other in outer { inner[other, default: []].append(scope) }
        }
        let byFile = Dictionary(grouping: grants, by: \.file)
        return digests.map { files in
            ScopeState(
                files: files,
                inner: inner[files.scope] ?? [],
                grants: Self.grants(on: files.scope, around[files.scope] ?? [], byFile)
            )
        }
    }

    /// The scopes around one, from the inside out.
    private func outer(_ scope: FileID) -> [FileID] {
        var found: [FileID] = []
        var next = scope
        while let top = tops[next], top.parent != next, let scope = scopes[top.parent],
            !found.contains(scope)
        {
            found.append(scope)
            next = scope
        }
        return found
    }

    /// Those on the scope, those that hold around it, and whatever says who signed one of these.
    private static func grants(
        on scope: FileID,
        _ outer: [FileID],
        _ byFile: [FileID: [Grant]]
    ) -> [Grant] {
        let around = outer.flatMap { byFile[$0] ?? [] }
        var found = (byFile[scope] ?? []) + around.filter { $0.mode > .none }
        var ended = Dictionary(grouping: around.filter { $0.mode == .none }) {
            AccountID($0.grantee)
        }
        var grantors = found.map(\.grantor)
        while let grantor = grantors.popLast() {
            let more = ended.removeValue(forKey: grantor) ?? []
            found += more
            grantors += more.map(\.grantor)
        }
        return found
    }
}
