import ArgumentParser
import Testing

@testable import lockbook

/// Which commands an automatic sync follows.
@Suite struct FollowedBySyncTests {
    @Test(
        arguments: [
            ("restore /a", "trash restore /a"), ("write /a", "stream in /a"),
            ("cat /a", "stream out /a"),
        ]
    )
    func `a command of two names is followed by a sync under both or neither`(
        short: String,
        long: String
    ) throws {
        func isFollowed(_ line: String) throws -> Bool {
            try LockbookCommand.parsed(line.split(separator: " ").map(String.init))
                is any FollowedBySync
        }
        #expect(try isFollowed(short) == isFollowed(long))
    }
}
