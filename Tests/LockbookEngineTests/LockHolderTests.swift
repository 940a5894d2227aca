import Foundation
import Glibc
import Testing

@testable import LockbookEngine

/// Which process holds a lock, as the kernel tells.
struct LockHolderTests {
    private let locks = """
        1: POSIX  ADVISORY  WRITE 5505 fe:00:77 1073741824 1073742335
        2: OFDLCK ADVISORY  WRITE -1 fe:00:77 0 0
        3: FLOCK  ADVISORY  WRITE 0 fe:00:78 0 EOF
        4: FLOCK  ADVISORY  WRITE 4711 fe:00:77 0 EOF
        4: -> FLOCK  ADVISORY  WRITE 4712 fe:00:77 0 EOF
        5: FLOCK  ADVISORY  WRITE 4713 103:10:77 0 EOF
        """

    private func holder(_ inode: ino_t, _ major: dev_t, _ minor: dev_t) -> pid_t? {
        LockFile.holder(of: inode, on: major << 8 | minor, in: locks)
    }

    @Test func `the process of the lock of that file on that file system is it`() {
        #expect(holder(77, 0xfe, 0) == 4711)
        #expect(holder(77, 0x103, 0x10) == 4713)
    }

    @Test func `who is not seen from here, or waits, is not it`() {
        #expect(holder(78, 0xfe, 0) == nil)
        #expect(holder(79, 0xfe, 0) == nil)
        #expect(holder(77, 0xfe, 1) == nil)
    }

    @Test func `of a lock of this process it is this one`() throws {
        let place = try Place()
        let path = place.url.path + "/lock"
        let lock = try LockFile(path)
        // File systems with several devices have another one here than there.
        #expect([getpid(), nil].contains(LockFile.holder(of: try LockFile.file(path))))
        withExtendedLifetime(lock) {}
    }
}
