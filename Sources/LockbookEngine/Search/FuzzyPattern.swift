import Foundation

/// Letters that a path holds in this order, with any others between them, and how well they fit.
///
/// Words that spaces separate must all fit, in any order. A small letter also stands for its
/// capital, a capital for itself alone; a letter without accents also stands for those with them,
/// one with accents for itself alone; how they are composed does not count, as in names. The
/// score is that of an alignment, the best of all: each letter counts, more at the beginning of a
/// name or a word and behind the letter before it, and gaps count against it (the method of Smith
/// and Waterman, with the weights that fzf found good).
public struct FuzzyPattern: Sendable {
    private let words: [[UInt32]]

    public init(_ text: String) {
        words = text.composed.split(separator: " ").map { $0.unicodeScalars.map(\.value) }
    }

    /// Whether whatever fits this one fits the other, too, since its words only go on.
    ///
    /// A letter that gets an accent by what is typed next is another letter.
    public func goesOn(from other: FuzzyPattern) -> Bool {
        words.count >= other.words.count
            && zip(words, other.words).allSatisfy { $0.starts(with: $1) }
    }

    /// - Returns: higher is better; nil when it does not fit.
    public func score(_ path: String) -> Int? {
        guard !words.isEmpty else { return nil }
        let text = FuzzyText(path)
        var total = 0
        for word in words {
            guard let score = Self.score(word, in: text) else { return nil }
            total += score
        }
        return total
    }

    private static let letter = 16
    private static let behindTheLast = 8
    private static let gap = 3
    private static let widerGap = 1
    /// All of it is in the name and not in the folders above.
    private static let inName = 12
    /// It is the name, with or without the extension.
    private static let wholeName = 24

    private static func score(_ word: [UInt32], in text: FuzzyText) -> Int? {
        guard let best = alignment(of: word, in: text, from: 0) else { return nil }
        guard let inside = alignment(of: word, in: text, from: text.nameStart) else { return best }
        let isWhole = [text.stemEnd, text.count].contains { end in
            word.count == end - text.nameStart
                && word.indices.allSatisfy { text.matches(word[$0], at: text.nameStart + $0) }
        }
        return max(best, inside + inName + (isWhole ? wholeName : 0))
    }

    /// The best score of all ways to find the word's letters in the text, from a place on.
    private static func alignment(of word: [UInt32], in text: FuzzyText, from start: Int) -> Int? {
        // Most paths do not fit, and nothing has to be worked out to know it.
        guard text.has(word, from: start) else { return nil }
        let count = text.count - start
        // What the letters so far are worth when the last of them stands at a place.
        var before = [Int?](repeating: nil, count: count)
        for (row, letter) in word.enumerated() {
            var current = [Int?](repeating: nil, count: count)
            // The best of what ended more than one place ago, less the gap.
            var apart: Int?
            for place in row..<count {
                if row > 0, place > 1, let ended = before[place - 2] {
                    apart = max(apart.map { $0 - widerGap } ?? .min, ended - gap)
                } else {
                    apart = apart.map { $0 - widerGap }
                }
                guard text.matches(letter, at: start + place) else { continue }
                let worth = Self.letter + text.bonus(at: start + place)
                if row == 0 {
                    current[place] = worth + text.bonus(at: start + place)
                } else {
                    let next = before[place - 1].map { $0 + behindTheLast }
                    guard let so = [next, apart].compactMap(\.self).max() else { continue }
                    current[place] = so + worth
                }
            }
            before = current
        }
        return before.compactMap(\.self).max()
    }
}

/// A path as its letters, with what each place is worth.
private struct FuzzyText {
    private let letters: [UInt32]
    private let small: [UInt32]
    /// The letters without their accents; empty when there are none.
    private let bare: [UInt32]
    private let smallBare: [UInt32]
    let nameStart: Int
    /// Where the extension's dot is, or the end.
    let stemEnd: Int

    var count: Int { letters.count }

    init(_ text: String) {
        let scalars = Array(text.composed.unicodeScalars)
        letters = scalars.map(\.value)
        small = scalars.map(Self.small)
        let bareScalars = scalars.map(Self.bare)
        let hasAccents = bareScalars != scalars
        bare = hasAccents ? bareScalars.map(\.value) : []
        smallBare = hasAccents ? bareScalars.map(Self.small) : []
        let start = letters.lastIndex(of: 0x2f).map { $0 + 1 } ?? 0
        nameStart = start
        let dot = letters.lastIndex(of: 0x2e)
        if let dot, dot > start { stemEnd = dot } else { stemEnd = letters.count }
    }

    private static func small(_ scalar: Unicode.Scalar) -> UInt32 {
        if scalar.isASCII {
            return (65...90).contains(scalar.value) ? scalar.value + 32 : scalar.value
        }
        return scalar.properties.lowercaseMapping.unicodeScalars.first?.value ?? scalar.value
    }

    private static let accented: Range<UInt32> = 0xc0..<0x2000

    /// Each of these letters without its accents: asked for once, of all together, since a path has many.
    private static let withoutAccents: [Unicode.Scalar] = {
        let all = accented.compactMap(Unicode.Scalar.init)
        var lines = String.UnicodeScalarView()
        for scalar in all { lines.append(contentsOf: [scalar, "\n"]) }
        let parts = String(lines).decomposedStringWithCanonicalMapping.unicodeScalars
            .split(separator: "\n", omittingEmptySubsequences: false)
        return zip(all, parts).map { scalar, parts in
            let areAccents = parts.dropFirst().allSatisfy {
                $0.properties.generalCategory == .nonspacingMark
            }
            return areAccents ? parts.first ?? scalar : scalar
        }
    }()

    private static func bare(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        guard accented.contains(scalar.value) else { return scalar }
        return withoutAccents[Int(scalar.value - accented.lowerBound)]
    }

    /// Whether it has these letters in their order, from a place on.
    func has(_ word: [UInt32], from start: Int) -> Bool {
        var place = start
        for letter in word {
            while place < count, !matches(letter, at: place) { place += 1 }
            guard place < count else { return false }
            place += 1
        }
        return true
    }

    func matches(_ letter: UInt32, at place: Int) -> Bool {
        if letters[place] == letter || small[place] == letter { return true }
        return !bare.isEmpty && (bare[place] == letter || smallBare[place] == letter)
    }

    /// A name begins here, a word, or a hump.
    func bonus(at place: Int) -> Int {
        guard place > 0 else { return 9 }
        switch letters[place - 1] {
        case 0x2f: return 9
        case 0x20, 0x2d, 0x5f, 0x2e, 0x2c, 0x28, 0x5b: return 8
        default:
            let isHump = letters[place] != small[place] && letters[place - 1] == small[place - 1]
            return isHump ? 7 : 0
        }
    }
}
