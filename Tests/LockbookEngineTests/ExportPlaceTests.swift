import Foundation
import Glibc
import LockbookModel
import Testing

@testable import LockbookEngine

/// What another program does while an export runs is never overwritten.
struct ExportPlaceTests {
    let folder = FileManager.default.temporaryDirectory.path + "/place-\(UUID().uuidString)"
    let place: ExportPlace
    private let style = ExportPlace.Style(mode: 0o600, modified: Timestamp(milliseconds: 1_500))

    init() throws {
        try FileManager.default.createDirectory(
            atPath: folder,
            withIntermediateDirectories: false
        )
        place = ExportPlace(
            folder: try DiskFile(folder, flags: O_RDONLY | O_DIRECTORY),
            name: "note.md",
            tag: "test",
            isStaged: false
        )
    }

    private func written(_ text: String) throws -> ExportPlace.Written {
        try place.write(style, number: 1) {
            try $0.write(Array(text.utf8))
        }
    }

    private func put(_ text: String) throws -> DiskStamp {
        try Data(text.utf8).write(to: URL(filePath: place.path))
        return DiskStamp(try Disk.status(place.path))
    }

    private var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: folder).sorted() }
    }

    private func text() throws -> String { try String(contentsOfFile: place.path, encoding: .utf8) }

    @Test func `what is new takes a free place alone`() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        #expect(try place.keep(try written("first"), over: nil))
        #expect(try text() == "first")

        #expect(try !place.keep(try written("second"), over: nil))
        #expect(try text() == "first")
        #expect(try names == ["note.md"])
    }

    @Test func `what replaces a file takes the place of that one alone`() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let before = try put("before")
        #expect(try place.keep(try written("after"), over: before))
        #expect(try text() == "after")

        // Not of what came since; what somebody removed since is put back.
        #expect(try !place.keep(try written("third"), over: before))
        #expect(try text() == "after")
        try FileManager.default.removeItem(atPath: place.path)
        #expect(try place.keep(try written("third"), over: before))
        #expect(try names == ["note.md"])
    }

    @Test func `the same bytes from another export are no obstacle`() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let before = try put("before")
        _ = try put("now")
        #expect(try place.keep(try written("now"), over: before))
        #expect(try place.keep(try written("now"), over: nil))
        #expect(try names == ["note.md"])
        let facts = try FileManager.default.attributesOfItem(atPath: place.path)
        #expect(facts[.modificationDate] as? Date == Date(timeIntervalSince1970: 1.5))
    }

    @Test func `a link or a folder that came meanwhile stays`() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try FileManager.default.createSymbolicLink(
            atPath: place.path,
            withDestinationPath: "elsewhere"
        )
        #expect(try !place.keep(try written("text"), over: nil))
        #expect(
            try FileManager.default.destinationOfSymbolicLink(atPath: place.path) == "elsewhere"
        )
        try FileManager.default.removeItem(atPath: place.path)
        #expect(mkdir(place.path, 0o700) == 0)
        #expect(try !place.keep(try written("text"), over: nil))
        #expect(try names == ["note.md"])
    }
}
