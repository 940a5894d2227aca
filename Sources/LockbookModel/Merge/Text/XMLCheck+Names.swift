/// What a document uses and does not declare: prefixes of names, and entities.
extension XMLCheck {
    /// Declares the prefixes that a start tag brings, and looks for the others that it uses.
    mutating func declare(
        by tag: ArraySlice<UInt8>,
        with attributes: Set<ArraySlice<UInt8>>
    ) -> [ArraySlice<UInt8>] {
        let declared = attributes.filter { $0.starts(with: Self.declaration) }
            .map { $0.dropFirst(Self.declaration.count) }
        for prefix in declared { prefixes[prefix, default: 0] += 1 }
        note(prefixOf: tag)
        for attribute in attributes { note(prefixOf: attribute) }
        return declared
    }

    private static let declaration = Array("xmlns:".utf8)

    /// Takes back what an element declared, at its end.
    mutating func forget(_ declared: [ArraySlice<UInt8>]) {
        for prefix in declared { prefixes[prefix, default: 0] -= 1 }
    }

    private mutating func note(prefixOf name: ArraySlice<UInt8>) {
        guard let colon = name.firstIndex(of: 0x3A) else { return }
        let prefix = name[..<colon]
        if prefixes[prefix, default: 0] == 0 { undeclared.insert(.unknownPrefix(Array(prefix))) }
    }

    mutating func note(entity: ArraySlice<UInt8>) {
        if !entities.contains(entity) { undeclared.insert(.unknownEntity(Array(entity))) }
    }

    /// Notes the entity that a document type declares at this place, behind the sign that opens it.
    mutating func noteDeclaration() {
        guard take("!ENTITY") else { return }
        skipBlanks()
        if let name = name() { entities.insert(bytes[name]) }
    }
}
