import LockbookCrypto
import LockbookModel

/// The tree before a push, as the validator asks for it, in the transaction in which that was looked up.
final class CurrentTree: PurgeView, ShareView {
    private let store: any MetadataReading
    private let log: AccountKey
    private var files: [FileID: CurrentFile?] = [:]
    private var grants: [FileID: [Grant]] = [:]

    /// - Parameter files: as they were found in this transaction.
    init(_ store: any MetadataReading, log: AccountKey, knowing files: [FileID: CurrentFile?]) {
        self.store = store
        self.log = log
        self.files = files
    }

    func file(_ id: FileID) throws -> CurrentFile? {
        if let known = files[id] { return known }
        let file = try store.currentFiles([id], in: log).first ?? nil
        files[id] = .some(file)
        return file
    }

    func facts(_ id: FileID) throws -> FileFacts? {
        try file(id)?.facts
    }

    func grant(of file: FileID, to account: AccountID) throws -> Grant? {
        try grants(of: file).first { AccountID($0.grantee) == account }
    }

    func grants(of file: FileID) throws -> [Grant] {
        if let known = grants[file] { return known }
        let found = try store.grants(of: file, in: log)
        grants[file] = found
        return found
    }

    func undeletedChildren(of folder: FileID) throws -> [FileID] {
        try store.undeletedChildren(of: folder, in: log)
    }

    func sharedFiles() throws -> [FileID] {
        try store.sharedFiles(in: log)
    }

    func undeletedChild(of parent: FileID, tagged tag: Hash256) throws -> FileID? {
        // A folder that is new here has no children yet.
        guard try file(parent) != nil else { return nil }
        return try store.undeletedChild(of: parent, tagged: tag, in: log)
    }

    func children(of folder: FileID) throws -> [FileID] {
        try store.children(of: folder, in: log)
    }
}
