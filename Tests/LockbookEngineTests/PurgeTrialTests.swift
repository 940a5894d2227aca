import LockbookEngine
import LockbookTestSupport
import Testing

/// Three devices that write, move, delete, restore and purge at random, and sync now and then.
struct PurgeTrialTests {
    struct Dice: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9e37_79b9_7f4a_7c15
            var value = state
            value = (value ^ (value >> 30)) &* 0xbf58_476d_1ce4_e5b9
            value = (value ^ (value >> 27)) &* 0x94d0_49bb_1331_11eb
            return value ^ (value >> 31)
        }
    }

    @Test(arguments: 1...24)
    func `whatever is purged when, all devices end in one sound tree`(seed: Int) async throws {
        var dice = Dice(state: UInt64(seed))
        let alice = Person("alice", on: try TestServer())
        let first = try await alice.firstDevice()
        var devices = [first]
        for name in ["phone", "tablet"] {
            devices.append(try await alice.device(named: name, like: first))
        }
        for _ in 0..<60 {
            let device = devices[Int.random(in: 0..<3, using: &dice)]
            do {
                try await act(on: device, &dice)
            } catch let error as LockbookError {
                // What is asked for at random is often not there or not possible.
                switch error {
                case .exists, .intoItself, .notFound, .notADocument, .notAFolder, .ambiguous: break
                default: throw error
                }
            }
            #expect(try device.lockbook.validate() == [])
        }
        try await converge(alice, devices[0], devices[1], devices[2])
        let trash = try devices.map { try $0.lockbook.trash().map(\.id).sorted() }
        #expect(trash[0] == trash[1] && trash[1] == trash[2])
    }

    private func act(on device: Device, _ dice: inout Dice) async throws {
        let lockbook = device.lockbook
        let files = try lockbook.list(.path("/"), recursive: true)
        let folders = ["/"] + files.filter { $0.type == .folder }.map { $0.path + "/" }
        let folder = folders.randomElement(using: &dice) ?? "/"
        let file = files.randomElement(using: &dice)
        let name = ["a", "b", "c"].randomElement(using: &dice) ?? "a"
        let trashed = try lockbook.trash().randomElement(using: &dice)
        switch Int.random(in: 0..<12, using: &dice) {
        case 0, 1, 2: try device.write("\(folder)\(name).md", "\(dice.next())\n")
        case 3: _ = try lockbook.create(path: "\(folder)\(name)/")
        case 4: if let file { try device.move(file.path, to: folder) }
        case 5: if let file { try device.delete(file.path) }
        case 6: if let trashed { _ = try lockbook.restore([.id(prefix: trashed.id)]) }
        case 7: if let file { _ = try lockbook.purge([.id(prefix: file.id)]) }
        case 8: if let trashed { _ = try lockbook.emptyTrash([.id(prefix: trashed.id)]) }
        default: try await device.sync()
        }
    }
}
