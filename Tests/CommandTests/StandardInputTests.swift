import Foundation
import Glibc
import Testing

@testable import lockbook

@Suite struct StandardInputTests {
    /// Far more than a pipe holds: whoever reads it all has to wait for more.
    private static let bytes = [UInt8](repeating: 7, count: 16 << 20)

    @Test func `what is not there yet in a pipe that does not wait is waited for`() throws {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        let (input, output) = (ends[0], ends[1])
        defer { close(input) }
        try #require(fcntl(input, F_SETFL, O_NONBLOCK) == 0)
        Thread.detachNewThread {
            _ = Terminal.write(Self.bytes, to: output)
            close(output)
        }
        var count = 0
        while let piece = try StandardInput.read(from: input) { count += piece.count }
        #expect(count == Self.bytes.count)
    }

    @Test func `what does not end is refused when it is too long`() throws {
        let endless = open("/dev/zero", O_RDONLY | O_CLOEXEC)
        try #require(endless >= 0)
        defer { close(endless) }
        #expect {
            try StandardInput.lineWithEnd(from: endless, atMost: 1_000)
        } throws: { error in
            Failure(error).message == "cannot read standard input: a line is longer than 1.0 kB"
        }
        #expect {
            try StandardInput.all(from: endless, atMost: 1_000)
        } throws: { error in
            Failure(error).message == "cannot read standard input: it is more than 1.0 kB"
        }
    }
}
