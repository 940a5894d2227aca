/// Letters of options that stand together, the last of them with its number, as `-nC3`.
///
/// The parser knows a value in the same word only behind a single letter, and would take the next word.
enum JoinedValue {
    /// The words with each such one in two, as `-n -C3`.
    static func split(_ arguments: [String]) -> [String] {
        let end = arguments.firstIndex(of: "--") ?? arguments.endIndex
        guard arguments[..<end].contains(where: mayHaveOne) else { return arguments }
        let shape = CommandShape.named(by: arguments)
        return arguments[..<end].flatMap { pieces(of: $0, for: shape) } + arguments[end...]
    }

    private static func mayHaveOne(_ word: String) -> Bool {
        word.utf8.count > 3 && word.hasPrefix("-") && !word.hasPrefix("--")
    }

    /// One word in two where it has a number behind other letters; else itself alone.
    static func pieces(of word: String, for shape: CommandShape) -> [String] {
        guard mayHaveOne(word) else { return [word] }
        func has(_ letter: Character, withValue: Bool) -> Bool {
            shape.options.contains { option in
                (option.value != nil) == withValue && option.names.contains("-\(letter)")
            }
        }
        let letters = word.dropFirst()
        let flags = letters.prefix { has($0, withValue: false) }
        let rest = letters.dropFirst(flags.count)
        guard !flags.isEmpty, let letter = rest.first, has(letter, withValue: true),
            let digit = rest.dropFirst().first, ("0"..."9").contains(digit)
        else { return [word] }
        return ["-\(flags)", "-\(rest)"]
    }
}
