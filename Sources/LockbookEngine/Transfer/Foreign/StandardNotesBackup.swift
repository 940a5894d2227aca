import FoundationEssentials

/// The JSON of a decrypted backup of Standard Notes, as far as it is used here.
struct StandardNotesBackup: Decodable {
    let items: [Item]

    struct Item: Decodable {
        let uuid: String
        let kind: String
        let created: String?
        let updated: String?
        let isDeleted: Bool
        /// Nil when it is encrypted.
        let content: Content?
    }

    struct Content: Decodable {
        let title: String?
        let text: String?
        /// `plain-text`, `markdown`, `rich-text`, `code`, `task`, `super`, `spreadsheet`, ...
        let noteType: String?
        let isTrashed: Bool
        let references: [Reference]
        let appData: [String: State]
    }

    struct Reference: Decodable {
        let uuid: String
        let kind: String?
        /// `TagToParentTag` of a tag inside another one.
        let relation: String?

        private enum CodingKeys: String, CodingKey {
            case uuid
            case kind = "content_type"
            case relation = "reference_type"
        }
    }

    /// What the program keeps beside a note, under `org.standardnotes.sn`.
    struct State: Decodable {
        let isArchived: Bool
        let updated: String?
    }
}

extension StandardNotesBackup.Item {
    private enum Key: String, CodingKey {
        case uuid, content, deleted
        case kind = "content_type"
        case created = "created_at"
        case updated = "updated_at"
    }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        uuid = try values.decode(String.self, forKey: .uuid)
        kind = try values.decode(String.self, forKey: .kind)
        created = try? values.decode(String.self, forKey: .created)
        updated = try? values.decode(String.self, forKey: .updated)
        isDeleted = (try? values.decode(Bool.self, forKey: .deleted)) ?? false
        if (try? values.decode(String.self, forKey: .content)) != nil {
            content = nil
        } else if ["Note", "Tag"].contains(kind), !isDeleted {
            content = try values.decode(StandardNotesBackup.Content.self, forKey: .content)
        } else {
            content = nil
        }
    }
}

extension StandardNotesBackup.Content {
    private enum Key: String, CodingKey {
        case title, text, noteType, trashed, references, appData
    }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        title = try values.decodeIfPresent(String.self, forKey: .title)
        text = try values.decodeIfPresent(String.self, forKey: .text)
        noteType = try? values.decode(String.self, forKey: .noteType)
        isTrashed = (try? values.decode(Bool.self, forKey: .trashed)) ?? false
        references =
            (try? values.decode([StandardNotesBackup.Reference].self, forKey: .references)) ?? []
        appData =
            (try? values.decode([String: StandardNotesBackup.State].self, forKey: .appData)) ?? [:]
    }

    var state: StandardNotesBackup.State? { appData["org.standardnotes.sn"] }
}

extension StandardNotesBackup.State {
    private enum Key: String, CodingKey {
        case archived
        case updated = "client_updated_at"
    }

    init(from decoder: any Decoder) throws {
        // Other programs keep theirs here, in forms of their own.
        let values = try? decoder.container(keyedBy: Key.self)
        isArchived = (try? values?.decode(Bool.self, forKey: .archived)) ?? false
        updated = try? values?.decode(String.self, forKey: .updated)
    }
}
