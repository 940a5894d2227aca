import Foundation
import LockbookAPI
import LockbookCrypto
import LockbookModel
import LockbookServer
import Testing

struct RegisterTests {
    let server: TestServer
    var ada: TestPerson

    init() throws {
        server = try TestServer()
        ada = try TestPerson("ada", seed: 1)
    }

    private func register(_ request: Lockbook_V1_RegisterRequest, by person: TestPerson)
        async throws
    {
        let _: Lockbook_V1_RegisterResponse = try await person.send(
            request,
            to: .register,
            of: server
        )
    }

    @Test(arguments: ["ada.", "--list", "_ada"])
    func `no new name begins or ends with a mark`(name: String) async throws {
        let person = try TestPerson(name, seed: 3)
        await #expect(throws: Refused.malformed) {
            try await register(person.registration().request, by: person)
        }
    }

    @Test func `an account gets its certificate back`() async throws {
        await #expect(throws: Refused.noAccount) {
            let _: Lockbook_V1_AccountResponse = try await ada.send(
                Lockbook_V1_AccountRequest(),
                to: .account,
                of: server
            )
        }
        try await register(ada.registration().request, by: ada)
        let response: Lockbook_V1_AccountResponse = try await ada.send(
            Lockbook_V1_AccountRequest(),
            to: .account,
            of: server
        )
        #expect(Array(response.certificate) == ada.certificate.bytes)
    }

    @Test func `registering again with the same changes nothing`() async throws {
        let request = try ada.registration().request
        try await register(request, by: ada)
        let before = try await server.stateHash(of: ada)
        try await register(request, by: ada)
        #expect(try await server.stateHash(of: ada) == before)
    }

    @Test func `a taken name is refused`() async throws {
        try await register(ada.registration().request, by: ada)
        let other = try TestPerson("ada", seed: 2)
        await #expect(throws: Refused.nameTaken) {
            try await register(other.registration().request, by: other)
        }
    }

    @Test func `an account begins once`() async throws {
        try await register(ada.registration().request, by: ada)
        await #expect(throws: Refused.nameTaken) {
            try await register(ada.registration().request, by: ada)
        }
        let renamed = try TestPerson("eve", seed: 1)
        await #expect(throws: Refused.nameTaken) {
            try await register(renamed.registration().request, by: renamed)
        }
    }

    @Test func `what does not fit together is refused`() async throws {
        let good = try ada.registration().request
        let bob = try TestPerson("bob", seed: 2)
        await #expect(throws: Refused.unauthorized) { try await register(good, by: bob) }
        var certificate = good
        certificate.certificate[certificate.certificate.count - 1] ^= 1
        await #expect(throws: Refused.notPermitted) { try await register(certificate, by: ada) }
        var header = good
        header.header = try bob.registration().request.header
        await #expect(throws: Refused.malformed) { try await register(header, by: ada) }
        var record = good
        record.rootRecord = try ada.registration().request.rootRecord
        await #expect(throws: Refused.malformed) { try await register(record, by: ada) }
        var group = good
        group.group = try ada.registration().request.group
        await #expect(throws: Refused.malformed) { try await register(group, by: ada) }
        #expect(try await server.stateHash(of: ada) == .zero)
    }
}
