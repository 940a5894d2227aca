import Foundation
import LockbookModel

/// Merges cases from standard input, thousands in one process, for the comparison with git.
///
/// A case is a line `EXTENSION BASE LOCAL REMOTE` (the extension or `-`, three lengths in bytes),
/// then the bytes of the three texts. Its answer is a line `CONFLICTS MICROSECONDS LENGTH`, then
/// that many bytes; -1 conflicts mean that both copies are kept.
@main struct MergeTool {
    static func main() throws {
        var cases = CaseReader(bytes: [UInt8](try FileHandle.standardInput.readToEnd() ?? Data()))
        let clock = ContinuousClock()
        while let next = cases.next() {
            var outcome = TextMergeOutcome.notText
            let time = clock.measure {
                outcome = TextMerge.merge(
                    base: next.base,
                    local: next.local,
                    remote: next.remote,
                    labels: MergeLabels(local: "local", remote: "remote"),
                    fileExtension: next.fileExtension
                )
            }
            let micros = Int(time / .microseconds(1))
            var answer = Data()
            switch outcome {
            case .merged(let bytes, let conflicts):
                answer += Data("\(conflicts) \(micros) \(bytes.count)\n".utf8)
                answer += Data(bytes)
            case .notText:
                answer += Data("-1 \(micros) 0\n".utf8)
            }
            try FileHandle.standardOutput.write(contentsOf: answer)
        }
    }
}

struct MergeCase {
    var fileExtension: String
    var base: [UInt8]
    var local: [UInt8]
    var remote: [UInt8]
}

/// Reads one case after the other; what is no case ends the reading.
struct CaseReader {
    let bytes: [UInt8]
    private var at = 0

    init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    mutating func next() -> MergeCase? {
        guard let end = bytes[at...].firstIndex(of: 0x0A) else { return nil }
        let fields = String(decoding: bytes[at..<end], as: UTF8.self).split(separator: " ")
        let lengths = fields.dropFirst().compactMap { Int($0) }
        guard lengths.count == 3, lengths.allSatisfy({ $0 >= 0 }),
            lengths.reduce(end + 1, +) <= bytes.count
        else { return nil }
        at = end + 1
        let texts = lengths.map { length in
            defer { at += length }
            return [UInt8](bytes[at..<at + length])
        }
        return MergeCase(
            fileExtension: fields[0] == "-" ? "" : String(fields[0]),
            base: texts[0],
            local: texts[1],
            remote: texts[2]
        )
    }
}
