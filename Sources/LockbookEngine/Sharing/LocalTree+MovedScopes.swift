import LockbookCrypto
import LockbookModel

/// What an entry says of the scopes that come into another one, or out of it, with it.
struct MovedScopes {
    /// Who may be in each, for those who see it from now on.
    var own: [FileID: [Grant]] = [:]
    /// Who may from further out, where that is now.
    var told: [FileID: [Grant]] = [:]
    var wraps: [FileID: [GranteeWrap]] = [:]
    /// By the scope that they are inside of: who sees that one is to get them.
    var inner: [FileID: [FileID]] = [:]

    func contains(_ scope: FileID) -> Bool { own[scope] != nil }
}

extension LocalTree {
    /// Tells everybody who may see a scope where it stands, and gives its new key to those who hold a
    /// grant on it; who comes from further out has it with the folder's.
    func movedScopes(of departures: Departures) throws -> MovedScopes {
        var moved = MovedScopes()
        let view = PageView(tree: self)
        let keys = departures.keys.sorted { $0.key < $1.key }
        for (scope, key) in keys {
            let holders = try view.grantees(of: scope)
            moved.own[scope] = try holders.map { try retold($0) }
            moved.wraps[scope] = try holders.map {
                try GranteeWrap(
                    key.key,
                    owner: owner,
                    file: scope,
                    epoch: key.epoch,
                    grantee: $0.grantee
                )
            }
        }
        for (scope, _) in keys {
            let outer = try view.scopes(around: scope, after: departures.facts).dropFirst()
            for id in outer where id != root {
                moved.told[scope, default: []] += try moved.own[id] ?? view.grantees(of: id)
                guard id == outer.first || moved.contains(id) else { continue }
                moved.inner[id, default: []].append(scope)
            }
        }
        return moved
    }
}
