import Foundation
import LockbookAPI
import SwiftProtobuf
import Testing

/// What is refused before it is decoded.
struct MessageBoundsTests {
    private static let many = MessageBounds.maximumFieldCount

    private func holds<Body: Message>(_ message: Body) throws -> Bool {
        holds(try message.serializedBytes(), for: Body.self)
    }

    private func holds(_ bytes: [UInt8], for type: any Message.Type) -> Bool {
        bytes.withUnsafeBytes { MessageBounds.holds($0, for: type) }
    }

    private func pulled(_ update: Lockbook_V1_LogUpdate) -> Lockbook_V1_PullResponse {
        .with { $0.logs = [update] }
    }

    @Test(arguments: [false, true])
    func `messages count, however deep they are`(isTooMuch: Bool) throws {
        let count = isTooMuch ? Self.many : Self.many - 10
        let items = pulled(
            .with {
                $0.checkpoint = .with { $0.items = Array(repeating: .init(), count: count) }
            }
        )
        let groups = pulled(
            .with {
                $0.entries = [.with { $0.groups = Array(repeating: .init(), count: count) }]
            }
        )
        let seen = Lockbook_V1_HistoryResponse.with {
            $0.entries = [.with { $0.seen = Array(repeating: .init(), count: count) }]
        }
        let moved = Lockbook_V1_PushResponse.with {
            $0.moved = .with { $0.entries = Array(repeating: .init(), count: count) }
        }
        #expect(try holds(items) == !isTooMuch)
        #expect(try holds(groups) == !isTooMuch)
        #expect(try holds(seen) == !isTooMuch)
        #expect(try holds(moved) == !isTooMuch)
    }

    @Test func `contents that look like fields are no messages`() throws {
        let content = Data(repeating: 0x08, count: 2 * Self.many)
        #expect(try holds(Lockbook_V1_StageRequest.with { $0.records = [content] }))
        #expect(try holds(pulled(.with { $0.records = [content] })))
        let blob = Lockbook_V1_Blob.with { $0.content = content }
        #expect(try holds(Lockbook_V1_BlobsResponse.with { $0.blobs = [blob] }))
    }

    @Test(arguments: [512, 513])
    func `so many logs are asked for at once`(count: Int) throws {
        let request = Lockbook_V1_PullRequest.with {
            $0.logs = Array(repeating: .init(), count: count)
        }
        #expect(try holds(request) == (count == 512))
    }

    @Test func `what is passed by in decoding hides nothing`() throws {
        // The beginning and the end of a group of the field 99.
        let group: [UInt8] = [0x9b, 0x06, 0x9c, 0x06]
        let request = Lockbook_V1_PullRequest.with {
            $0.logs = Array(repeating: .init(), count: 1_000)
        }
        let bytes = group + (try request.serializedBytes() as [UInt8])
        #expect(try Lockbook_V1_PullRequest(serializedBytes: bytes).logs.count == 1_000)
        #expect(!holds(bytes, for: Lockbook_V1_PullRequest.self))
    }
}
