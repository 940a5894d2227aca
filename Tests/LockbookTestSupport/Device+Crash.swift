import GRDB

extension Device {
    /// As a crash leaves it that comes when the other store has the wish for a grant, and this one
    /// does not know of it yet: whoever used an invitation is to be let in still.
    package func owesAgain() throws {
        let queue = try DatabaseQueue(path: directory + "/lockbook.db")
        try queue.write { try $0.execute(sql: "UPDATE invitation SET owed = 0 WHERE state = 1") }
        try queue.close()
    }

    /// From here on no export can forget what it put down before it let files take their places, as
    /// when it is killed after that; or it can again.
    package func refuseToForgetExports(_ refuses: Bool) throws {
        try refuse(refuses, "DELETE ON exported")
    }

    /// From here on nothing in the account's own tree can be changed, as when a sync is killed before
    /// it does; or it can again.
    package func refuseToChangeFiles(_ refuses: Bool) throws {
        try refuse(refuses, "UPDATE ON file")
    }

    /// From here on no sync can note what there is to say of it, as when it is killed before that; or it
    /// can again.
    package func refuseToNoteNews(_ refuses: Bool) throws {
        try refuse(refuses, "INSERT ON setting WHEN NEW.key = 'untold'")
    }

    /// From here on this device cannot forget that the server knows the account, as when a sync is killed
    /// before it does; or it can again.
    package func refuseToForgetRegistration(_ refuses: Bool) throws {
        try refuse(refuses, "DELETE ON setting WHEN OLD.key = 'registered'")
    }

    private func refuse(_ refuses: Bool, _ change: String) throws {
        let queue = try DatabaseQueue(path: directory + "/lockbook.db")
        try queue.write {
            try $0.execute(
                sql: refuses
                    ? "CREATE TRIGGER killed BEFORE \(change) "
                        + "BEGIN SELECT RAISE(ABORT, 'killed'); END"
                    : "DROP TRIGGER killed"
            )
        }
        try queue.close()
    }
}
