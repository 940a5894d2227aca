import Testing

@testable import lockbook

@Suite struct ArgumentTests {
    @Test func `without its own name the program refuses to run`() throws {
        let error = try #require(throws: CommandError.self) { try Program.requireArguments([]) }
        let failure = Failure(error)
        #expect(failure.message?.hasSuffix("cannot be read: /proc is not there") == true)
        #expect(failure.status.rawValue == 74)
    }

    @Test(arguments: [["lockbook"], ["lockbook", "list"], [""]])
    func `with its name it runs`(arguments: [String]) throws {
        try Program.requireArguments(arguments)
    }
}
