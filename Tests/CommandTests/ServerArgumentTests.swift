import Testing

@testable import lockbook_server

@Suite struct ServerArgumentTests {
    @Test func `without its own name the server refuses to run`() throws {
        let failure = try #require(throws: Failure.self) {
            try LockbookServerCommand.requireArguments([])
        }
        #expect(failure.message.hasSuffix("cannot be read: /proc is not there"))
        #expect(failure.code == 74)
    }

    @Test(arguments: [["lockbook-server"], ["lockbook-server", "serve"]])
    func `with its name it runs`(arguments: [String]) throws {
        try LockbookServerCommand.requireArguments(arguments)
    }
}
