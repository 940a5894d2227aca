import Foundation
import LockbookModel
import LockbookTestSupport
import Testing

@testable import LockbookEngine

struct ExportFetchedTests {
    /// Files beside their places are numbered: one that took no part in its batch, because its
    /// content had to be fetched, must not give its number to one of the next.
    @Test func `a content that is fetched during an export stands in no other file's way`()
        async throws
    {
        let laptop = try await Person("alice", on: try TestServer()).firstDevice()
        for number in 0..<DiskExport.batchFiles + 20 {
            try laptop.write(path(number), "note \(number)")
        }
        try await laptop.sync()
        let place = try Place()
        try await place.export(laptop)
        let edited = [0, 1, DiskExport.batchFiles + 10, DiskExport.batchFiles + 11]
        for number in edited { try laptop.write(path(number), "edit \(number)") }
        try await laptop.sync()
        try laptop.lockbook.store.write { tree in
            let row = try tree.find(.path(path(0)))
            let content = try #require(try tree.file(row).content)
            try tree.forgetBytes(of: content.blob)
            try tree.markAbsent(row.id, blob: content.blob, size: content.blobSize)
        }

        let report = try await place.export(laptop)

        #expect(report.problems.isEmpty)
        #expect(report.updated == edited.count)
        for number in edited {
            #expect(try place.text(String(path(number).dropFirst())) == "edit \(number)")
        }
    }

    private func path(_ number: Int) -> String {
        "/f/" + String(repeating: "0", count: 3 - String(number).count) + "\(number).md"
    }
}
