import ArgumentParser
import Glibc

struct Shell: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "shell",
        abstract: "Read commands, with a prompt, completion and a history",
        discussion: """
            Every command of lockbook, without its name in front. `cd` and `pwd` are about the \
            folder that paths without a slash begin in; list, tree and search are about it when \
            they name none. Tab completes, Ctrl-C gives the line or the running command up, and \
            Ctrl-D or `exit` leaves. Lines are remembered, encrypted; a line with a blank in front \
            and whatever looks like a key is not.

            Without a terminal the lines are read from standard input, and the status is that of \
            the last command. A `cd` that fails is the last one; with --exit-on-error any command \
            that fails is. A command that takes a text from there takes all that follows it.
            """
    )

    @Flag(
        name: [.customShort("e"), .long],
        help: "Stop at the first line that fails, without a terminal."
    )
    var exitOnError = false

    func run() throws {
        var session = ShellSession()
        let status =
            try Terminal.inputIsTerminal && Terminal.outputIsTerminal
            ? session.converse() : session.readScript(exitsOnError: exitOnError)
        if status != 0 {
            // The status of another process need not be one that we have a name for.
            Glibc.exit(status)
        }
    }
}
