import LockbookEngine

/// Does something with each of several things, as `cat` and `mkdir` do.
///
/// What fails is told at once and the rest goes on; the program ends with the first failure's
/// status.
func forEach<Target>(_ targets: [Target], _ body: (Target) throws -> Void) throws {
    var first: Status?
    for target in targets {
        do {
            try body(target)
        } catch CommandError.output(let reason) {
            // Nothing that follows could be shown either.
            throw CommandError.output(reason: reason)
        } catch {
            let failure = Failure(ofCommand: error)
            Terminal.tell(failure)
            first = first ?? failure.status
        }
    }
    if let first {
        throw CommandError.told(first)
    }
}

extension [String] {
    /// Several sources and the destination behind them.
    func sourcesAndDestination() -> (sources: [String], destination: String)? {
        guard count > 1, let destination = last else { return nil }
        return (Array(dropLast()), destination)
    }

    /// Several files of the lockbook and the destination behind them; warns of what is named twice.
    func filesAndDestination() -> (files: [FileReference], destination: String)? {
        guard let (sources, destination) = sourcesAndDestination() else { return nil }
        let files = sources.map(FileReference.init)
        files.warnOfRepeated()
        return (files, destination)
    }
}

extension [FileReference] {
    /// Warns of what is named twice, as `cp` does: it is one file, and goes once.
    func warnOfRepeated() {
        var seen: Set<[[UInt8]]> = []
        var told: Set<[[UInt8]]> = []
        for reference in self {
            // By bytes: two names may differ only in how an accent is written.
            let path = reference.text.utf8.split(separator: UInt8(ascii: "/")).map { [UInt8]($0) }
            guard !seen.insert(path).inserted, told.insert(path).inserted else { continue }
            Terminal.warn("named twice: \(reference.text)")
        }
    }

    /// Brings the contents of all of them here.
    func fetch(with lockbook: Lockbook) throws {
        for reference in self {
            try asking(lockbook.awaited) { try await lockbook.fetch(reference) }
        }
    }
}
