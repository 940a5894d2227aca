import ArgumentParser

struct Share: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "share",
        abstract: "Share documents and folders with other accounts",
        discussion: """
            What is wanted here is done by the next sync. The other side sees an offer after its own \
            next sync, can read it as `id:` and its id, and puts it into its tree with `accept`.
            """,
        subcommands: [
            ShareNew.self, ShareInvite.self, ShareList.self, SharePending.self, ShareAccept.self,
            ShareReject.self,
            ShareSetMode.self, ShareRevoke.self, ShareTransfer.self, ShareVerify.self,
            ShareLeave.self,
            ShareBlock.self, ShareUnblock.self,
        ]
    )
}
