import LockbookEngine
import Synchronization

extension Failure {
    /// How many paths of one command are looked for: that takes its time in a large folder, and nobody reads
    /// more of it.
    private static let mostPaths = 20
    private static let lookedFor = Atomic<Int>(0)
    /// Names longer lists are not looked through for one that was meant.
    private static let mostNames = 20_000

    /// Begins another command of the same process: a shell that goes on for days.
    static func beginCommand() { lookedFor.store(0, ordering: .relaxed) }

    /// The failure of a command, with the path that was probably meant when nothing is at the one
    /// that was typed, or with what brings it back.
    init(ofCommand error: any Error) {
        self.init(error)
        guard case .notFound(let path)? = error as? LockbookError,
            Self.lookedFor.add(1, ordering: .relaxed).newValue <= Self.mostPaths,
            let lockbook = try? Lockbook.openForHint()
        else { return }
        if (try? lockbook.isInTrash(FileReference(path))) ?? false {
            hint =
                "it is in the trash; `lockbook restore` brings it back, `lockbook history` shows its versions"
            return
        }
        guard !path.hasPrefix("id:"), let near = Self.near(path, in: lockbook) else { return }
        // It is there: the command itself took it away before it came to it a second time.
        hint = near == path ? "is it named twice? nothing was changed" : "did you mean \(near)?"
    }

    /// The path with the nearest name in the place of each that is not there; nil when a folder has
    /// none that is near.
    private static func near(_ path: String, in lockbook: Lockbook) -> String? {
        let slash = UInt8(ascii: "/")
        let steps = path.utf8.split(separator: slash).map { String(Substring($0)) }
        let namesFolder = path.utf8.last == slash
        guard steps.count <= 64 else { return nil }
        var found = ""
        for (position, step) in steps.enumerated() {
            let isLast = position == steps.count - 1
            guard let all = try? lockbook.completions(of: found + "/"), all.count <= mostNames
            else { return nil }
            let names = all.filter { (isLast && !namesFolder) || $0.isFolder }.map { entry in
                String(Substring(entry.value.utf8.split(separator: slash).last ?? ""[...].utf8))
            }
            guard let name = names.contains(step) ? step : near(step, among: names) else {
                return nil
            }
            found += "/" + name
        }
        return path.hasPrefix("/") ? found : String(found.dropFirst())
    }

    /// By its letters, but for capitals; or without its ending.
    private static func near(_ step: String, among names: [String]) -> String? {
        let stems = names.filter { $0.hasPrefix(step + ".") }
        if stems.count == 1 { return stems[0] }
        let lower = step.lowercased()
        if let same = names.first(where: { $0.lowercased() == lower }) { return same }
        // With one letter changed, a name of one or two is as near to any other.
        guard step.count > 2 else { return nil }
        return nearest(to: step, among: names)
    }
}
