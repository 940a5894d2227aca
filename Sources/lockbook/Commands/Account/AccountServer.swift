import ArgumentParser
import LockbookEngine

struct AccountServer: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "server",
        abstract: "Show or change the server that this device syncs with",
        discussion: """
            For a server that moved, or got another certificate: it is asked whether it knows the \
            account before anything is changed. Nothing is taken from one server to another; to \
            move the notes, move the server's data directory.
            """
    )

    @Argument(help: ArgumentHelp("The server's new address.", valueName: "url"))
    var url: String?

    @Option(
        help: ArgumentHelp("A file with the certificate to trust, in PEM.", valueName: "file")
    )
    var serverCert: String?

    @Flag(help: "Trust the system's certificates instead of one from a file.")
    var systemCerts = false

    @Flag(name: .shortAndLong, help: "Do not ask the server first.")
    var force = false

    func validate() throws {
        guard serverCert == nil || !systemCerts else {
            throw ValidationError("--server-cert and --system-certs exclude each other")
        }
    }

    func run() throws {
        let lockbook = try Lockbook.open()
        guard url != nil || serverCert != nil || systemCerts else {
            return try Terminal.show(lines: [try lockbook.accountInfo().server])
        }
        try ServerOptions.check(certificate: serverCert, of: url ?? lockbook.server)
        let certificate: ServerCertificate =
            systemCerts ? .systemRoots : serverCert.map { .file($0) } ?? .asBefore
        do {
            let address = try asking(AwaitedWork(url ?? lockbook.server)) {
                try await lockbook.useServer(at: url, certificate: certificate, isAsked: !force)
            }
            Terminal.notice("this device syncs with \(address.url) now")
        } catch LockbookError.unknownAccount(let server) {
            throw CommandError.notAtServer(server)
        }
    }
}
