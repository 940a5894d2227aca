package import LockbookCrypto

/// What wraps and tags the files of one folder.
package struct FolderKeys: Sendable {
    package let wrap: WrapKey
    package let tag: NameTagKey

    package init(of folder: FileKey) {
        wrap = folder.wrapKey()
        tag = folder.tagKey()
    }

    /// The keys above a root, from its account.
    package init(root keys: AccountKeys) {
        wrap = keys.root
        tag = keys.rootTag
    }
}
