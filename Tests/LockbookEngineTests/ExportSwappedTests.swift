import CLinux
import Foundation
import Glibc
import LockbookModel
import Testing

@testable import LockbookEngine

/// The place of an export that somebody else changes while it is opened.
struct ExportSwappedTests {
    @Test(arguments: [FileType.document, .folder])
    func `a folder that becomes a link meanwhile is not followed`(type: FileType) async throws {
        let top = FileManager.default.temporaryDirectory.path + "/swapped-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: top) }
        let (place, link) = (top + "/place", top + "/link")
        for folder in [top, place, top + "/elsewhere"] { try #require(mkdir(folder, 0o700) == 0) }
        try #require(symlink("elsewhere", link) == 0)
        let name = try FileName("notes")
        // RENAME_EXCHANGE of the kernel's `linux/fs.h`.
        let swapping = Task.detached {
            while !Task.isCancelled { renameat2(AT_FDCWD, place, AT_FDCWD, link, 2) }
        }
        var strayed = 0
        for _ in 0..<10_000 {
            let target = try? ExportTarget(place, of: type, named: name, tag: "tag")
            let path = target.map { String(decoding: $0.identity, as: UTF8.self) }
            if path?.hasSuffix("/elsewhere/notes") == true { strayed += 1 }
        }
        swapping.cancel()
        await swapping.value
        #expect(strayed == 0)
        #expect(try FileManager.default.contentsOfDirectory(atPath: top + "/elsewhere") == [])
    }

    @Test func `a folder that may not be read takes another one`() throws {
        let top = FileManager.default.temporaryDirectory.path + "/swapped-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: top) }
        try #require(mkdir(top, 0o300) == 0)
        let target = try ExportTarget(top, of: .folder, named: FileName("notes"), tag: "tag")
        #expect(target.isMade && target.top.path == top + "/notes")
    }
}
