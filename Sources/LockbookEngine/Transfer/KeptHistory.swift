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
    /// what NTFS drops at a name's end, where `git~1` is the short form of `.git`. Nor does a small
    /// letter whose capital another one has, as the long s, which ext4 with folders that fold case
    /// takes for an s.
    static func isName(_ name: FileName) -> Bool {
        let shown = name.text.uppercased().lowercased().unicodeScalars.filter {
            $0.isASCII || !$0.properties.isDefaultIgnorableCodePoint
        }
        // By bytes: what follows may combine with the sign before it, which a file system leaves alone.
        let text = Array(String(String.UnicodeScalarView(shown)).utf8)
        return names.flatMap { [$0, "\($0.dropFirst())~1"] }.contains {
            text.starts(with: $0.utf8) && isDropped(text.dropFirst($0.utf8.count))
        }
    }

    /// Whether what stands behind a name leads to what has that name alone.
    ///
    /// On NTFS that is also a stream without a name, as `::$DATA`, or a folder's own, as
    /// `:$I30:$INDEX_ALLOCATION`. Git refuses every `:`, but `.git: notes` would be another stream.
    private static func isDropped(_ end: ArraySlice<UInt8>) -> Bool {
        let rest = end.drop { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: " ") }
        return rest.isEmpty || ["\\", "::", ":$"].contains { rest.starts(with: $0.utf8) }
    }
}
