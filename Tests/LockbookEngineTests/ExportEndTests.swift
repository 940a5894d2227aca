import Glibc
import Testing

@testable import LockbookEngine

/// What ends an export, and what is told of one file while the rest goes on.
struct ExportEndTests {
    @Test(arguments: [ENOSPC, EDQUOT, EROFS])
    func `a disk that takes nothing more ends an export`(code: Int32) {
        #expect(DiskFailure("out/a.md", code: code).endsExport)
    }

    @Test(arguments: [EACCES, ENOTDIR, ENAMETOOLONG])
    func `what is wrong with one place does not`(code: Int32) {
        #expect(!DiskFailure("out/a.md", code: code).endsExport)
    }

    @Test(arguments: [EPERM, EACCES, EROFS, ENOTSUP, ENOSYS])
    func `a mode or a time that a disk does not keep is nothing wrong`(code: Int32) {
        #expect(DiskFailure("out/a.md", code: code).refusesFacts)
    }

    @Test(arguments: [EIO, ENOSPC])
    func `a disk that fails at that is no such disk`(code: Int32) {
        #expect(!DiskFailure("out/a.md", code: code).refusesFacts)
    }
}
