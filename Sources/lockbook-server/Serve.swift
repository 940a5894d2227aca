import ArgumentParser
import Glibc
import LockbookServer
import Logging
import NIOCore

struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Serve until told to stop.",
        discussion: """
            Prints one line, `listening on URL`, once it can be reached. Logs go to stderr. \
            SIGTERM, SIGINT and SIGHUP let running requests end, and close after 10 seconds what is \
            still sending or receiving; SIGHUP not under nohup.

            Exit codes: 12 the data folder is in use, 13 it is of a newer version, 64 wrong usage, \
            74 reading, writing or listening failed.
            """
    )

    @Option(help: "Where to listen; port 0 takes a free one.")
    var listen = "127.0.0.1:7654"

    @Option(help: "The folder to keep everything in.", completion: .directory)
    var data: String?

    @Option(help: "A PEM file with the certificate and its chain.", completion: .file())
    var tlsCert: String?

    @Option(help: "A PEM file with the certificate's private key.", completion: .file())
    var tlsKey: String?

    @Flag(help: "Allow plain HTTP on an address that other machines reach.")
    var insecure = false

    // A number below nothing is told as one that is too large, and is no option.
    @Option(
        parsing: .unconditional,
        help: "Days that replaced and deleted contents are kept."
    )
    var retentionDays = 90

    @Option(
        parsing: .unconditional,
        help: "Versions of each file that are kept longer than that."
    )
    var keepVersions = 20

    @Option(
        parsing: .unconditional,
        help: "The most that is kept of one account, such as 500M or 20G; history counts."
    )
    var quota: String?

    @Flag(help: "Take no new accounts; those that are here go on.")
    var closed = false

    @Option(help: "trace, debug, info, notice, warning, error or critical.")
    var logLevel = "info"

    func validate() throws {
        guard let address = ListenAddress(listen) else {
            throw ValidationError("'\(listen)' is not HOST:PORT.")
        }
        guard (tlsCert == nil) == (tlsKey == nil) else {
            throw ValidationError("--tls-cert and --tls-key go together.")
        }
        guard tlsCert != nil || address.isLoopback || insecure else {
            throw ValidationError(
                "\(address) can be reached from other machines: give --tls-cert and --tls-key, "
                    + "or --insecure behind a proxy that adds TLS."
            )
        }
        guard (1...36_500).contains(retentionDays) else {
            throw ValidationError("--retention-days is from 1 to 36500.")
        }
        guard (0...10_000).contains(keepVersions) else {
            throw ValidationError("--keep-versions is from 0 to 10000.")
        }
        if let quota, ByteCount(argument: quota) == nil {
            throw ValidationError(
                "--quota is a number of bytes, or such as 500M or 20G, not '\(quota)'."
            )
        }
        guard Logger.Level(rawValue: logLevel) != nil else {
            throw ValidationError("'\(logLevel)' is not a log level.")
        }
    }

    func run() async throws {
        do {
            try await serve()
        } catch {
            let failure = Failure(error)
            failure.report()
            throw ExitCode(failure.code)
        }
    }

    private func serve() async throws {
        Process.prepare()
        let connectionCount = try Process.connectionCount()
        LoggingSystem.bootstrap(StreamLogHandler.standardError)
        var logger = Logger(label: "lockbook-server")
        logger.logLevel = Logger.Level(rawValue: logLevel) ?? .info
        let certificate = try ServerCertificate(certificate: tlsCert, key: tlsKey)
        guard let address = ListenAddress(listen), let path = try data ?? Process.defaultDataFolder
        else { throw Failure.noHome }
        let folder: DataFolder
        do {
            folder = try DataFolder(path: path)
        } catch {
            throw Failure(error, opening: path)
        }
        var settings = ServerSettings(retentionDays: retentionDays, keptVersions: keepVersions)
        settings.quota = quota.flatMap { ByteCount(argument: $0)?.bytes }
        settings.isOpen = !closed
        let server = LockbookServer(
            store: folder.store,
            blobs: folder.blobs,
            settings: settings,
            logger: logger
        )
        let application = ServerApplication(
            server,
            listeningOn: address,
            tls: certificate?.configuration,
            logger: logger,
            connectionCount: connectionCount
        )
        do {
            try await application.run(endsWithTerminal: !Process.ignoresHangUp) { url in
                let line = "listening on \(url)"
                guard let unwritten = Process.announce(line) else { return }
                // Its clients need no such line, and who started it finds the port here.
                let reason = Failure(output: unwritten).message
                Process.warn("lockbook-server: warning: \(reason); \(line)")
            }
        } catch let error as IOError {
            let reason = String(cString: strerror(error.errnoCode))
            throw Failure(listeningOn: listen, reason: reason)
        } catch let error as SocketAddressError.UnknownHost {
            throw Failure(listeningOn: listen, reason: error.errorDescription)
        }
        try folder.close()
    }
}
