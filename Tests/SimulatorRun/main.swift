import FoundationEssentials
import Glibc
import Simulator

/// simulate [--seeds N] [--first N] [--seed N --trace] [--workers N] [--state FILE]
let arguments = Array(CommandLine.arguments.dropFirst())

@MainActor func option(_ name: String) -> String? {
    guard let index = arguments.firstIndex(of: name), index + 1 < arguments.count else { return nil }
    return arguments[index + 1]
}

let isTraced = arguments.contains("--trace")
if let seed = option("--seed").flatMap({ UInt64($0) }) {
    exit(await SeedRun.one(seed, isTraced: isTraced, shrinks: arguments.contains("--shrink")) ? 0 : 1)
}
let run = SeedRun(
    first: option("--first").flatMap { UInt64($0) } ?? 1,
    count: option("--seeds").flatMap { UInt64($0) } ?? 2_000,
    workers: option("--workers").flatMap { Int($0) } ?? max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))),
    state: option("--state")
)
exit(await run.all() ? 0 : 1)
