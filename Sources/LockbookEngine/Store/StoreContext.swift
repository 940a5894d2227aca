import LockbookCrypto
import LockbookModel

/// What every transaction of one store needs to know, worked out once.
struct StoreContext: Sendable {
    let account: AccountFile
    let keys: AccountKeys
    var blobs: BlobFolder
    let environment: EngineEnvironment
    let owner: AccountID
    let root: FileID
    /// Seals the blocks of the directory index.
    let directoryKey: LocalKey
    /// Where the bytes of small blobs are, when this store is a rehearsal's copy of another one.
    var original: LocalStore?

    init(account: AccountFile, keys: AccountKeys, environment: EngineEnvironment) {
        self.account = account
        self.keys = keys
        self.environment = environment
        blobs = BlobFolder(account.directory + "/blobs")
        owner = AccountID(keys.publicKeys)
        root = FileID(rootOf: owner)
        directoryKey = account.deviceKey.key(for: "directory")
    }
}
