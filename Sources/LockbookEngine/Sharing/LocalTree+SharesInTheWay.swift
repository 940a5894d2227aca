import LockbookCrypto
import LockbookModel

/// What is in the way of a share that is to be made or taken back, as a report tells it.
extension LocalTree {
    /// Why a file keeps all that it is in from being sealed for others, and what can be done about it.
    ///
    /// Who is let in gets every file of the share in one entry, sealed by who lets him in: what does not
    /// open nobody can seal, and a share with a file left out is one that no server and no reader takes.
    func inTheWay(_ row: FileRow) throws -> LockbookError {
        guard row.isDamaged else {
            return badShare(row, "it was changed here, and that waits to be pushed")
        }
        let writer = try author(of: row)
        let damage = "it is damaged" + (writer.isEmpty ? "" : ", as \(writer) wrote it")
        return badShare(
            row,
            isForeign
                ? damage + ", and its owner alone can delete it"
                : damage + ": delete it, or first sync a device on which it opens"
        )
    }

    /// Why a link keeps the folder around it from being shared, and what can be done about it.
    ///
    /// No record of a link can be in a share, not of one in the trash either; no list shows one
    /// there whose share was taken back.
    func linkInTheWay(_ link: FileRow) throws -> String {
        try isDead(link)
            ? "the folder around it cannot be shared with a link in it, also one in the trash: "
                + "`lockbook trash empty PATH` and a sync purge it"
            : "the folder around it cannot be shared with a link in it: move the link, or take the "
                + "share back"
    }

    /// What is to be shared and cannot be, as another device put a link into it.
    func heldShares() throws -> [HeldShare] {
        guard !isForeign else { return [] }
        let files = Set(try wishes().filter { $0.mode > .none }.map(\.file))
        return try files.sorted().compactMap { file in
            guard let row = try row(file), !row.isDamaged, try !isDead(row),
                let link = try linkInside(row, besides: purgedIDs()), link.base != nil
            else { return nil }
            return HeldShare(
                id: file.description,
                path: try path(of: link),
                reason: try linkInTheWay(link) + untilThen(file)
            )
        }
    }

    /// With whom a share waits until what is in its way is gone: who is not let in, and who not out.
    func untilThen(_ file: FileID) throws -> String {
        let holders = try grants(of: file).filter { $0.mode > .none }
            .map { AccountID($0.grantee) }
        var (missing, remaining): ([String], [String]) = ([], [])
        for wish in try wishes() where wish.file == file {
            if wish.mode == .none {
                remaining.append(try username(of: wish.grantee))
            } else if !holders.contains(wish.grantee) {
                missing.append(try username(of: wish.grantee))
            }
        }
        var words = ""
        if !missing.isEmpty { words += "; not shared yet with " + missing.joined(separator: ", ") }
        if !remaining.isEmpty {
            words += "; not taken back yet from " + remaining.joined(separator: ", ")
        }
        return words
    }
}
