import FoundationEssentials
import LockbookCrypto

/// Settings that name notes, which are sealed as these are.
extension LocalTree {
    /// - Returns: nil also where it does not open.
    func sealed<Value: Decodable>(_ key: Setting, for purpose: StaticString) throws -> Value? {
        guard let sealed = try setting(key),
            let bytes = try? account.deviceKey.key(for: purpose).open(sealed, bound: [])
        else { return nil }
        return try? JSONDecoder().decode(Value.self, from: Data(bytes))
    }

    func seal(_ value: (some Encodable)?, as key: Setting, for purpose: StaticString) throws {
        let sealed = try value.map {
            try account.deviceKey.key(for: purpose).seal(
                Array(try JSONEncoder().encode($0)),
                bound: [],
                random: environment.random
            )
        }
        try set(key, to: sealed)
    }
}
