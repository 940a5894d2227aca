import Foundation
import LockbookEngine
import LockbookTestSupport
import Testing

/// Imports that end in the middle.
struct ImportKilledTests {
    let alice: Person
    let notes: URL

    init() throws {
        alice = Person("alice", on: try TestServer())
        notes = FileManager.default.temporaryDirectory
            .appending(path: "lockbook-killed-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: notes, withIntermediateDirectories: true)
    }

    private func write(_ name: String, _ text: String) throws {
        try Data(text.utf8).write(to: notes.appending(path: name))
    }

    /// Takes the folder in, and gives the device as it is when the first file is counted.
    private func killed(on laptop: Device) throws -> (device: Device, file: String) {
        var killed: (device: Result<Device, any Error>, file: String)?
        _ = try laptop.lockbook.importFromDisk(["\(notes.path)/."], to: "/") { progress in
            guard killed == nil else { return }
            killed = (Result { try laptop.twin() }, progress.current)
        }
        let (device, file) = try #require(killed)
        return (try device.get(), URL(fileURLWithPath: file).lastPathComponent)
    }

    private func requireKept(_ device: Device, _ file: String) async throws {
        try device.write("/\(file)", "changed here")
        try write(file, "changed on disk")
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: 31_557_600)],
            ofItemAtPath: notes.appending(path: file).path
        )
        let again = try device.lockbook.importFromDisk(["\(notes.path)/."], to: "/") { _ in }
        #expect(again.problems.map { URL(fileURLWithPath: $0.path).lastPathComponent } == [file])
        #expect(try await device.text("/\(file)") == "changed here")
    }

    @Test func `what a batch took in is known when the import is killed after it`() async throws {
        let laptop = try await alice.firstDevice()
        // The largest that a batch takes, and more of them than one does.
        let text = String(repeating: "x", count: 262_144)
        for number in 0..<36 { try write("\(number).md", text) }
        let (device, file) = try killed(on: laptop)
        // It was killed in the middle.
        #expect(try device.lockbook.list(.path("/"), recursive: false).count < 36)
        try await requireKept(device, file)
    }

    @Test func `a large file is known when the import is killed after it`() async throws {
        let laptop = try await alice.firstDevice()
        for number in 0..<2 { try write("\(number).md", String(repeating: "x", count: 262_145)) }
        let (device, file) = try killed(on: laptop)
        try await requireKept(device, file)
    }
}
