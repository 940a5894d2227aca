import Foundation
import LockbookTestSupport
import Testing

@testable import LockbookEngine

/// Several processes that make an account in one folder at the same moment.
struct CreateTogetherTests {
    @Test func `they make one account, of the name of the last`() async throws {
        for _ in 0..<5 {
            let folder = FileManager.default.temporaryDirectory
                .appending(path: "lockbook-together-\(UUID().uuidString)").path
            defer { try? FileManager.default.removeItem(atPath: folder) }
            let phrases = try await withThrowingTaskGroup(of: String.self) { group in
                for number in 0..<4 {
                    group.addTask {
                        let lockbook = try Lockbook.createAccount(
                            username: "name\(number)",
                            server: try ServerAddress("http://127.0.0.1:1"),
                            directory: folder
                        )
                        return lockbook.recoveryPhrase().joined(separator: " ")
                    }
                }
                return try await group.reduce(into: Set<String>()) { $0.insert($1) }
            }
            #expect(phrases.count == 1)
            let lockbook = try Lockbook.open(directory: folder, environment: .system)
            #expect(phrases == [lockbook.recoveryPhrase().joined(separator: " ")])
            #expect(try lockbook.validate() == [])
            _ = try lockbook.create(path: "/a.md")
        }
    }
}
