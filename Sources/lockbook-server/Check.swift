import ArgumentParser
import LockbookServer

struct Check: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Look for what a disk lost or damaged.",
        discussion: """
            Reads the database and all contents, also while a server uses them, and changes nothing. \
            Prints a line for each thing that is missing, damaged, or a folder in the place of a \
            file: where it is, and what is wrong.

            Exit codes: 11 there is such a thing, or no database, 13 the data folder is of a newer \
            version, 64 wrong usage, 74 it cannot be read, or what was found not printed.
            """
    )

    @Option(help: "The folder in which everything is kept.", completion: .directory)
    var data: String?

    func run() async throws {
        guard let path = try data ?? Process.defaultDataFolder else { throw Failure.noHome }
        var found = 0
        var unwritten: Int32?
        let count: Int?
        do {
            count = try await DataCheck(path: path).run { finding in
                found += 1
                unwritten = unwritten ?? Process.announce("\(finding)")
            }
        } catch {
            throw Failure(error, opening: path)
        }
        if let unwritten { throw Failure(output: unwritten) }
        guard found == 0 else { throw Failure(found: found) }
        Process.warn("lockbook-server: all is well; contents: \(count ?? 0)")
    }
}
