import Foundation
import LockbookAPI
import LockbookCrypto
import LockbookModel
import Testing

struct RaceTests {
    /// Pushes until it wins, each time after the head it was told of.
    private static func pushUntilAccepted(_ person: TestPerson, name: String, to server: TestServer)
        async throws -> Int
    {
        var person = person
        let record = try person.record(person.file(name))
        for attempt in 1...100 {
            let response = try await person.push([record], to: server)
            switch response.outcome {
            case .accepted: return attempt
            case .moved(let update):
                guard let hash = Hash256(update.head) else { throw DecodingFailure.length }
                person.head = LogHead(position: update.headPosition, hash: hash)
            case .missing, nil: throw DecodingFailure.length
            }
        }
        throw DecodingFailure.length
    }

    @Test func `of twenty devices at once every one gets through, one after the other`()
        async throws
    {
        let server = try TestServer()
        let ada = try await TestPerson.ada(at: server)
        try await withThrowingTaskGroup { group in
            for number in 0..<20 {
                var device = ada
                device.device = DeviceID(random: .system)
                let mine = device
                group.addTask {
                    _ = try await Self.pushUntilAccepted(mine, name: "\(number)", to: server)
                }
            }
            try await group.waitForAll()
        }
        let all = try await ada.pull(after: nil, from: server)
        #expect(all.entries.count == 21 && all.headPosition == 20)
        let headers = try all.entries.map { try EntryHeader(Array($0.header)) }
        for (one, next) in zip(headers, headers.dropFirst()) {
            #expect(next.previous == one.hash && next.position == one.position + 1)
        }
    }
}
