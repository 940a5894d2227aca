/// Folders in which programs keep the history of what stands beside them.
public enum KeptHistory {
    private static let names = [".git", ".hg", ".svn", ".jj"]

    /// Those at the top of a folder of the disk; none where somebody said what is to be left out.
    public static func names(in folder: String) -> [String] {
        guard !Disk.exists("\(folder)/.lockbookignore") else { return [] }
        return names.filter { Disk.exists("\(folder)/\($0)") }
    }
}
