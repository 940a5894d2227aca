import FoundationEssentials
package import HTTPTypes
import LockbookAPI
package import NIOCore
import NIOFoundationCompat
package import SwiftProtobuf

/// What the server says to one request.
package struct Answer: Sendable {
    package var status: HTTPResponse.Status = .ok
    package var mediaType = Wire.mediaType
    package var body: ByteBuffer
    /// How many bytes a `GET` is answered with, where this is the answer to `HEAD` and has none.
    var leftOutByteCount = 0
    /// Its account's turn, which ends with it.
    var turn: AccountTurns.Turn?

    package init(body: ByteBuffer, mediaType: String) {
        self.body = body
        self.mediaType = mediaType
    }

    package init(_ message: some Message) throws {
        body = ByteBuffer(data: try message.serializedData())
    }

    init(_ message: some Message, in turn: AccountTurns.Turn) throws {
        try self.init(message)
        self.turn = turn
    }

    /// What its fields say of the body.
    package var declaredByteCount: Int { body.readableBytes + leftOutByteCount }

    /// The same fields without a body: what came after them would be taken for the next answer.
    mutating func leaveOutBody() {
        leftOutByteCount = body.readableBytes
        body = ByteBuffer()
    }

    package var fields: HTTPFields {
        var fields = HTTPFields()
        fields[.contentType] = mediaType
        fields[.lockbookVersion] = String(Wire.version)
        fields[.cacheControl] = "no-store"
        return fields
    }
}
