import Foundation

extension Device {
    /// Whether its databases, or what waits in their logs, have these bytes somewhere.
    package func databasesHold(_ bytes: [UInt8]) throws -> Bool {
        try Self.databases(below: directory, hold: bytes)
    }

    /// Whether the databases of a data directory, or what waits in their logs, have these bytes somewhere.
    package static func databases(below directory: String, hold bytes: [UInt8]) throws -> Bool {
        try FileManager.default.subpathsOfDirectory(atPath: directory)
            .filter { $0.contains("lockbook.db") }
            .contains { path in
                let kept = FileManager.default.contents(atPath: "\(directory)/\(path)") ?? Data()
                return kept.firstRange(of: Data(bytes)) != nil
            }
    }
}
