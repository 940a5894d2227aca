import Foundation
import Synchronization
import TreeSpace

/// The parts of a sweep, one for each tree to start from, with a file of those that are done.
///
/// A line of the file is: number of the part, triples, merges, rounds, broken promises, and the
/// differences between orders with their counts.
final class SweepParts: Sendable {
    private let sweep: Sweep
    private let file: FileHandle
    private let lines: Mutex<[Int: String]>
    private let broken = Mutex<[String]>([])
    private let next = Mutex(0)

    init(of sweep: Sweep, state path: String) throws {
        self.sweep = sweep
        if !FileManager.default.fileExists(atPath: path) {
            try Data().write(to: URL(filePath: path))
        }
        guard let file = FileHandle(forUpdatingAtPath: path) else {
            throw CocoaError(.fileNoSuchFile)
        }
        self.file = file
        var known: [Int: String] = [:]
        let text = path == "/dev/null" ? "" : try String(contentsOfFile: path, encoding: .utf8)
        for line in text.split(separator: "\n") {
            guard let part = line.split(separator: " ").first.flatMap({ Int($0) }) else { continue }
            known[part] = String(line)
        }
        _ = try? file.seekToEnd()
        lines = Mutex(known)
    }

    var isWhole: Bool { lines.withLock { $0.count } == sweep.bases.count }
    var isSound: Bool { lines.withLock { $0.values.allSatisfy { Self.number($0, 4) == 0 } } }

    func run(until deadline: Date?) async {
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<ProcessInfo.processInfo.activeProcessorCount {
                group.addTask { @concurrent in self.work(until: deadline) }
            }
        }
    }

    private func work(until deadline: Date?) {
        while deadline.map({ Date() < $0 }) ?? true {
            let part = next.withLock { next in
                defer { next += 1 }
                return next
            }
            guard part < sweep.bases.count else { return }
            guard lines.withLock({ $0[part] == nil }), let tally = try? sweep.run(base: part) else {
                continue
            }
            let differences = tally.differences.map { kinds, count in
                "\(kinds.sorted().map(\.rawValue).joined(separator: "+"))=\(count)"
            }
            let line =
                "\(part) \(tally.triples) \(tally.merges) \(tally.maximumRounds) "
                + "\(tally.brokenCount) \(differences.sorted().joined(separator: " "))"
            lines.withLock { lines in
                lines[part] = line
                file.write(Data("\(line)\n".utf8))
            }
            broken.withLock { $0 += tally.broken }
        }
    }

    private static func number(_ line: String, _ column: Int) -> Int {
        let columns = line.split(separator: " ")
        return columns.count > column ? Int(columns[column]) ?? 0 : 0
    }

    var summary: String {
        let lines = lines.withLock { Array($0.values) }
        let sum = { (column: Int) in lines.reduce(0) { $0 + Self.number($1, column) } }
        var differences: [String: Int] = [:]
        for field in lines.flatMap({ $0.split(separator: " ").dropFirst(5) }) {
            let pair = field.split(separator: "=")
            guard pair.count == 2, let count = Int(pair[1]) else { continue }
            differences[String(pair[0]), default: 0] += count
        }
        let shown = differences.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
        return """
            \(lines.count) of \(sweep.bases.count) parts, \(sum(1)) triples, \(sum(2)) merges, \
            at most \(lines.map { Self.number($0, 3) }.max() ?? 0) rounds
            orders that differ: \(shown.isEmpty ? "none" : shown.joined(separator: ", "))
            broken promises: \(sum(4))
            \(broken.withLock { $0.prefix(20).joined(separator: "\n") })
            """
    }
}
