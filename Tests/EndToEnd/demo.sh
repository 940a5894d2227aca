#!/usr/bin/env bash
# Shows Lockbook at work: a server that can read nothing, two devices, real notes in and out again.
#
#   NOTES=dir                     the folder of notes to take (default: the small one beside this script)
#   LOCKBOOK, LOCKBOOK_SERVER     the programs (default: those in .build/release)
#
# Everything happens in a temporary folder that is gone afterwards. Ends with 0 only when every step did what it says.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
built=$here/../../.build/release
lockbook=${LOCKBOOK:-$built/lockbook}
server_program=${LOCKBOOK_SERVER:-$built/lockbook-server}
notes=${NOTES:-$here/notes}

fail() {
    printf '\nThe demo failed: %s\n' "$*" >&2
    exit 1
}

[[ -x $lockbook && -x $server_program ]] || fail "build the programs first: make release"
[[ -d $notes ]] || fail "there is no folder $notes"
notes=$(cd "$notes" && pwd)

scratch=$(mktemp -d "${TMPDIR:-/tmp}/lockbook-demo.XXXXXX")
server=
clean_up() {
    local status=$?
    if [[ -n $server ]] && kill -0 "$server" 2>/dev/null; then
        kill "$server" 2>/dev/null || true
        wait "$server" 2>/dev/null || true
    fi
    if ((status != 0)) && [[ -s $scratch/server.log ]]; then
        printf '\nThe last lines of the server:\n' >&2
        tail -n 20 "$scratch/server.log" >&2
    fi
    rm -rf "$scratch"
    exit "$status"
}
trap clean_up EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

bold= plain=
if [[ -t 1 && -z ${NO_COLOR:-} && ${TERM:-dumb} != dumb ]]; then bold=$'\e[1m' plain=$'\e[0m'; fi

say() { printf '\n%s%s%s\n' "$bold" "$*" "$plain"; }

# on DEVICE ARGUMENT...: shows the command, then runs `lockbook` as that device.
on() {
    local device=$1 shown=
    shift
    printf -v shown ' %q' "$@"
    printf '  %s$ lockbook%s\n' "$device" "${shown//"$scratch/"/}"
    LOCKBOOK_PATH=$scratch/$device "$lockbook" "$@"
}

# same FOLDER FOLDER SENTENCE
same() {
    printf '  $ diff -r %s %s\n' "${1#"$scratch/"}" "${2#"$scratch/"}"
    diff -r --no-dereference "$1" "$2" || fail "these two folders differ"
    printf '  no difference: %s\n' "$3"
}

say "1. A server starts, on this machine only, with an empty folder for its data."
mkdir "$scratch/server"
# There before anything reads it.
: >"$scratch/server.out"
"$server_program" serve --listen 127.0.0.1:0 --data "$scratch/server" \
    >"$scratch/server.out" 2>"$scratch/server.log" &
server=$!
url=
for ((tries = 0; tries < 200; tries++)); do
    url=$(sed -n 's|^listening on \(http://[^ ]*\)$|\1|p' "$scratch/server.out")
    [[ -z $url ]] || break
    kill -0 "$server" 2>/dev/null || fail "the server stopped"
    sleep 0.05
done
[[ -n $url ]] || fail "the server did not start within ten seconds"
printf '  it listens on %s\n' "$url"

say "2. Alice makes an account on her laptop. No password, no e-mail: a key that stays with her."
on laptop account new alice --server "$url"

say "3. She takes her notes in ($(find "$notes" -type f | wc -l) files) and sends them, encrypted, to the server."
on laptop import "$notes/." /
on laptop sync

say "4. On her phone she types her 24 words, and everything is there."
printf '  laptop$ lockbook account export --phrase | phone$ lockbook account import --server %s\n' "$url"
LOCKBOOK_PATH=$scratch/laptop "$lockbook" account export --phrase |
    LOCKBOOK_PATH=$scratch/phone "$lockbook" account import --server "$url"
on phone sync
on phone export / "$scratch/phone-export-1"
same "$notes" "$scratch/phone-export-1" "what came out on the phone is what went in on the laptop."

say "5. Both devices go offline and are used."
both=
while IFS= read -r -d '' file; do
    if (($(wc -l <"$file") >= 4)); then
        both=/${file#"$notes/"}
        break
    fi
done < <(find "$notes" -type f -name '*.md' -size -64k -print0 | sort -z)
printf 'written on the laptop\n' | on laptop stream in "/From the laptop.md"
on laptop new "/Plans/"
on laptop move "/From the laptop.md" "/Plans/"
printf 'written on the phone\n' | on phone stream in "/From the phone.md"
on phone rename "/From the phone.md" "From the phone, 二.md"
if [[ -n $both ]]; then
    printf 'Both write in one note, %s: the laptop at its end, the phone at its beginning.\n' "$both"
    printf 'the laptop wrote this line\n' | on laptop stream in --append "$both"
    {
        printf 'the phone wrote this line\n'
        LOCKBOOK_PATH=$scratch/phone "$lockbook" stream out "$both"
    } >"$scratch/text"
    on phone stream in "$both" <"$scratch/text"
fi

say "6. They meet again at the server. Nobody has to choose: the changes are merged."
on laptop sync
on phone sync
on laptop sync
if [[ -n $both ]]; then
    for device in laptop phone; do
        LOCKBOOK_PATH=$scratch/$device "$lockbook" stream out "$both" >"$scratch/text"
        for line in 'the laptop wrote this line' 'the phone wrote this line'; do
            grep -qxF "$line" "$scratch/text" || fail "$both on the $device lacks \"$line\""
        done
    done
    printf '  %s holds the lines of both, on both.\n' "$both"
fi

say "7. Everything comes out again, decrypted, on each device."
on laptop export / "$scratch/laptop-export"
on phone export / "$scratch/phone-export-2"
same "$scratch/laptop-export" "$scratch/phone-export-2" "both devices hold the same."
[[ -s "$scratch/phone-export-2/Plans/From the laptop.md" ]] || fail "the laptop's note did not arrive"
[[ -s "$scratch/laptop-export/From the phone, 二.md" ]] || fail "the phone's note did not arrive"

say "8. And the server? It holds all of it, and none of it can be read there."
if LC_ALL=C grep -raqF -e 'wrote this line' -e 'From the laptop' -e 'From the phone' "$scratch/server"; then
    fail "a note can be read in the server's data"
fi
printf '  no name and no line of these notes is found in its %s of data.\n' "$(du -sh "$scratch/server" | cut -f1)"

say "That was the whole path. To go on:"
cat <<'TEXT'
  sudo make install                     puts lockbook, lockbook-server, man pages and completions in place
  lockbook-server serve                 runs a server on this machine, http://127.0.0.1:7654
  lockbook account new YOURNAME         makes your account
  lockbook account export --phrase      shows your 24 words: write them down
  lockbook import ~/notes/. /           takes your notes in
  lockbook sync                         sends them; again whenever you like
  man lockbook                          has the rest
TEXT
