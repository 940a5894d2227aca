import Glibc
import LockbookCrypto
import LockbookModel

/// What every transaction of one store needs to know, worked out once.
struct StoreContext: Sendable {
    let account: AccountFile
    let keys: AccountKeys
    var blobs: BlobFolder
    let environment: EngineEnvironment
    /// Whose tree it is.
    let owner: AccountID
    /// The account that uses it: the owner, or somebody with whom parts of it are shared.
    let author: AccountID
    let root: FileID
    /// Where the database is.
    let directory: String
    /// Seals the blocks of the directory index.
    let directoryKey: LocalKey
    /// Of this store, and of those of other accounts.
    let openedKeys: OpenedKeys
    /// Of this store, and of those of other accounts.
    let unkept: UnkeptContent
    /// Where the bytes of small blobs are, when this store is a rehearsal's copy of another one.
    var original: LocalStore?
    /// The store of the account's own tree, when this one is of another account.
    private(set) var accountStore: LocalStore?

    init(account: AccountFile, keys: AccountKeys, environment: EngineEnvironment) {
        self.account = account
        self.keys = keys
        self.environment = environment
        blobs = BlobFolder(account.directory + "/blobs")
        directory = account.directory
        owner = AccountID(keys.publicKeys)
        author = owner
        root = FileID(rootOf: owner)
        directoryKey = account.deviceKey.key(for: "directory")
        openedKeys = OpenedKeys()
        unkept = UnkeptContent()
    }

    /// For what another account shares with this one.
    init(_ store: LocalStore, of owner: AccountID) {
        let own = store.context
        accountStore = store
        account = own.account
        keys = own.keys
        environment = own.environment
        directory = Self.directory(of: owner, in: own.account)
        blobs = BlobFolder(directory + "/blobs")
        self.owner = owner
        author = own.author
        root = FileID(rootOf: owner)
        directoryKey = own.directoryKey
        openedKeys = own.openedKeys
        unkept = own.unkept
    }

    /// Where what another account shares is kept.
    static func directory(of owner: AccountID, in account: AccountFile) -> String {
        "\(sharesFolder(in: account.directory))/\(owner)"
    }

    /// Where what others share is kept, for each of them a folder that is called by his account's id.
    static func sharesFolder(in directory: String) -> String { "\(directory)/shares" }

    /// Whose folders are there, as they are called; none where nobody shares anything.
    ///
    /// Where a user moved all of them elsewhere, with a link in their place, other files may be with them.
    static func namesOfSharers(in directory: String) throws -> [String] {
        let path = sharesFolder(in: directory)
        guard Disk.exists(path) else { return [] }
        let folder = try DiskFile(path, flags: O_RDONLY | O_DIRECTORY)
        return try Disk.names(in: folder).map { String(decoding: $0, as: UTF8.self) }
            .filter { [UInt8](hex: $0).flatMap { Hash256($0) } != nil }
    }

    var isForeign: Bool { owner != author }
    /// The owner, where that is another account.
    var otherOwner: AccountID? { isForeign ? owner : nil }
}
