import ArgumentParser

struct Account: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "account",
        abstract: "Make, bring, show or leave an account",
        subcommands: [
            AccountNew.self, AccountImport.self, AccountExport.self, AccountStatus.self,
            AccountServer.self, AccountLogout.self, AccountDelete.self,
        ]
    )
}
