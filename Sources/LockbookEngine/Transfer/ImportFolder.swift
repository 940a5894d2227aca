import LockbookModel

/// A folder on disk that is to be taken in.
struct ImportFolder {
    /// On the disk.
    let path: String
    /// In the lockbook.
    let target: [FileName]
    /// From the folder that the user named.
    let steps: [String]
    var rules: IgnoreRules
}
