import ArgumentParser

struct Stream: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stream",
        abstract: "Pass contents through pipes",
        subcommands: [StreamIn.self, StreamOut.self]
    )
}
