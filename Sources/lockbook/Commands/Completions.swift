import ArgumentParser

struct Completions: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "completions",
        abstract: "Print the completions for a shell",
        discussion: """
              $ lockbook completions bash \\
                  >~/.local/share/bash-completion/completions/lockbook
              $ lockbook completions zsh \\
                  >/usr/local/share/zsh/site-functions/_lockbook
              $ lockbook completions fish \\
                  >~/.config/fish/completions/lockbook.fish
            """
    )

    @Argument(help: "bash, zsh or fish.")
    var shell: String

    func run() throws {
        guard let script = CompletionScripts.all[shell] else {
            throw CommandError.unknownShell(shell)
        }
        try Terminal.write(Array(script.utf8))
    }
}
