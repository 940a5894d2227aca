import ArgumentParser
import LockbookEngine
import Synchronization

struct Sync: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sync",
        abstract: "Exchange changes with the server",
        discussion: """
            Safe to stop at any moment and to run again. What both sides changed is merged; what \
            was decided is told. Large contents stay on the server until they are read, unless \
            --full brings them. Exit status 9: something could not be pushed and stays here. \
            --dry-run asks the server what is new, tells what a sync would do, and does nothing \
            of it: neither here nor there. --accept-rollback is for a server that was restored \
            from a backup: it shows what the server lost, asks, and pushes it again.
            """
    )

    @Flag(help: "Bring every content to this device, however large.")
    var full = false

    @Flag(
        name: .shortAndLong,
        help: "Tell only what was decided and what failed, on standard error."
    )
    var quiet = false

    @Flag(help: "Show what was done as JSON.")
    var json = false

    @Flag(
        name: [.customShort("n"), .long],
        help: "Show what a sync would do, and do nothing of it."
    )
    var dryRun = false

    @Flag(help: "Go on although much would be deleted or replaced.")
    var acceptDeletions = false

    @Flag(help: "Follow a server that was restored from a backup: push again what it lost.")
    var acceptRollback = false

    @Flag(name: .shortAndLong, help: "Do not ask, with --accept-rollback.")
    var force = false

    func run() throws {
        let lockbook = try Lockbook.open()
        if let bytes = try Settings.current()[.lazyBytes], UInt64(bytes.value) == nil {
            Terminal.warn(
                "\(bytes.source) is \(quoted(bytes.value)), which is no number of bytes; what counts is "
                    + "\(SettingKey.lazyBytes.standard ?? "")"
            )
        }
        var options = SyncOptions()
        options.full = full
        options.acceptDeletions = acceptDeletions
        options.acceptsRollback = acceptRollback
        options.isDryRun = dryRun
        options.listsChanges = json || dryRun && !quiet
        if acceptRollback, !force, !dryRun { try confirmRollback(lockbook, options) }
        let report = try sync(lockbook, options)
        if dryRun {
            try show(report, [], lockbook)
        } else {
            let hint =
                "another sync does no harm, and does not tell of it again; "
                + "`lockbook history /` shows what was changed"
            try Terminal.afterDone(hint: hint) {
                // What nobody watched being decided is told with the rest; a script finds it in `status`.
                if json {
                    try tell(report, [], lockbook)
                } else {
                    try lockbook.showBackgroundDecisions { try tell(report, $0, lockbook) }
                }
                guard !quiet, !json, !report.pulled.isEmpty else { return }
                // What another device merged came with its markers: no note here tells of it.
                try Terminal.show(sentences: StatusText.conflicts(lockbook.conflicts().count))
            }
        }
        let left = report.notes.count { $0.isLeft }
        if left > 0 {
            throw CommandError.partial(count: left, isDryRun: dryRun)
        }
    }

    /// Shows what was done; where that cannot be, what was decided goes where failures go: no other sync tells
    /// of it.
    private func tell(_ report: SyncReport, _ earlier: [String], _ lockbook: Lockbook) throws {
        do { try show(report, earlier, lockbook) } catch {
            for line in report.decisions(for: lockbook.username) { Terminal.warn(line) }
            throw error
        }
    }

    private func show(_ report: SyncReport, _ earlier: [String], _ lockbook: Lockbook) throws {
        if json {
            try Terminal.show(json: report)
        } else if quiet {
            // Whoever runs it from cron must hear of what was decided.
            for line in earlier + report.decisions(for: lockbook.username) { Terminal.warn(line) }
        } else {
            try Terminal.show(sentences: report.lines(for: lockbook.username))
            if !earlier.isEmpty {
                let lines = earlier.map { "  " + $0 }
                try Terminal.show(sentences: ["automatic syncs before:"] + lines)
            }
        }
        let offered = Set(report.notes.filter { [.offered, .given].contains($0.kind) }.map(\.id))
        guard !offered.isEmpty, let offers = try? lockbook.offers() else { return }
        let people = offers.filter { offered.contains($0.id) }.map(\.from)
        Terminal.warn(lookAlikesAmong: people, in: lockbook)
    }

    private func sync(_ lockbook: Lockbook, _ options: SyncOptions) throws -> SyncReport {
        let line = ProgressLine(quiet: quiet, waitingFor: { lockbook.awaited })
        let unfinished = Mutex<SyncReport?>(nil)
        do {
            defer { line.clear() }
            return try waiting(line) {
                try await lockbook.sync(
                    options,
                    unfinished: { report in unfinished.withLock { $0 = report } }
                ) {
                    line.show($0.sentence)
                }
            }
        } catch {
            // What was done and decided before it failed is done, and the next sync will not tell it again.
            if let report = unfinished.withLock({ $0 }), report.didSomething {
                try? tell(report, [], lockbook)
            }
            if !options.isDryRun { lockbook.remember(Failure(error)) }
            throw error
        }
    }

    /// Shows what following the server back means, and makes sure that somebody means it.
    private func confirmRollback(_ lockbook: Lockbook, _ options: SyncOptions) throws {
        var rehearsal = options
        rehearsal.isDryRun = true
        let prospect = try sync(lockbook, rehearsal)
        guard prospect.rollback != nil else { return }
        for line in prospect.lines(for: lockbook.username) { Terminal.warn(line) }
        guard Terminal.canAsk else { throw CommandError.unacceptedRollback }
        try Question.confirm(
            "was the server restored from a backup, and shall this device push again what it lost?",
            otherwise: "nothing was changed"
        )
    }
}

extension Lockbook {
    /// Lets `status` tell why a sync failed, where that stays so.
    ///
    /// Where it cannot be written down, the failure itself is all that there is to tell.
    func remember(_ failure: Failure) {
        guard failure.status.isRememberedOfSync, let message = failure.message else { return }
        try? noteFailedSync(message)
    }
}
