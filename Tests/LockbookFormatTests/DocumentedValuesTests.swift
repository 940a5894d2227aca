import Foundation
import LockbookCrypto
import LockbookModel
import SecondImplementation
import Testing

/// The values of `docs/FORMAT.md` section 16, by both implementations.
struct DocumentedValuesTests {
    private let seed = Bytes(0...31)
    private let fileKey = Bytes(repeating: 0x11, count: 32)
    private let contentKey = Bytes(repeating: 0x22, count: 32)
    private let file = Bytes(repeating: 0x33, count: 16)
    private let version = Bytes(repeating: 0x44, count: 16)
    private let device = Bytes(repeating: 0x55, count: 16)
    private let nonce = Bytes(repeating: 0x66, count: 12)
    private let created: Int64 = 1_700_000_000_000
    private let plaintext = Bytes("hello\n".utf8)

    private func document() throws -> String {
        let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("docs/FORMAT.md")
        return try String(contentsOf: path, encoding: .utf8)
    }

    private func documented() throws -> [String: String] {
        let text = try document()
        var values: [String: String] = [:]
        for line in text.split(separator: "\n") where line.hasPrefix("| ") {
            let cells = line.split(separator: "|").map {
                $0.trimmingCharacters(in: CharacterSet(charactersIn: " `"))
            }
            if cells.count == 2 { values[cells[0]] = cells[1] }
        }
        return values
    }

    private func second() throws -> [String: String] {
        let account = SecondAccount(seed: seed)
        let key = SecondFileKey(fileKey)
        let content = SecondContentKey(
            key: contentKey,
            owner: account.id,
            file: file,
            version: version
        )
        let blob = content.seal(payload: plaintext, size: plaintext.count, compression: 0)
        var facts = SecondFacts(
            owner: account.id,
            id: file,
            parent: account.root,
            type: 1,
            scope: account.root,
            nameTag: OpenSSL.hmac(account.rootTag, Bytes("hello.md".utf8)),
            author: account.id,
            device: device
        )
        facts.blob = (secondBlobName(blob), UInt64(blob.count))
        var body = SecondBody(name: Bytes("hello.md".utf8))
        body.created = created
        body.modified = created
        body.deviceName = Bytes("laptop".utf8)
        body.content = SecondContent(
            version: version,
            key: contentKey,
            digest: content.digest(plaintext),
            size: UInt64(plaintext.count),
            compression: 0
        )
        let record = try SecondRecord(
            SecondRecord.seal(
                facts,
                body,
                key: key,
                under: account.rootKey,
                nonces: [nonce, nonce, nonce]
            )
        )
        let certificate = account.certificate(username: "ann", created: created)
        let group = SecondLog.group(scope: account.root, records: [(file, record.hash)])
        let header = account.header(
            log: account.id,
            position: 1,
            previous: Bytes(repeating: 0, count: 32),
            device: device,
            bodyHash: SecondLog.bodyHash(certificate: nil, groups: [group]),
            created: created
        )
        return [
            "entry public key": account.entryPublic.hex,
            "request public key": account.requestPublic.hex,
            "agreement public key": account.agreementPublic.hex,
            "account id": account.id.hex, "root id": account.root.hex,
            "root-key": account.rootKey.hex, "root-tag": account.rootTag.hex,
            "SHA-256 of the certificate": OpenSSL.sha256(certificate).hex,
            "SHA-256 of the end": OpenSSL.sha256(account.end(created: created)).hex,
            "wrap key": key.wrapKey.hex, "tag key": key.tagKey.hex,
            "previous-key key": key.previousKey.hex, "body key": key.bodyKey.hex,
            "file key commitment": key.commitment.hex,
            "name tag": facts.nameTag.hex,
            "content digest": content.digest(plaintext).hex, "blob": blob.hex,
            "blob name": secondBlobName(blob).hex, "record hash": record.hash.hex,
            "group hash": labelled("group", group).hex,
            "header hash": SecondLog.headerHash(header).hex,
        ]
    }

    private func ours() throws -> [String: String] {
        let keys = try AccountKeys(seed: try #require(AccountSeed(seed)))
        let publicKeys = keys.publicKeys
        let id = AccountID(publicKeys)
        let root = FileID(rootOf: id)
        let fileID = try #require(FileID(file))
        let versionID = try #require(VersionID(version))
        let deviceID = try #require(DeviceID(device))
        let content = try #require(ContentKey(contentKey))
        let time = Timestamp(milliseconds: created)
        let (blob, facts) = try ContentSealer.seal(
            plaintext,
            key: content,
            bound: Content.binding(owner: id, file: fileID, version: versionID)
        )
        let note = File(
            id: fileID,
            parent: root,
            type: .document,
            name: try FileName("hello.md"),
            content: Content(version: versionID, key: content, facts: facts),
            at: time,
            author: id,
            device: deviceID,
            deviceName: "laptop",
            scope: root
        )
        let nonce = nonce
        let record = try FileRecord(
            sealing: note,
            owner: id,
            key: try #require(FileKey(fileKey)),
            in: FolderKeys(root: keys),
            random: RandomSource { _ in nonce }
        )
        let group = EntryGroup(
            scope: root,
            records: [RecordReference(file: fileID, hash: record.hash)]
        )
        let header = try EntryHeader(
            log: id,
            position: 1,
            previous: .zero,
            author: id,
            device: deviceID,
            bodyHash: EntryBody(groups: [.whole(group.bytes)]).hash,
            created: time,
            signedBy: keys.signing
        )
        let certificate = try AccountCertificate(
            username: try #require(Username("ann")),
            keys: keys,
            created: time
        )
        let end = try AccountEnd(created: time, by: keys)
        return [
            "entry public key": publicKeys.signing.bytes.description,
            "request public key": publicKeys.request.bytes.description,
            "agreement public key": publicKeys.agreement.bytes.description,
            "account id": id.description, "root id": root.description,
            "SHA-256 of the certificate": Hash256(sha256: certificate.bytes).description,
            "SHA-256 of the end": Hash256(sha256: end.bytes).description,
            "file key commitment": record.keyCommitment.description,
            "name tag": record.facts.nameTag.description,
            "content digest": facts.digest.description, "blob": blob.hex,
            "blob name": facts.blob.description, "record hash": record.hash.description,
            "group hash": EntryGroup.hash(of: group.bytes).description,
            "header hash": header.hash.description,
        ]
    }

    @Test func `what the document tells is what both implementations find`() throws {
        let documented = try documented()
        let second = try second()
        for (name, value) in second {
            #expect(documented[name] == value, "\(name) is \(value)")
        }
        for (name, value) in try ours() { #expect(second[name] == value, "\(name)") }
        #expect(second.count == 21)
        let phrase = RecoveryPhrase.words(for: try #require(AccountSeed(seed)))
        let words = try document().split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(words.contains("`" + phrase.joined(separator: " ") + "`"))
    }
}
