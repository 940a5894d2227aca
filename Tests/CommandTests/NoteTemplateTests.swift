import Testing

@testable import lockbook

struct NoteTemplateTests {
    @Test func `the fields of a template are filled in, whatever stands around them`() throws {
        let template = try NoteTemplate(path: "/templates/t.md")
        let plain = template.text("# {{title}}\n{{title}} {{no}}", for: "/a/b.c.md")
        #expect(plain == "# b.c\nb.c {{no}}")
        // Letters are compared in their normal forms, which takes the square of a run of marks.
        let marks = String(repeating: "\u{316}\u{301}", count: 250_000)
        let text = template.text("a\(marks){{title}}\(marks)", for: "/b.md")
        #expect(Array(text.utf8) == Array("a\(marks)b\(marks)".utf8))
    }
}
