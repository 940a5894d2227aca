import Foundation
import Testing

@testable import lockbook

/// No failure is told by the name that the code has for it.
@Suite struct ErrorSentenceTests {
    private static let sources = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().appendingPathComponent("../../Sources")

    /// The lines of a file that begin with `case`, without that word.
    private func cases(in path: String) throws -> [Substring] {
        try String(contentsOf: Self.sources.appendingPathComponent(path), encoding: .utf8)
            .split(separator: "\n")
            .map { $0.drop { $0 == " " } }
            .filter { $0.hasPrefix("case ") }
            .map { $0.dropFirst(5) }
    }

    private func name(_ line: Substring) -> Substring {
        line.prefix { $0.isLetter || $0.isNumber }
    }

    /// Four switches of them end in `default`, where the compiler asks for nothing.
    @Test func `every error of the engine has a sentence`() throws {
        let errors = try cases(in: "LockbookEngine/LockbookError.swift").map { name($0) }
            // What `init(inside:)` tells apart, by types and patterns, is none of them.
            .filter { $0 != "is" && $0 != "let" && $0.first?.isUppercase != true }
        #expect(errors.count > 80)
        let told = try ["", "+Content", "+File", "+Server", "+Share"]
            .flatMap { try cases(in: "lockbook/Failure\($0).swift") }
            // Those which are only handed on stand in lists.
            .filter { $0.hasPrefix(".") && !$0.hasSuffix(",") }
            .map { name($0.dropFirst()) }
        #expect(Set(errors).subtracting(told).isEmpty)
    }

    @Test func `what has no sentence is not told by the name of a case`() {
        enum Unforeseen: Error { case innerName }
        struct Described: Error, CustomStringConvertible { let description = "in words" }
        let message = Failure(Unforeseen.innerName).message
        #expect(message == "a failure that this program has no words for (Unforeseen)")
        #expect(Failure(Described()).message == "in words")
    }
}
