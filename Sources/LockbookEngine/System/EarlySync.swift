import CLinux
import Dispatch
import Glibc
import Synchronization

/// Writes a file system's dirty pages to the disk while more are made.
final class EarlySync: Sendable {
    private let group = DispatchGroup()
    /// The kernel tells an open file of a failed write once.
    private let failure = Mutex<DiskFailure?>(nil)

    /// Begins, unless an earlier one is under way, or there is no thread for it.
    func begin(_ folder: DiskFile) {
        guard OpenFiles.allowThreads else { return }
        guard group.wait(timeout: .now()) == .success else { return }
        DispatchQueue.global().async(group: group) { [self] in
            do {
                _ = try Disk.retry(folder.path) { syncfs(folder.descriptor) }
            } catch {
                failure.withLock { $0 = $0 ?? error as? DiskFailure }
            }
        }
    }

    /// Waits for what is under way.
    /// - Throws: what failed since the last time.
    func finish() throws {
        group.wait()
        if let failed = failure.withLock({ $0.take() }) { throw failed }
    }
}
