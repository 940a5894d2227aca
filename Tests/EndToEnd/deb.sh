#!/usr/bin/env bash
# Installs the Debian package in a new minimal Debian, uses it there, removes it, and looks what is left.
#
#   deb.sh PACKAGE FOLDER     the .deb, and where the Debian is made; it is kept there for the next run
#
# Needs root, debootstrap, and the Debian mirror that apt is set up with. The last line on stdout is `N passed, N failed`.
set -uo pipefail

package=$(realpath "$1")
base=$2/base root=$2/root
shows_all=1
source "$(dirname "${BASH_SOURCE[0]}")/check.sh"

((EUID == 0)) || {
    echo "deb.sh: this needs root, for chroot" >&2
    exit 1
}
mkdir -p "$2"

# A Debian without anything of ours; made aside, so that one that was cut off is not taken for a whole one.
if [[ ! -d $base ]]; then
    mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Codename: bookworm' 'Component: main' | head -n 1)
    [[ -n $mirror ]] || {
        echo "deb.sh: apt knows no mirror of Debian bookworm" >&2
        exit 1
    }
    rm -rf "$base.new"
    debootstrap --variant=minbase bookworm "$base.new" "$mirror" >"$2/debootstrap.log" 2>&1 || {
        tail "$2/debootstrap.log" >&2
        exit 1
    }
    mv "$base.new" "$base"
fi
rm -rf "$root"
cp -a "$base" "$root"
cp "$package" "$root/tmp/lockbook.deb"
cp /etc/resolv.conf "$root/etc/resolv.conf"

# What runs in there has processes and mounts of its own, which end with it.
inside() {
    unshare --mount --pid --fork --kill-child --mount-proc="$root/proc" \
        chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive LANG=C.UTF-8 "$@" </dev/null
}
# Everything that a package could leave; apt and dpkg keep books of their own, and what the person has stays.
files() {
    inside find / -xdev \( -path /home/alice -o -path /proc -o -path /dev -o -path /sys -o -path /tmp -o -path /run -o -path /var/lib/apt \
        -o -path /var/lib/dpkg -o -path /var/cache -o -path /var/log \) -prune -o -print | LC_ALL=C sort
}

log=$2/apt.log
inside apt-get update >"$log" 2>&1 || {
    tail "$log" >&2
    exit 1
}
inside useradd --create-home --shell /bin/bash alice
before=$(files)

install() { inside apt-get install -y /tmp/lockbook.deb >>"$log" 2>&1; }
check "the package is installed, with what it depends on" install
for name in libreadline8 libqrencode4 libarchive13; do
    check "$name came with it" inside dpkg-query --show "$name" >/dev/null
done
lists() { [[ -n $(inside dpkg -L lockbook | grep -x "$1") ]]; }
for file in /usr/bin/lockbook /usr/bin/lockbook-server /usr/share/man/man1/lockbook-import.1.gz \
    /usr/share/bash-completion/completions/lockbook /usr/share/zsh/vendor-completions/_lockbook \
    /usr/share/fish/vendor_completions.d/lockbook.fish /usr/lib/systemd/user/lockbook-sync.timer; do
    check "it has $file" lists "$file"
done

# A person with two devices and a server of their own; every line is one check.
cat >"$root/tmp/use" <<'SCRIPT'
set -uo pipefail
cd "$HOME"
export LOCKBOOK_PATH=$HOME/one
step() { if eval "$2" >step.log 2>&1; then echo "ok   $1"; else echo "FAIL $1"; cat step.log >&2; fi; }
coproc SERVER { exec lockbook-server serve --listen 127.0.0.1:0 --data "$HOME/server" 2>server.log; }
server=$SERVER_PID
read -r _ _ url <&"${SERVER[0]}"
step "the program says its version" 'lockbook --version | grep -q "^lockbook [0-9]"'
step "an account is made" 'lockbook account new alice --server "$url"'
step "a note is written" 'echo "for the train" | lockbook write /notes/ticket.md'
step "it is synced" 'lockbook sync'
step "the key goes to a second device" 'lockbook account export --phrase | LOCKBOOK_PATH=$HOME/two lockbook account import --server "$url"'
step "which syncs" 'LOCKBOOK_PATH=$HOME/two lockbook sync'
step "and has the note" '[[ $(LOCKBOOK_PATH=$HOME/two lockbook cat /notes/ticket.md) == "for the train" ]]'
step "search finds it" 'lockbook search train | grep -q ticket.md'
step "the key is drawn, with libqrencode" 'lockbook account export --qr | grep -q "█"'
step "a shell is run, with libreadline" 'echo "cat /notes/ticket.md" | lockbook shell | grep -q train'
mkdir export && printf 'Title\n\ntext\n\nid: 0\ntype_: 1' >export/0.md && tar -C export -cf export.jex 0.md
step "notes of Joplin are taken in, with libarchive" 'lockbook import --from joplin export.jex /joplin && lockbook cat /joplin/Title.md'
step "bash completes" 'source /usr/share/bash-completion/completions/lockbook && complete -p lockbook'
step "everything is sound" 'lockbook debug validate'
kill "$server"
step "the server ends when it is told to" 'wait "$server"; (($? == 0 || $? == 143))'
SCRIPT
uses=$(inside su - alice -c 'bash /tmp/use')
printf '%s\n' "$uses"
((passed += $(grep -c '^ok ' <<<"$uses"), failed += $(grep -c '^FAIL ' <<<"$uses")))
check "the person came to the end" grep -q 'ends when it is told to' <<<"$uses"
rm -f "$root/tmp/use"

purge() { inside apt-get purge -y lockbook >>"$log" 2>&1 && inside apt-get autoremove --purge -y >>"$log" 2>&1; }
check "the package is removed" purge
left() { diff <(printf '%s\n' "$before") <(files); }
check "nothing is left, not even a folder" left
gone() { ! inside test -e /usr/bin/lockbook; }
check "the program is gone" gone

rm -rf "$root"
printf '%d passed, %d failed\n' "$passed" "$failed"
((failed == 0))
