import LockbookModel

extension Lockbook {
    /// Searches names and contents, in the order of paths, on all cores.
    ///
    /// Nothing is kept of it on this device: contents are opened, searched and let go of. What
    /// cannot be read, or takes too many steps, is told and the rest is searched.
    /// - Parameters:
    ///   - references: documents, and folders with everything below; what several of them mean is
    ///     searched once.
    ///   - found: gets what was found since it was called last, at least one event; what it throws
    ///     ends the search.
    /// - Throws: `.badQuery`; `.tooCostly` where many documents take too many steps.
    public func search(
        _ query: SearchQuery,
        in references: [FileReference],
        found: (_ events: [SearchEvent]) throws -> Void
    ) async throws {
        let places = try searchPlaces(references)
        let shut = places.unread.map { SearchEvent.unreadable(path: $0.path, $0.reason) }
        if !shut.isEmpty { try found(shut) }
        if !places.here.isEmpty || !places.failures.isEmpty {
            try await searchHere(query, in: places.here, besides: places.failures, found: found)
        }
        for place in places.behind {
            do {
                try await place.lockbook.searchHere(query, in: [place.reference]) { events in
                    try found(events.map(place.own))
                }
            } catch let error as LockbookError {
                let error = error.renamed(place.own)
                guard !error.endsSearch else { throw error }
                try found([.unreadable(path: place.link, error)])
            }
        }
    }

    /// - Parameter known: why something that was named besides is nowhere.
    func searchHere(
        _ query: SearchQuery,
        in references: [FileReference],
        besides known: [LockbookError] = [],
        found: (_ events: [SearchEvent]) throws -> Void
    ) async throws {
        var search = Search(
            lockbook: self,
            query: query,
            matcher: try LineMatcher(query),
            names: try LineMatcher.forNames(query)
        )
        var (items, failures) = try items(of: references)
        failures = known + failures
        if let since = query.since { items.removeAll { !$0.isDocument(since: since) } }
        if !failures.isEmpty { try found(failures.map(SearchEvent.noTarget)) }
        let batches = SearchItem.batches(of: items)
        var contents = try batches.first.map { try searchContents(of: $0, query) } ?? []
        for (index, batch) in batches.enumerated() {
            // The next batch is read while this one is searched.
            let next = index + 1 < batches.count ? batches[index + 1] : []
            guard !next.isEmpty, OpenFiles.allowThreads else {
                try await search.run(batch, contents, found)
                contents = []
                contents = try searchContents(of: next, query)
                continue
            }
            async let following = searchContents(of: next, query)
            try await search.run(batch, contents, found)
            contents = try await following
        }
    }

    /// One for each item.
    private func searchContents(of items: ArraySlice<SearchItem>, _ query: SearchQuery) throws
        -> [SearchContent]
    {
        guard query.inContents, !items.isEmpty else { return items.map { _ in .nothing } }
        return try store.read { tree in try items.map { try tree.searchContent(of: $0) } }
    }

    private func items(of references: [FileReference]) throws
        -> (items: [SearchItem], failures: [LockbookError])
    {
        try store.read { tree in
            var items: [SearchItem] = []
            var failures: [LockbookError] = []
            for reference in references {
                do {
                    items += try tree.searchItems(reference)
                } catch let error as LockbookError where error.isAboutTarget {
                    failures.append(error)
                }
            }
            guard references.count > 1 else { return (items, failures) }
            var seen: Set<FileID> = []
            return (items.filter { seen.insert($0.entry.id).inserted }, failures)
        }
    }
}

extension LockbookError {
    /// Whether other targets may be all right.
    var isAboutTarget: Bool {
        switch self {
        case .notFound, .leadsNowhere, .ambiguous, .notAFolder, .badName, .badPath: true
        default: false
        }
    }
}

extension LockbookError {
    /// Whether it is the query's, whatever is searched.
    fileprivate var endsSearch: Bool {
        switch self {
        case .badQuery, .tooCostly: true
        default: false
        }
    }
}

/// A search on its way.
private struct Search {
    let lockbook: Lockbook
    let query: SearchQuery
    let matcher: LineMatcher
    let names: LineMatcher
    /// Set once the server could not be reached, so that it is not asked for every document.
    private var isOffline = false
    /// How many documents took too many steps.
    private var costly = 0
    /// An expression that is too much for so many is too much for all.
    private static let mostCostly = 8

    init(lockbook: Lockbook, query: SearchQuery, matcher: LineMatcher, names: LineMatcher) {
        self.lockbook = lockbook
        self.query = query
        self.matcher = matcher
        self.names = names
    }

    mutating func run(
        _ items: ArraySlice<SearchItem>,
        _ opened: [SearchContent],
        _ found: (_ events: [SearchEvent]) throws -> Void
    ) async throws {
        var contents = opened
        if query.fetches { try await fetch(Array(items), &contents) }
        if let item = items.first, item.isLarge {
            guard let content = contents.first else { return }
            let search = self
            return try search.one(item, content) { try tell([$0], found) }
        }
        let events = try concurrentMap(Array(items.indices)) { [self, contents] index in
            var events: [SearchEvent] = []
            let content = contents[index - items.startIndex]
            try one(items[index], content) { events.append($0) }
            return events
        }.flatMap { $0 }
        if !events.isEmpty { try tell(events, found) }
    }

    private mutating func tell(
        _ events: [SearchEvent],
        _ found: (_ events: [SearchEvent]) throws -> Void
    ) throws {
        try found(events)
        for case .unreadable(_, let error) in events {
            guard case .tooCostly = error else { continue }
            costly += 1
            if costly == Self.mostCostly { throw error }
        }
    }

    private mutating func fetch(_ items: [SearchItem], _ contents: inout [SearchContent])
        async throws
    {
        for (index, item) in items.enumerated() {
            guard case .opened(.absent(let content)) = contents[index], !isOffline else { continue }
            do {
                try await lockbook.fetch(content, toRead: true)
                contents[index] = try lockbook.store.read { try $0.searchContent(of: item) }
            } catch LockbookError.contentNotHere {
                isOffline = true
            } catch let error as LockbookError where error.concernsOneFile {
                contents[index] = .failed(error.renamed { _ in item.path })
            }
        }
    }

    /// Searches one file.
    private func one(
        _ item: SearchItem,
        _ content: SearchContent,
        _ tell: (SearchEvent) throws -> Void
    ) throws {
        let finder = matcher.finder()
        do {
            if query.inNames,
                try names.finder().matches(name: item.entry.name.text) != query.isInverted
            {
                try tell(.name(item.file))
                if query.detail == .presence { return }
            }
            switch content {
            case .nothing, .opened(.empty): break
            case .failed(let error): try tell(.unreadable(path: item.path, error))
            case .opened(.absent):
                try tell(.unreadable(path: item.path, .contentNotHere(path: item.path)))
            case .opened(.here(let reader)): try one(item, reader, finder, tell)
            }
        } catch is ExpressionMatcher.TooCostly {
            try tell(.unreadable(path: item.path, .tooCostly(query: query.text, path: item.path)))
        } catch let error as LockbookError where error.concernsOneFile {
            try tell(.unreadable(path: item.path, error))
        }
    }

    /// A document was searched as far as was needed.
    private struct Enough: Error {}

    private func one(
        _ item: SearchItem,
        _ reader: ContentReader,
        _ finder: LineFinder,
        _ tell: (SearchEvent) throws -> Void
    ) throws {
        var reader = reader
        var document = DocumentSearch(finder, query)
        func take(_ window: [UInt8], prove: () throws -> Void = {}) throws {
            try document.search(window)
            if document.matchingLines > 0 { try prove() }
            let lines = document.takeLines()
            if !lines.isEmpty { try tell(.lines(item.file, lines)) }
            if document.isDone { throw Enough() }
        }
        do {
            if item.isLarge {
                var windows = LineWindows()
                try reader.readAll { try windows.add($0) { try take($0) } }
                try windows.finish { try take($0) }
            } else {
                // Most hold nothing of it, and half of the time would go into digests of those.
                let text = try reader.unproved()
                try take(text) { try reader.prove(text) }
            }
        } catch is Enough {}
        guard document.matchingLines > 0 else { return }
        if document.isBinary { try tell(.binary(item.file)) }
        try tell(.matched(item.file, lines: document.matchingLines))
    }
}
