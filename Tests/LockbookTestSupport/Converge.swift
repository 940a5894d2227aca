import LockbookEngine
package import Testing

/// Syncs all devices until nothing is left, then asserts all that must hold: the same files and
/// texts everywhere and on a fresh device, every invariant, nothing to push.
package func converge(
    _ person: Person,
    _ devices: Device...,
    sourceLocation: SourceLocation = #_sourceLocation
) async throws {
    for _ in 0..<2 {
        for device in devices { try await device.sync() }
    }
    guard let first = devices.first else { return }
    let fresh = try await person.device(named: "fresh", like: first)
    let expected = try await first.snapshot()
    for device in devices + [fresh] {
        #expect(
            try await device.snapshot() == expected,
            "\(device.name)",
            sourceLocation: sourceLocation
        )
        #expect(try device.lockbook.validate() == [], sourceLocation: sourceLocation)
        #expect(try device.lockbook.status().changes == [], sourceLocation: sourceLocation)
        let report = try await device.sync()
        #expect(report.pulled.isEmpty && report.pushed.isEmpty, sourceLocation: sourceLocation)
        #expect(report.traffic.requests == 1, sourceLocation: sourceLocation)
    }
}
