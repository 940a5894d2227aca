import Glibc
import Simulator

let usage = """
    usage: simulate [--sharing [--calm] [--transfers]] [--commands] [--disk] [--first SEED] [--seeds COUNT]
                    [--workers COUNT] [--state FILE] [--stop]
           simulate [--sharing [--calm] [--transfers]] [--commands] [--disk] --seed SEED [--trace] [--shrink]

    """

/// What stands behind an option.
@MainActor func value(of option: String) -> String? {
    guard let index = CommandLine.arguments.firstIndex(of: option),
        index + 1 < CommandLine.arguments.count
    else { return nil }
    return CommandLine.arguments[index + 1]
}

let arguments = CommandLine.arguments
if arguments.contains("--help") {
    print(usage, terminator: "")
    exit(0)
}
if let seed = value(of: "--seed").flatMap({ UInt64($0) }) {
    var run = SeedRun(first: seed, count: 1, workers: 1)
    run.isSharing = arguments.contains("--sharing")
    run.isCalm = arguments.contains("--calm")
    run.hasCommands = arguments.contains("--commands")
    run.hasTransfers = arguments.contains("--transfers")
    run.hasDisk = arguments.contains("--disk")
    let isFine = await run.one(
        isTraced: arguments.contains("--trace"),
        shrinks: arguments.contains("--shrink")
    )
    exit(isFine ? 0 : 1)
}
var run = SeedRun(
    first: value(of: "--first").flatMap { UInt64($0) } ?? 1,
    count: value(of: "--seeds").flatMap { UInt64($0) } ?? 2_000,
    workers: value(of: "--workers").flatMap { Int($0) }
        ?? max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
)
run.isSharing = arguments.contains("--sharing")
run.isCalm = arguments.contains("--calm")
run.hasCommands = arguments.contains("--commands")
run.hasTransfers = arguments.contains("--transfers")
run.hasDisk = arguments.contains("--disk")
run.stopsAtFailure = arguments.contains("--stop")
run.state = value(of: "--state")
exit(await run.report() ? 0 : 1)
