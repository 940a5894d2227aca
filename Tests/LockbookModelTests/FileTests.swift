import LockbookCrypto
import LockbookModel
import Testing

/// What makes two states of a file the same, and what a content is bound to.
struct FileTests {
    private func file() throws -> File {
        var file = try TreeStory.file(TreeStory.id("D"), in: TreeStory.root, "d", isFolder: false)
        file.content = try content(1)
        return file
    }

    private func content(_ number: UInt64) throws -> Content {
        let key = ContentKey(random: .seeded(1))
        let facts = try ContentSealer.seal([UInt8(number)], key: key, bound: []).facts
        return Content(version: VersionID(random: .seeded(number)), key: key, facts: facts)
    }

    @Test func `bytes are read from pairs of digits, small and capital`() throws {
        let bytes = try #require([UInt8](hex: "00fF9aA0"))
        #expect(bytes == [0, 0xff, 0x9a, 0xa0])
        let none = try #require([UInt8](hex: ""))
        #expect(none.isEmpty)
        for text in ["0", "000", "0g", "+f", "-1", " 1", "0x", "\u{ff11}0"] {
            #expect([UInt8](hex: text) == nil, "\(text)")
        }
    }

    @Test func `every field that people see counts`() throws {
        let file = try file()
        let name = try FileName("e")
        let other = try content(2)
        let changes: [(inout File) -> Void] = [
            { $0.parent = TreeStory.id("F") },
            { $0.name = name },
            { $0.isDeleted = true },
            { $0.content = other },
            { $0.content = nil },
            // Authors choose the ids of versions.
            { $0.content?.blob = other.blob },
            { $0.isExecutable = true },
            { $0.target = LinkTarget(owner: TreeStory.owner, file: TreeStory.id("F")) },
        ]
        for change in changes {
            var changed = file
            change(&changed)
            #expect(!changed.isSame(as: file) && !file.isSame(as: changed))
            #expect(!changed.looksSame(as: file) && !file.looksSame(as: changed))
        }
        #expect(file.isSame(as: file) && file.looksSame(as: file))
    }

    @Test func `a document is as large as its content, and a moment is not before itself`() throws {
        var document = try file()
        #expect(document.size == 1)
        document.content = nil
        #expect(document.size == 0)
        let (one, same) = (Timestamp(milliseconds: 1), Timestamp(milliseconds: 1))
        #expect(one < Timestamp(milliseconds: 2) && !(one < same))
    }

    @Test func `keys, scopes and later fields are no change that people see`() throws {
        let file = try file()
        let changes: [(inout File) -> Void] = [
            { $0.epoch = 2 }, { $0.scope = TreeStory.id("F") }, { $0.parentEpoch = 2 },
            { $0.bodyExtension = [1] },
        ]
        for change in changes {
            var changed = file
            change(&changed)
            #expect(!changed.isSame(as: file) && changed.looksSame(as: file))
        }
        var written = file
        written.author = AccountID(hash: Hash256(sha256: [2]))
        written.deviceName = "phone"
        written.modified = Timestamp(milliseconds: 9)
        #expect(written.isSame(as: file))
    }

    @Test func `what lives did not die with its folder, whatever its record says`() throws {
        var dead = try file()
        dead.dieWithFolder()
        #expect(dead.diedWithFolder)
        var living = try file()
        living.bodyExtension = dead.bodyExtension
        #expect(!living.diedWithFolder)
    }

    @Test func `what died unseen says so until it lives, and only of a document`() throws {
        var file = try file()
        file.diedUnseen = true
        #expect(!file.diedUnseen)
        file.dieWithFolder()
        #expect(file.diedUnseen && file.diedWithFolder)
        file.diedWithFolder = false
        #expect(file.diedUnseen)
        file.isDeleted = false
        #expect(!file.diedUnseen && file.bodyExtension.isEmpty)
        file.type = .folder
        file.isDeleted = true
        file.diedUnseen = true
        #expect(!file.diedUnseen)
    }

    @Test func `what a later format says of a file stays when it dies and lives again`() throws {
        var file = try file()
        file.bodyExtension = [9, 1]
        file.isDeleted = true
        #expect(!file.diedWithFolder && !file.diedUnseen)
        file.isDeleted = false
        #expect(file.bodyExtension == [9, 1])
    }

    @Test func `a content is bound to its owner, its file and its version`() throws {
        let owners = [TreeStory.owner, AccountID(hash: Hash256(sha256: [2]))]
        let files = [TreeStory.id("A"), TreeStory.id("B")]
        let versions = [1, 2].map { VersionID(random: .seeded($0)) }
        var bindings: Set<[UInt8]> = []
        for owner in owners {
            for file in files {
                for version in versions {
                    bindings.insert(Content.binding(owner: owner, file: file, version: version))
                }
            }
        }
        #expect(bindings.count == 8)
    }
}
