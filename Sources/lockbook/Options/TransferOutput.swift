import ArgumentParser
import LockbookEngine

/// How an import or export tells what it did.
struct TransferOutput: ParsableArguments {
    @Flag(name: .shortAndLong, help: "Tell only what failed.")
    var quiet = false

    @Flag(help: "Show what was done as JSON.")
    var json = false

    func show(_ report: TransferReport, verb: String) throws {
        for problem in report.problems {
            Terminal.warn("\(problem.path): \(problem.reason)")
        }
        for path in report.unremoved ?? [] {
            Terminal.warn(
                "\(path): nothing was removed from the disk: something in it cannot be read, or "
                    + "stands too deep"
            )
        }
        if let reason = report.unremembered {
            Terminal.warn("this device cannot remember what was exported: \(reason)")
        }
        if let path = report.unprotected {
            Terminal.warn(
                "\(path): others may read it, and what else was exported there: the file system "
                    + "keeps no modes"
            )
        }
        if let path = report.undated {
            Terminal.warn(
                "\(path): it has the time at which it was written, and so has what else was "
                    + "exported there: the file system lets nobody set it"
            )
        }
        if !quiet {
            tellReplaced(report.replaced ?? [])
            report.shared?.forEach(tell)
        }
        if json {
            try Terminal.afterDone(hint: "giving the command again does no harm") {
                try Terminal.show(json: report)
            }
        } else if !quiet {
            Terminal.notice(report.summary(verb))
        }
        if !report.problems.isEmpty {
            let hint = report.links.map { _ in
                "symbolic links are not followed; a `.lockbookignore` can pass them by"
            }
            throw CommandError.partial(count: report.problems.count, hint: hint)
        }
        if report.unremembered != nil { throw CommandError.unremembered }
    }

    private func tell(_ shared: TransferReport.Shared) {
        let files = count(shared.files, "file")
        Terminal.notice("\(files) went into \(shared.path), which somebody shares")
    }

    /// What was written in the lockbook and gave way to a newer file is still in the history.
    private func tellReplaced(_ files: [String]) {
        let shown = files.count > 12 ? 10 : files.count
        for file in files.prefix(shown) {
            Terminal.notice(
                "\(file): replaced the note of its name, which no import is known to have made "
                    + "of it; `history` has both"
            )
        }
        if files.count > shown {
            Terminal.notice("\(files.count - shown) more replaced a note; --json names them")
        }
    }
}

extension TransferReport {
    fileprivate func summary(_ verb: String) -> String {
        let parts = [
            "\(created) new", updated > 0 ? "\(updated) changed" : nil,
            unchanged > 0 ? "\(unchanged) unchanged" : nil,
            removed > 0 ? "\(removed) removed" : nil, ignored > 0 ? "\(ignored) ignored" : nil,
            folders > 0 ? count(folders, "folder") : nil,
        ]
        let list = parts.compactMap(\.self).joined(separator: ", ")
        guard created + updated + removed > 0 else { return "\(verb) nothing: \(list)" }
        return "\(verb) \(byteCount(bytes)): \(list)"
    }
}

extension TransferProgress {
    func sentence(_ verb: String) -> String {
        "\(verb): \(count(files, "file")), \(byteCount(bytes)), \(current)"
    }
}
