import Foundation
import LockbookModel
import Testing

// Runs the tests with the mutant awake whose number is in MUTANT; with REACHED it writes there which
// mutants the tests came by, a byte each.

private nonisolated(unsafe) var path: String?
private let count = 1 << 16

private func writeReached() {
    guard let path, let bytes = reachedMutants else { return }
    FileManager.default.createFile(atPath: path, contents: Data(bytes: bytes, count: count))
}

@main struct Runner {
    static func main() async {
        let environment = ProcessInfo.processInfo.environment
        awakeMutant = environment["MUTANT"].flatMap { Int($0) } ?? 0
        path = environment["REACHED"]
        if path != nil {
            reachedMutants = .allocate(capacity: count)
            reachedMutants?.initialize(repeating: 0, count: count)
            atexit { writeReached() }
        }
        await Testing.__swiftPMEntryPoint() as Never
    }
}
