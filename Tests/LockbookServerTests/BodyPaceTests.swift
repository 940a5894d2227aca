import NIOCore
import Testing

@testable import LockbookServer

/// How fast the body of a request has to come.
struct BodyPaceTests {
    /// Whether each of these parts comes fast enough, at seconds from the beginning.
    private func keepsUp(_ parts: [(second: Int64, bytes: Int)]) -> [Bool] {
        let began = NIODeadline.now()
        var pace = BodyPace(from: began)
        return parts.map { pace.keepsUp($0.bytes, at: began + .seconds($0.second)) }
    }

    @Test func `a byte now and then is not fast enough`() {
        #expect(keepsUp([(20, 1), (40, 1)]) == [true, false])
    }

    @Test func `much at the beginning does not count for later`() {
        #expect(keepsUp([(1, 30 << 20), (31, 1), (62, 1)]) == [true, true, false])
    }

    @Test func `a kilobyte a second is`() {
        let answers = keepsUp((1...300).map { (second: $0, bytes: 1 << 10) })
        #expect(!answers.contains(false))
    }

    @Test func `after ten minutes nobody waits for the answer`() {
        let answers = keepsUp((1...600).map { (second: $0, bytes: 50 << 10) })
        #expect(answers.firstIndex(of: false) == 599)
    }

    @Test func `what comes too slowly is no wrong request`() {
        #expect(BodyReader.tooSlow.kind == .unavailable)
    }
}
