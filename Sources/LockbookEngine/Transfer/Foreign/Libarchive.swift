import CArchive
import Glibc

/// The functions of libarchive, which is loaded when an archive is read, and for nothing else.
struct Libarchive {
    static let name = "libarchive.so.13"
    static let package = "libarchive13"

    let new: libarchive_new
    let supportTar: libarchive_support
    let supportZip: libarchive_support
    let open: libarchive_open
    let next: libarchive_next
    let read: libarchive_read
    let free: libarchive_free
    let error: libarchive_error
    /// The name as UTF-8; nil when it cannot be put so.
    let pathUTF8: libarchive_text
    let path: libarchive_text
    let hardlink: libarchive_text
    let type: libarchive_type
    let format: libarchive_support
    let isEncrypted: libarchive_flag

    /// - Throws: `.missingLibrary`.
    init() throws {
        let missing = LockbookError.missingLibrary(name: Self.name, package: Self.package)
        guard let library = dlopen(Self.name, RTLD_NOW) else { throw missing }
        func function<Function>(_ symbol: String, as type: Function.Type) throws -> Function {
            guard let address = dlsym(library, symbol) else { throw missing }
            return unsafeBitCast(address, to: type)
        }
        new = try function("archive_read_new", as: libarchive_new.self)
        supportTar = try function("archive_read_support_format_tar", as: libarchive_support.self)
        supportZip = try function("archive_read_support_format_zip", as: libarchive_support.self)
        open = try function("archive_read_open_fd", as: libarchive_open.self)
        next = try function("archive_read_next_header", as: libarchive_next.self)
        read = try function("archive_read_data", as: libarchive_read.self)
        free = try function("archive_read_free", as: libarchive_free.self)
        error = try function("archive_error_string", as: libarchive_error.self)
        pathUTF8 = try function("archive_entry_pathname_utf8", as: libarchive_text.self)
        path = try function("archive_entry_pathname", as: libarchive_text.self)
        hardlink = try function("archive_entry_hardlink", as: libarchive_text.self)
        type = try function("archive_entry_filetype", as: libarchive_type.self)
        format = try function("archive_format", as: libarchive_support.self)
        isEncrypted = try function("archive_entry_is_encrypted", as: libarchive_flag.self)
    }
}
