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
        let queue = try DatabaseQueue(path: directory + "/lockbook.db")
        try queue.write {
            try $0.execute(
                sql: refuses
                    ? "CREATE TRIGGER killed BEFORE DELETE ON exported "
                        + "BEGIN SELECT RAISE(ABORT, 'killed'); END"
                    : "DROP TRIGGER killed"
            )
        }
        try queue.close()
    }
}
