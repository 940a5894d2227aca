import Foundation
import TreeSpace

// Merges every way in which two devices can change every small tree, on all cores, and goes on
// where an earlier run stopped.
// Usage: tree-space FILES [--edits] [--twins] [--all] [--repeat N] [--state FILE] [--minutes N]
let arguments = CommandLine.arguments
let value = { (option: String) in
    arguments.firstIndex(of: option).flatMap { arguments.dropFirst($0 + 1).first }
}
guard arguments.count > 1, let fileCount = Int(arguments[1]), (1...3).contains(fileCount) else {
    FileHandle.standardError.write(Data("usage: tree-space FILES [--edits] [--all]\n".utf8))
    exit(2)
}
let sweep = try Sweep(
    TreeSpace(fileCount: fileCount, hasEdits: arguments.contains("--edits")),
    reduced: !arguments.contains("--all"),
    hasTwins: arguments.contains("--twins"),
    repeatedOf: value("--repeat").flatMap { Int($0) } ?? 1
)
let deadline = value("--minutes").flatMap(Double.init).map { Date(timeIntervalSinceNow: $0 * 60) }
let parts = try SweepParts(of: sweep, state: value("--state") ?? "/dev/null")
await parts.run(until: deadline)
print(parts.summary)
exit(parts.isWhole && parts.isSound ? 0 : 1)
