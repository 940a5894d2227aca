#!/usr/bin/env bash
# `make install` puts everything where shells and man look for it, and `make uninstall` leaves nothing behind.
#
#   LOCKBOOK     the program (default: the one in .build/release); lockbook-server lies beside it
#
# The last line on stdout is `N passed, N failed`.
set -uo pipefail

top=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
lockbook=${LOCKBOOK:-$top/.build/release/lockbook}
programs=$(cd "$(dirname "$lockbook")" && pwd)
stage=$(mktemp -d "${TMPDIR:-/tmp}/lockbook install.XXXXXX")
trap 'rm -rf "$stage"' EXIT
source "$top/Tests/EndToEnd/check.sh"

# mode MODE FILE
mode() { [[ $(stat -c '%a %F' "$stage/$2" 2>&1) == "$1 regular file" ]]; }
is_empty() { [[ -z $(find "$stage" ! -type d) ]]; }
run_make() { make --no-print-directory -s -C "$top" PROGRAMS="$programs" DESTDIR="$stage" "$@"; }

for prefix in /usr/local /usr; do
    zsh=share/zsh/site-functions
    [[ $prefix == /usr ]] && zsh=share/zsh/vendor-completions
    check "install to $prefix" run_make install PREFIX=$prefix
    for file in bin/lockbook bin/lockbook-server; do
        check "$prefix/$file" mode 755 "$prefix/$file"
    done
    for file in share/man/man1/lockbook.1 share/man/man5/lockbook-config.5 share/man/man8/lockbook-server.8 "$zsh/_lockbook" \
        lib/systemd/user/lockbook-night.service lib/systemd/user/lockbook-night.timer \
        lib/systemd/user/lockbook-sync.service lib/systemd/user/lockbook-sync.timer \
        share/bash-completion/completions/lockbook share/fish/vendor_completions.d/lockbook.fish; do
        check "$prefix/$file" mode 644 "$prefix/$file"
    done
    check "a page for a command" mode 644 "$prefix/share/man/man1/lockbook-stream-in.1"
    check "uninstall from $prefix" run_make uninstall PREFIX=$prefix
    check "nothing is left in $prefix" is_empty
done

for shell in bash zsh fish; do
    file=lockbook.$shell
    [[ $shell == zsh ]] && file=_lockbook
    check "\`lockbook completions $shell\` prints what is installed" \
        cmp -s <("$lockbook" completions $shell) "$top/completions/$file"
done

printf '%d passed, %d failed\n' "$passed" "$failed"
((failed == 0))
