import LockbookModel

/// Folders in which programs keep the history of what stands beside them.
public enum KeptHistory {
    private static let names = [".git", ".hg", ".svn", ".jj"]

    /// Those at the top of a folder of the disk; none where somebody said what is to be left out.
    public static func names(in folder: String) -> [String] {
        guard !Disk.exists("\(folder)/.lockbookignore") else { return [] }
        return names.filter { Disk.exists("\(folder)/\($0)") }
    }

    /// Whether such a program takes what has a name for its own, on one file system or another.
    ///
    /// As `is_hfs_dotgit` and `is_ntfs_dotgit` of git: neither capitals count nor what shows nothing, nor
    /// what NTFS drops at a name's end, where `git~1` is the short form of `.git`.
    static func isName(_ name: FileName) -> Bool {
        var bare = String.UnicodeScalarView()
        for scalar in name.text.lowercased().unicodeScalars {
            if scalar == "\\" || scalar == ":" { break }
            let isShown = scalar.isASCII || !scalar.properties.isDefaultIgnorableCodePoint
            if isShown { bare.append(scalar) }
        }
        while bare.last == "." || bare.last == " " { bare.removeLast() }
        let text = String(bare)
        return names.contains { $0 == text || "\($0.dropFirst())~1" == text }
    }
}
