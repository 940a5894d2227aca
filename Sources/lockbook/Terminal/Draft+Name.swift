extension Draft {
    static let plainName = "note"

    /// The extension of a note when it is plain, with its dot; else nothing.
    static func plainExtension(of path: String) -> String {
        guard let name = path.utf8.split(separator: UInt8(ascii: "/")).last,
            let dot = name.lastIndex(of: UInt8(ascii: "."))
        else { return "" }
        let ending = String(Substring(name[name.index(after: dot)...]))
        return textEndings.contains(ending.lowercased()) ? "." + ending : ""
    }

    /// Of text that somebody writes: by others an editor takes it for an archive, say, unpacks it, and
    /// writes where the names in it lead.
    private static let textEndings = Set(
        """
        md markdown mdown mkd txt text org rst adoc asciidoc tex bib typ textile wiki mediawiki
        html htm xhtml xml svg opml gpx plist json jsonc json5 jsonl ipynb canvas excalidraw drawio
        yaml yml toml ini conf cfg env properties csv tsv log diff patch sh bash zsh fish ps1 bat awk sed
        py rb pl lua php js mjs ts jsx tsx css scss c h cc cpp hpp cs java kt go rs swift zig nim d dart
        scala clj cljs edn el lisp scm rkt hs ml fs ex exs erl jl r f90 pas asm s v vhd sql graphql proto
        mk cmake gradle nix tf dot gv puml mmd ics vcf eml srt vtt lrc abc ly fountain ledger journal
        beancount bean taskpaper todo
        """.split(whereSeparator: \.isWhitespace).map(String.init)
    )
}
