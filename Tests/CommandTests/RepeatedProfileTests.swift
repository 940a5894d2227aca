import Testing

@testable import lockbook

/// Commands in what we say are those of the profile, and names are names.
@Suite struct RepeatedProfileTests {
    private func repeated(_ sentence: String) -> String {
        Profile.repeated(in: sentence, as: "lockbook --profile work")
    }

    @Test func `each command gets the profile`() {
        #expect(repeated("`lockbook sync` first") == "`lockbook --profile work sync` first")
        #expect(
            repeated("try `lockbook list`, or (`lockbook find`)")
                == "try `lockbook --profile work list`, or (`lockbook --profile work find`)"
        )
        #expect(repeated("all of lockbook is here") == "all of lockbook is here")
    }

    @Test func `a name stays what it is`() {
        for name in ["/`lockbook x", "/a/b`lockbook y"] {
            #expect(repeated("no file at \(name)") == "no file at \(name)")
        }
        let sentence = "nobody offers anything called \(quoted("lockbook sync"))"
        #expect(repeated(sentence) == sentence)
        #expect(quoted("lockbooks") == "`lockbooks`")
    }
}
