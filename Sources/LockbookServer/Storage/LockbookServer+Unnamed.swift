import LockbookCrypto
import LockbookModel
import Logging

extension LockbookServer {
    /// Those of these contents whose files are here with the bytes of their names, and no row has them.
    ///
    /// As where a database was put back that is older than the files: the next push takes them over. No
    /// more than the account has room for, the smallest first.
    func filesToTakeOver(_ names: [BlobName], of account: StoredAccount) async throws
        -> [UnnamedFile]
    {
        guard !names.isEmpty else { return [] }
        let blobStore = blobStore
        let files = try await onOwnThread {
            names.compactMap { name in
                blobStore.state(of: name, of: account.id).map { (name: name, state: $0) }
            }
        }
        guard !files.isEmpty else { return [] }
        var whole: [UnnamedFile] = []
        for (name, finding) in try await unnamedFiles.find(files, of: account.id) {
            switch finding {
            case .whole(let file): whole.append(file)
            case .unfit(let reason):
                tellOnce(
                    "a file that no row names is not taken for the content of its name",
                    file: name,
                    reason: reason
                )
            }
        }
        return try await fitting(whole, of: account)
    }

    private func fitting(_ files: [UnnamedFile], of account: StoredAccount) async throws
        -> [UnnamedFile]
    {
        guard let quota = settings.quota, !files.isEmpty else { return files }
        let usage = try await read(of: account) { try $0.usage(of: account.key) }
        var room = quota - min(quota, usage)
        let fitting = files.sorted { $0.blob.size < $1.blob.size }.prefix { file in
            guard file.blob.size <= room else { return false }
            room -= file.blob.size
            return true
        }
        return Array(fitting)
    }

    /// Whether these files are still as they were when they were read; under the hold of `placing`.
    func areUnchanged(_ files: [UnnamedFile], of account: StoredAccount) async throws -> Bool {
        guard !files.isEmpty else { return true }
        let blobStore = blobStore
        return try await onOwnThread {
            files.allSatisfy { blobStore.state(of: $0.blob.name, of: account.id) == $0.state }
        }
    }

    /// Notes that contents have rows now, as those of uploads that ended.
    func tookOver(_ files: [UnnamedFile], of account: StoredAccount) async {
        let names = files.map(\.blob.name)
        await unnamedFiles.forget(names, of: account.id)
        for name in names { await uploads.forget(name, for: account.key) }
    }
}
