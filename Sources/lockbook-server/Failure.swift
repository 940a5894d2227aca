import Glibc
import LockbookServer

/// Why the server does not run: a sentence and an exit code.
struct Failure: Error {
    var message: String
    var code: Int32

    static let noHome = Failure(
        message: "there is no home folder; say where to keep data with --data",
        code: 64
    )

    /// Swift has the arguments from `/proc`.
    static let noArguments = Failure(
        message: "the arguments of this command cannot be read: /proc is not there",
        code: 74
    )

    static let tooFewThreads = Failure(
        message: "this process may not make as many threads as it needs: see `ulimit -u`, "
            + "`TasksMax=` of a service, or a container's limit on processes",
        code: 74
    )

    static let tooFewFiles = Failure(
        message: "this process may not hold as many files open as it needs: see `ulimit -n`, or "
            + "`LimitNOFILE=` of a service",
        code: 74
    )

    init(message: String, code: Int32) {
        self.message = message
        self.code = code
    }

    /// What the parser says about the words, in the form of every other sentence.
    init(ofWords sentence: String) {
        let end = sentence.hasSuffix(".") ? sentence.dropLast() : sentence[...]
        message =
            "\(end.prefix(1).lowercased())\(end.dropFirst())\n"
            + "lockbook-server: hint: `lockbook-server help serve`, or `help check`, shows the options"
        code = 64
    }

    init(emptyArgument index: Int, behind word: String) {
        // Behind a flag it is no value.
        let place = word.hasPrefix("--") ? ", behind \(word)," : ""
        self.init(message: "argument \(index)\(place) is empty", code: 64)
    }

    /// A word of the command line, or a variable, that can name no folder.
    init(notUTF8 what: String) {
        self.init(message: "\(what) is not UTF-8", code: 64)
    }

    /// What was asked for, or found, cannot be shown.
    init(output code: Int32) {
        self.init(
            message: "cannot write to standard output: \(String(cString: strerror(code)))",
            code: 74
        )
    }

    init(_ error: any Error) {
        switch error {
        case let failure as Failure: self = failure
        case let failure as StoreFailure: self = Failure(of: failure)
        case let failure as CertificateFailure:
            message = failure.description
            code = 74
        default:
            message = "the server cannot go on: \(error)"
            code = 74
        }
    }

    private init(of store: StoreFailure) {
        switch store {
        case .newer(let found, let known):
            self.init(
                message: "update needed: the data folder is of version \(found), and this program "
                    + "knows version \(known); nothing was changed",
                code: 13
            )
        case .older:
            self.init(
                message: "the data folder is of an older version: a server that is started once "
                    + "brings it up to date",
                code: 74
            )
        case .lostDatabase:
            self.init(
                message: "server.sqlite is missing or empty, and blobs holds what belongs to it: "
                    + "put server.sqlite back from a backup, or move blobs away to begin anew",
                code: 74
            )
        case .inUse: self.init(message: "another server is using the data folder", code: 12)
        case .damaged:
            self.init(
                message: "server.sqlite holds something that no server wrote: put it back from a "
                    + "backup",
                code: 74
            )
        case .collected:
            self.init(
                message: "what was read was deleted meanwhile: give the command again",
                code: 74
            )
        case .full:
            self.init(message: "there is no room where the data folder is", code: 74)
        }
    }

    /// What went wrong with the data folder, which is then part of the sentence.
    init(_ error: any Error, opening folder: String) {
        self.init(error)
        switch error {
        case is StoreFailure: break
        default: message = "the data folder \(folder) cannot be used: \(error)"
        }
    }

    /// What a check found, of which each was told already.
    init(found count: Int) {
        let things = count == 1 ? "1 thing is" : "\(count) things are"
        self.init(message: "\(things) missing, damaged or in the way", code: 11)
    }

    /// Why there is nobody to listen.
    init(listeningOn address: String, reason: String) {
        self.init(message: "cannot listen on \(address): \(reason)", code: 74)
    }

    func report() {
        Process.warn("lockbook-server: error: \(message)")
    }
}
