import LockbookCrypto
import Synchronization

/// One account's lockbook on this device: the one door into the engine.
///
/// Everything but `sync` and the reading of contents that are not here yet works without a network.
/// What returns normally is on disk. Methods may be called from several threads and processes.
public final class Lockbook: Sendable {
    let account: AccountFile
    let keys: AccountKeys
    let store: LocalStore
    let environment: EngineEnvironment
    /// The other process's work that this one waits for the end of, if any.
    let inLine = Mutex<AwaitedWork?>(nil)

    init(account: AccountFile, keys: AccountKeys, store: LocalStore, environment: EngineEnvironment)
    {
        self.account = account
        self.keys = keys
        self.store = store
        self.environment = environment
    }
}
