#!/usr/bin/env bash
# The man pages are well formed, and name every command, every option and every exit status of the programs.
#
#   LOCKBOOK, LOCKBOOK_SERVER     the programs (default: those in .build/release)
#
# The last line on stdout is `N passed, N failed`.
set -uo pipefail

top=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
lockbook=${LOCKBOOK:-$top/.build/release/lockbook}
server=${LOCKBOOK_SERVER:-$top/.build/release/lockbook-server}
source "$top/Tests/EndToEnd/check.sh"

pages=$(mktemp -d "${TMPDIR:-/tmp}/lockbook-manual.XXXXXX")
trap 'rm -rf "$pages"' EXIT

page() { mandoc -T utf8 -O width=300 "$top/man/$1" | sed 's/.\x08//g'; }
# has TEXT WORD...: whether the words stand in the text, one after the other
has() { grep -qE -- "(^|[^-[:alnum:]])$2([^-[:alnum:]]|\$)" <<<"$1"; }
# offered WORD...: what completion offers for the last word
offered() {
    "$lockbook" __complete bash "$#" lockbook "$@" | tr '\0' '\n' | tail -n +2 | cut -f 1
}

for file in "$top"/man/*.[0-9]; do
    check "${file##*/} is well formed" mandoc -T lint -W warning "$file"
done

text=$(page lockbook.1)
commands=()
while IFS= read -r command; do
    if [[ $command =~ ^(account|stream|config|debug|trash|conflicts|share)$ ]]; then
        while IFS= read -r verb; do commands+=("$command $verb"); done < <(offered "$command" '')
    else
        commands+=("$command")
    fi
done < <(offered '')
# Whoever makes the pages has notes, of which completion offers names and tags.
export LOCKBOOK_PATH=$pages/private
"$lockbook" account new alice --server http://127.0.0.1:9 2>/dev/null
echo 'a #summer' | "$lockbook" write /summer
check "every command gets a page" "$top/man/pages" "$lockbook" "$pages"
rm -rf "$LOCKBOOK_PATH"
check "there are pages of commands alone" test -z "$(find "$pages" -name '*summer*')"
check "completion knows the commands" test "${#commands[@]}" -gt 20
# `man NAME` shows a command's page, and no other one of its name.
for file in "$top"/man/*.[2-9]; do
    name=${file##*/} name=${name%.*}
    [[ -e $pages/$name.1 ]] || continue
    check "the section stands in front where $name is told of" \
        test -z "$(grep -rE "man $name\b" "$top"/README.md "$top"/docs "$top"/Sources)"
done
for command in "${commands[@]}"; do
    check "lockbook.1 has the command $command" has "$text" "$command"
    read -ra words <<<"$command"
    file=$pages/lockbook-${command// /-}.1
    check "$command has a page, well formed" mandoc -T lint -W warning "$file"
    shown=$(mandoc -T utf8 -O width=300 "$file" | sed 's/.\x08//g')
    # What the page says how to call is what the program takes.
    while IFS= read -r option; do
        check "the program knows $command $option" grep -qxF -- "$option" <(offered "${words[@]}" --)
    done < <(sed -n '/^SYNOPSIS/,/^DESCRIPTION/p' <<<"$shown" | grep -oE -- '--[a-z][a-z-]+' | sort -u)
    while IFS= read -r option; do
        [[ -z $option || $option == --help ]] || check "the page of $command has $option" has "$shown" "$option"
    done < <(offered "${words[@]}" --)
    while IFS= read -r option; do
        [[ -z $option || $option == --help ]] || check "lockbook.1 has $command $option" has "$text" "$option"
    done < <(offered "${words[@]}" --)
    check "the help of $command breaks no example" \
        test -z "$("$lockbook" "${words[@]}" --help | awk 'example && /^[^ ]/; { example = /^ +\$ / }')"
done
check "an example of several lines is whole" grep -q '^    >~/.local/share/bash-completion' "$pages/lockbook-completions.1"

settings() { "$lockbook" config list --json | tr '{' '\n' | sed -n 's/.*"key":"\([a-z_]*\)".*/\1/p'; }
check "there are settings" test "$(settings | wc -l)" -gt 5
while IFS= read -r setting; do
    check "lockbook-config.5 has $setting" has "$(page lockbook-config.5)" "$setting"
done < <(settings)

statuses() { sed -n 's/^ *case [a-zA-Z]* = \([0-9]*\)$/\1/p' "$top/Sources/lockbook/Status.swift"; }
listed() { sed -n '/^EXIT STATUS/,/^EXAMPLES/s/^ \{3,9\}\([0-9][0-9]*\) .*/\1/p' <<<"$text"; }
check "lockbook.1 lists the exit statuses of the program" diff <(statuses) <(listed)

text=$(page lockbook-server.8)
while IFS= read -r option; do
    [[ $option == --help || $option == --version ]] || check "lockbook-server.8 has $option" has "$text" "$option"
done < <({ "$server" serve --help; "$server" check --help; } | grep -oE '^ +--[a-z-]+' | tr -d ' ')

printf '%d passed, %d failed\n' "$passed" "$failed"
((failed == 0))
