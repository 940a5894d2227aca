import LockbookCrypto
import LockbookModel
import LockbookTestSupport
import Testing

@testable import LockbookEngine

/// What becomes of the index of a folder that is gone for good.
struct DroppedIndexTests {
    /// Ends a transaction that nothing is to be left of.
    private struct Tried: Error {}

    @Test func `nothing of it is left, be it changed or not, and all of another one's is`()
        async throws
    {
        let laptop = try await Person("alice", on: try TestServer()).firstDevice(registered: false)
        for path in ["/gone/mould", "/kept/note"] { _ = try laptop.lockbook.create(path: path) }
        #expect(throws: Tried.self) {
            try laptop.lockbook.store.write { tree in
                let mould = try tree.file(tree.find(.path("/gone/mould")))
                var note = try tree.file(tree.find(.path("/kept/note")))
                // One block more than there was, of which the store knows nothing yet.
                for number in 0..<DirectoryBlock.capacity {
                    var file = mould
                    (file.id, file.name) = (FileID(random: .system), try FileName("\(number)"))
                    try tree.put(file)
                }
                note.isExecutable = true
                try tree.put(note)
                #expect(try tree.entries(of: mould.parent).count == DirectoryBlock.capacity + 1)

                try tree.dropIndex(of: mould.parent)
                #expect(tree.blocks.keys.allSatisfy { $0.folder != mould.parent })
                #expect(try tree.entries(of: mould.parent).isEmpty)
                try tree.flush()
                #expect(try tree.entries(of: mould.parent).isEmpty)
                #expect(try tree.entries(of: note.parent).map(\.isExecutable) == [true])
                throw Tried()
            }
        }
    }
}
