import ArgumentParser
import LockbookEngine

struct AccountExport: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Show the key of the account",
        discussion: """
            Whoever has the key has the notes. On a terminal this asks first.

              $ lockbook account export --phrase      24 words, to write down
              $ lockbook account export --qr          for a device with a camera
              $ lockbook account export --check       asks for them: are they right?
              $ lockbook account export | ssh other lockbook account import --server URL
            """
    )

    @Flag(help: "Show the key as 24 words.")
    var phrase = false

    @Flag(help: "Show the key as a QR code.")
    var qr = false

    @Flag(help: "Show nothing; read a key or phrase, and tell whether it is this account's.")
    var check = false

    func validate() throws {
        guard [phrase, qr, check].count(where: \.self) < 2 else {
            throw ValidationError("--phrase, --qr and --check exclude each other")
        }
    }

    func run() throws {
        let lockbook = try Lockbook.open()
        let key = "the key of the account \(lockbook.username)"
        if check {
            try lockbook.checkKey(Secret.key(asking: "key or 24 words: "))
            return Terminal.notice("this is \(key)")
        }
        if Terminal.outputIsTerminal {
            try Question.confirm(
                "whoever sees \(key) can read and change all your notes; show it?",
                otherwise: "the key was not shown"
            )
        } else {
            Terminal.notice("this is \(key)")
        }
        if qr {
            // Capitals make a smaller code, and mean the same.
            let code = try QRCode(
                lockbook.compactKey().uppercased(),
                isColoured: Terminal.outputIsColoured,
                columns: Terminal.outputIsTerminal ? ProgressLine.width() : nil
            )
            return try Terminal.write(Array(code.lines.map { $0 + "\n" }.joined().utf8))
        }
        guard phrase else {
            return try Terminal.show(lines: [lockbook.compactKey()])
        }
        let words = lockbook.recoveryPhrase()
        guard Terminal.outputIsTerminal else {
            return try Terminal.show(lines: [words.joined(separator: " ")])
        }
        try Terminal.show(lines: Self.rows(of: words))
    }

    /// Six rows of four numbered words, easy to copy by hand.
    private static func rows(of words: [String]) -> [String] {
        let columns = 4
        let cells = words.enumerated().map { index, word in
            let number = "\(index + 1)"
            let cell = String(repeating: " ", count: max(0, 2 - number.count)) + number + " " + word
            return cell + String(repeating: " ", count: max(1, 14 - cell.count))
        }
        return stride(from: 0, to: cells.count, by: columns).map {
            cells[$0..<min($0 + columns, cells.count)].joined()
        }
    }
}
