/// The scripts that connect the shells with `lockbook __complete`.
enum CompletionScripts {
    static let all = ["bash": bash, "zsh": zsh, "fish": fish]
}
