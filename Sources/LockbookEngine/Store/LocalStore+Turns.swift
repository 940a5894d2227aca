import GRDB

/// Commands are counted over the trees of all accounts, so that the last one is known whatever the
/// clock says.
extension LocalStore {
    /// Counts a command that changes these stores, where another account's is among them.
    ///
    /// That stands in the account's own store, and is done before the others are locked: who waits for
    /// one of them holds no other one that this could wait for.
    /// - Returns: nil where the account's own store alone is changed, which counts with the change.
    static func turn(in stores: [LocalStore]) throws -> Int64? {
        guard let own = stores.lazy.compactMap(\.context.accountStore).first else { return nil }
        return try own.write { tree in
            let turn = try tree.nextTurn()
            try tree.set(.turn, number: turn)
            return turn
        }
    }
}

extension LocalTree {
    /// The turn of a command that is written down here, or counted for what others share.
    func nextTurn() throws -> Int64 {
        let newest = try Int64.fetchOne(
            db.cachedStatement(sql: "SELECT max(turn) FROM command")
        )
        return try max(number(.turn), newest ?? 0) + 1
    }
}
