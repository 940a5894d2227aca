#include <archive.h>
#include <archive_entry.h>

// The library is not linked, for one option of one command needs it: these are the types of what is looked up in it.
typedef __typeof__(&archive_read_new) libarchive_new;
typedef __typeof__(&archive_read_support_format_tar) libarchive_support;
typedef __typeof__(&archive_read_open_fd) libarchive_open;
typedef __typeof__(&archive_read_next_header) libarchive_next;
typedef __typeof__(&archive_read_data) libarchive_read;
typedef __typeof__(&archive_read_free) libarchive_free;
typedef __typeof__(&archive_error_string) libarchive_error;
typedef __typeof__(&archive_entry_pathname) libarchive_text;
typedef __typeof__(&archive_entry_filetype) libarchive_type;
typedef __typeof__(&archive_entry_is_encrypted) libarchive_flag;
