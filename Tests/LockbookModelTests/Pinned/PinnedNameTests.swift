import LockbookModel
import Testing

/// Which names may be, how they are compared and numbered, and how a device's is shown.
struct PinnedNameTests {
    private static let scalars: [UInt32] = [
        0x00, 0x09, 0x0A, 0x1F, 0x20, 0x21, 0x2D, 0x2E, 0x2E, 0x2E, 0x2F, 0x30, 0x41, 0x61, 0x62,
        0x7E, 0x7F, 0x80, 0x9F,
        0xA0, 0xAD, 0xC5, 0xE9, 0x301, 0x30A, 0x61C, 0x200B, 0x202E, 0x2028, 0x20AC, 0x212B, 0x3042,
        0xAC00, 0x1100,
        0x1161, 0xE000, 0xFE0F, 0xFEFF, 0x1F600, 0xE0001, 0x10FFFF,
    ]

    /// Of printable characters mostly, so that many are names.
    private func text(_ length: Int, _ random: inout Seeded) -> String {
        var text = ""
        for _ in 0..<Int.random(in: 0...length, using: &random) {
            let isAny = Int.random(in: 0..<12, using: &random) == 0
            let value = isAny ? Self.scalars.randomElement(using: &random) : nil
            let plain = [0x61, 0x61, 0x2E, 0x62, 0xE9, 0x301, 0x20AC, 0x1F600] as [UInt32]
            if let scalar = (value ?? plain.randomElement(using: &random)).flatMap(
                Unicode.Scalar.init
            ) {
                text.unicodeScalars.append(scalar)
            }
        }
        return text
    }

    @Test(arguments: [
        (1, "e9c9eb392e57b42d"), (3, "cf8625387d137710"), (8, "a17ba1abcb0bada7"),
        (130, "91010a73e751c4ab"),
    ])
    func `drawn names`(length: Int, pinned: String) {
        var pin = Pin()
        for seed in 0..<UInt64(1_500) {
            var random = Seeded(seed)
            let text = text(length, &random)
            pin.add(DeviceName.plain(text))
            do {
                let name = try FileName(text)
                pin.add(name.bytes)
                pin.add(name.normalized)
                pin.add(name.fileExtension)
                for number in [1, 12, 1_000_000] { pin.add(name.numbered(number).bytes) }
                let other = try FileName(self.text(length, &random))
                pin.add([name.isSame(as: other), name == other])
            } catch {
                pin.add("\(error)")
            }
        }
        #expect(pin.text == pinned)
    }

    @Test func `names of one character, and bytes`() {
        var pin = Pin()
        for value in Self.scalars {
            guard let scalar = Unicode.Scalar(value) else { continue }
            for text in ["\(scalar)", "a\(scalar)", "\(scalar)."] {
                pin.add(DeviceName.plain(text))
                do { pin.add(try FileName(text).numbered(3).bytes) } catch { pin.add("\(error)") }
            }
        }
        for byte in UInt8.min ... .max {
            do { pin.add(try FileName(bytes: [0x61, byte]).bytes) } catch { pin.add("\(error)") }
        }
        for count in 250...257 {
            for ending in ["", ".md", "." + String(repeating: "y", count: 251)] {
                let text = String(repeating: "x", count: count).dropLast(ending.utf8.count) + ending
                do { pin.add(try FileName(String(text)).numbered(10).bytes) } catch {
                    pin.add("\(error)")
                }
            }
        }
        #expect(pin.text == "bdf89dedfcc69130")
    }
}
