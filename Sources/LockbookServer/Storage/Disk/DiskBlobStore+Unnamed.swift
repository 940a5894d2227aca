package import LockbookCrypto
package import LockbookModel

extension DiskBlobStore {
    package func state(of name: BlobName, of owner: AccountID) -> BlobFileState? {
        SystemFolder.state(of: place(of: name, of: owner).path)
    }

    package func makeDurable(_ name: BlobName, of owner: AccountID) throws {
        let place = place(of: name, of: owner)
        do {
            try SystemFile.with(place.path, .reading) { try $0.synchronize() }
        } catch let failure as SystemFailure where failure.isOfPath {
            throw UnreadableBlob(reason: "\(failure)")
        }
        try synchronize([place.folder], of: owner)
    }
}
