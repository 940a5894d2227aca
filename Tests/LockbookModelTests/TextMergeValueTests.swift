import LockbookModel
import Testing

/// A number and what stands beside it are one value, of which a merge makes no third one.
struct TextMergeValueTests {
    @Test(arguments: [
        ("dentist 27 Nov 2026", "dentist 28 Nov 2026", "dentist 27 Dec 2026"),
        ("meet 3 pm", "meet 4 pm", "meet 3 am"),
        ("meet 9 pm", "meet 8 pm", "meet 9 am"),
        ("2 kg flour", "3 kg flour", "2 g flour"),
        ("rent 1 000 €", "rent 2 000 €", "rent 1 500 €"),
        ("cost 1 250 000 EUR", "cost 2 250 000 EUR", "cost 1 250 900 EUR"),
        ("4111 2222 3333 4444", "4112 2222 3333 4444", "4111 2222 3333 4445"),
        ("2026年11月27日", "2026年11月28日", "2026年12月27日"),
        ("12時30分", "13時30分", "12時45分"),
        ("Tel. (030) 1234-567", "Tel. (040) 1234-567", "Tel. (030) 1234-568"),
        ("pw: aB3$xy!9", "pw: aB4$xy!9", "pw: aB3$xz!9"),
        ("ratio 4 : 3", "ratio 5 : 3", "ratio 4 : 2"),
        ("half \\frac{1}{2}", "half \\frac{3}{2}", "half \\frac{1}{4}"),
        ("Hauptstr. 12", "Nebenstr. 12", "Hauptstr. 14"),
        ("see https://b.org/x?id=2", "see https://b.org/y?id=2", "see https://b.org/x?id=3"),
        ("27. 11. 2026", "28. 11. 2026", "27. 12. 2026"),
        ("from 27. 11. 2026", "from 27. 12. 2026", "from 27. 11. 2027"),
        ("10 - 20", "11 - 20", "10 - 22"),
        ("10:00 – 11:00", "09:00 – 11:00", "10:00 – 12:00"),
        ("4 ½ m", "5 ½ m", "4 ½ ft"),
        ("2 h 30 min", "3 h 30 min", "2 h 45 min"),
        ("1 d 2 h 30 min", "2 d 2 h 30 min", "1 d 2 h 45 min"),
        ("３月２７日", "３月２８日", "４月２７日"),
        ("۱۲ ۳۴", "۱۳ ۳۴", "۱۲ ۳۵"),
        ("at C:\\Users\\anna\\notes", "at C:\\Users\\berta\\notes", "at C:\\Users\\anna\\docs"),
        ("pa$$wd#x", "pa$$wt#x", "pa$$wd#y"),
        ("https://a.b/c?x=foo&y=bar", "https://a.b/c?x=boat&y=bar", "https://a.b/c?x=foo&y=baz"),
        // No row of a table, as these may be numbers with commas or arguments.
        ("1,250,000,000", "2,250,000,000", "1,250,000,900"),
        ("1,23,45,678", "2,23,45,678", "1,23,45,679"),
        ("3,14", "2,14", "3,15"),
        ("f(1,2,3,4)", "f(9,2,3,4)", "f(1,2,3,8)"),
        ("a 1,2,3,4", "a 9,2,3,4", "a 1,2,3,8"),
    ])
    func `two versions of a value stay two`(base: String, local: String, remote: String) {
        let (base, local, remote) = (base + "\n", local + "\n", remote + "\n")
        #expect(merged(base, local, remote) == .conflicts(1, conflict(local, remote)))
        #expect(merged(base, remote, local) == .conflicts(1, conflict(remote, local)))
    }

    @Test(arguments: [
        ("- [ ] buy milk", "- [x] buy milk", "- [ ] buy oat milk", "- [x] buy oat milk"),
        ("1. red house", "2. red house", "1. blue house", "2. blue house"),
        ("red 1 000 barn", "blue 1 000 barn", "red 1 000 cars", "blue 1 000 cars"),
        ("3 red cars", "4 red cars", "3 red bikes", "4 red bikes"),
        ("red house", "blue house", "red barn", "blue barn"),
        ("|a1|b2|", "|a3|b2|", "|a1|b4|", "|a3|b4|"),
        ("a1;b2;c", "a3;b2;c", "a1;b4;c", "a3;b4;c"),
        ("1. 250 g", "2. 250 g", "1. 300 g", "2. 300 g"),
        ("- 3 red, 4 blue", "- 5 red, 4 blue", "- 3 red, 6 blue", "- 5 red, 6 blue"),
        ("in 2025. 3 men", "in 2026. 3 men", "in 2025. 4 men", "in 2026. 4 men"),
        ("3 eggs 4 rolls", "5 eggs 4 rolls", "3 eggs 6 rolls", "5 eggs 6 rolls"),
        ("**red**blue", "**green**blue", "**red**pink", "**green**pink"),
        (
            "\\textbf{red}\\emph{blue}", "\\textbf{green}\\emph{blue}", "\\textbf{red}\\emph{pink}",
            "\\textbf{green}\\emph{pink}"
        ),
        ("milk\\neggs", "soup\\neggs", "milk\\nrolls", "soup\\nrolls"),
        ("a = red + blue", "a = green + blue", "a = red + pink", "a = green + pink"),
        ("1\t10\t20\t30", "1\t77\t20\t30", "1\t10\t20\t99", "1\t77\t20\t99"),
        ("1,10,20,30", "1,77,20,30", "1,10,20,99", "1,77,20,99"),
        ("Ann,1,10,20,3.5,", "Ann,2,10,20,3.5,", "Ann,1,10,20,4.5,", "Ann,2,10,20,4.5,"),
        ("2026-11-27,1,2,3", "2026-11-28,1,2,3", "2026-11-27,1,9,3", "2026-11-28,1,9,3"),
        ("[boat 2](b2)", "[ship 2](b2)", "[boat 2](s2)", "[ship 2](s2)"),
        ("<b>1</b><i>2</i>", "<b>3</b><i>2</i>", "<b>1</b><i>4</i>", "<b>3</b><i>4</i>"),
        ("(red)(blue)", "(green)(blue)", "(red)(pink)", "(green)(pink)"),
        ("27日は良い天気", "28日は良い天気", "27日は悪い天気", "28日は悪い天気"),
        ("今日は良い天気", "今日は悪い天気", "明日は良い天気", "明日は悪い天気"),
        // What one side adds, or both change alike, is no value of two writers.
        ("dentist 27 Nov", "dentist 28 Nov", "my dentist 27 Nov", "my dentist 28 Nov"),
        ("27 Nov", "28 Dec", "28 Nov", "28 Dec"),
        ("27 Nov", "28 Nov", "28 Nov", "28 Nov"),
    ])
    func `other neighbours are merged`(base: String, local: String, remote: String, wanted: String)
    {
        let (base, local, remote) = (base + "\n", local + "\n", remote + "\n")
        #expect(merged(base, local, remote) == .clean(wanted + "\n"))
        #expect(merged(base, remote, local) == .clean(wanted + "\n"))
    }

    @Test func `a number is no row with those of the other texts behind it`() {
        for (base, local, remote) in [("12,34", "13,34", "12,99"), ("1,2", "3,2", "1,5")] {
            let merge = merged(base, local, remote)
            guard case .conflicts(1, _) = merge else {
                Issue.record("\(merge)")
                continue
            }
        }
        let merge = merged("a,b,c,d\n1,10,20,30", "a,b,c,d\n1,11,20,30", "a,b,c,d\n1,10,20,31")
        #expect(merge == .clean("a,b,c,d\n1,11,20,31"))
    }
}
