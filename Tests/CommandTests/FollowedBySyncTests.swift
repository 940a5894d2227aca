import ArgumentParser
import Testing

@testable import lockbook

/// Which commands an automatic sync follows.
@Suite struct FollowedBySyncTests {
    private func isFollowed(_ line: String) throws -> Bool {
        let words = line.split(separator: " ").map(String.init)
        let command: any ParsableCommand = try LockbookCommand.parsed(words)
        return command is any FollowedBySync
    }

    /// What they decide is pushed by a sync, and other devices do not know of it before.
    @Test(
        arguments: [
            "share new /a bob", "share invite /a", "share revoke /a bob", "share mode /a bob read",
            "share accept 1234", "share reject 1234", "share leave /a", "share block bob",
            "share unblock bob", "share transfer /a bob", "share verify bob",
        ]
    )
    func `what decides about people is followed by a sync`(line: String) throws {
        #expect(try isFollowed(line))
    }

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
        #expect(try isFollowed(short) == isFollowed(long))
    }
}
