#!/usr/bin/env python3
"""A server that is put back from its backup, and devices that had synced since: nothing is missing anywhere.

    KEEP=1            leaves the temporary folder for a look

The server's folder is copied. Then both devices write, edit, delete and rename, and one of them has seen more than the other;
the server is stopped and its folder put back. Both devices stop with the status of a broken promise and change nothing;
without a terminal nobody is asked, on one a `no` changes nothing; a dry run tells what would be done; and after
`sync --accept-rollback` on both, both and a new device hold every word. The same with a share, whose owner and member are
ahead of the restored server, and with a server that was restored to a time before the account.

The last line on stdout is `N passed, N failed`.
"""

import json
import os
import shutil
import sys
from pathlib import Path

sys.dont_write_bytecode = True

import stage

FAILED, REFUSED, INTEGRITY, GUARDED = 1, 7, 10, 15


class Story:
    def __init__(self, folder: Path, tally: stage.Tally):
        self.folder, self.tally = folder, tally
        self.check = tally.check
        self.data = folder / "server"
        self.proxy = stage.Proxy(1)
        self.server: stage.Server | None = None

    def start(self) -> None:
        self.server = stage.Server(self.data)
        self.proxy.lead_to(self.server.port)

    def stop(self) -> None:
        if self.server:
            self.server.stop()
            self.server = None

    def back_up(self) -> Path:
        self.stop()
        copy = self.folder / "backup"
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(self.data, copy)
        self.start()
        return copy

    def put_back(self, backup: Path) -> None:
        self.stop()
        shutil.rmtree(self.data)
        shutil.copytree(backup, self.data)
        self.start()

    def device(self, name: str, like: stage.Device | None = None) -> stage.Device:
        device = stage.Device(self.folder, name)
        if like:
            device.join(like, self.proxy.url)
        else:
            device.run("account", "new", name, "--server", self.proxy.url)
        device.sync()
        return device

    def export(self, device: stage.Device) -> Path:
        out = self.folder / f"{device.name} out"
        shutil.rmtree(out, ignore_errors=True)
        device.run("export", "--quiet", "/", out)
        return out

    def refuses(self, device: stage.Device, what: str) -> None:
        before = device.run("list", "-rl").output
        self.tally.refused(device.run("sync", may_fail=True), INTEGRITY, "the server", f"{what}: {device.name} stops")
        self.check(device.run("list", "-rl").output == before, f"{what}: {device.name} changes nothing")

    def agree(self, devices: list[stage.Device], what: str) -> Path:
        """All devices sync until quiet and hold the same; so does a new one."""
        for _ in range(2):
            for device in devices:
                device.run("sync", "--full")
        fresh = stage.Device(self.folder, f"{what} fresh")
        fresh.join(devices[0], self.proxy.url)
        fresh.sync("--full")
        first = self.export(devices[0])
        for device in [*devices[1:], fresh]:
            found = stage.differences(first, self.export(device))
            self.check(not found, f"{what}: {device.name} has the same as {devices[0].name}", found)
        for device in [*devices, fresh]:
            sound = device.run("debug", "validate", may_fail=True)
            self.check(sound.status == 0 and not sound.output, f"{what}: {device.name} is sound", f"{sound.output} {sound.errors}")
        return first

    # Stories

    def two_devices(self) -> None:
        what = "restored"
        laptop = self.device("alice")
        for number in range(40):
            laptop.run("write", f"/notes/{number}.md", text=b"note %d\nmiddle\nend\n" % number)
        laptop.run("write", "/large.bin", text=os.urandom(300_000))
        laptop.sync()
        phone = self.device("phone", laptop)
        backup = self.back_up()

        tokens: dict[str, bytes] = {}

        def write(device: stage.Device, path: str, text: bytes, *options: str) -> None:
            device.run("write", *options, path, text=text)

        # Both have seen this.
        for number in range(8):
            token = b"token both %d" % number
            tokens[token.decode()] = token
            write(laptop, f"/notes/{number}.md", token + b"\n", "--append")
        laptop.run("rename", "/notes/8.md", "renamed.md")
        laptop.run("move", "/notes/9.md", "/")
        laptop.run("delete", "/notes/10.md", "/notes/11.md")
        laptop.run("delete", "--permanent", "--force", "/notes/12.md")
        laptop.sync()
        phone.sync()
        # The phone alone has seen this.
        for number in range(4, 12):
            if number in (8, 9, 10, 11):
                continue
            token = b"token phone %d" % number
            tokens[token.decode()] = token
            phone.run("write", f"/notes/{number}.md", text=token + b"\n" + phone.run("cat", f"/notes/{number}.md").output)
        write(phone, "/phone/new.md", b"token phone new\n")
        write(phone, "/phone/large.bin", b"token phone large" + os.urandom(2_000_000))
        tokens["new"], tokens["large"] = b"token phone new", b"token phone large"
        phone.run("move", "/notes/13.md", "/phone/")
        phone.sync()
        write(phone, "/notes/14.md", b"token phone fourteen\n", "--append")
        tokens["fourteen"] = b"token phone fourteen"
        phone.sync()
        # And no server has seen this.
        write(laptop, "/laptop unsynced.md", b"token laptop unsynced\n")
        write(laptop, "/notes/15.md", b"token laptop fifteen\n", "--append")
        write(phone, "/notes/15.md", b"token phone fifteen\n" + phone.run("cat", "/notes/15.md").output)
        tokens |= {"unsynced": b"token laptop unsynced", "lf": b"token laptop fifteen", "pf": b"token phone fifteen"}

        self.put_back(backup)
        for device in (laptop, phone):
            self.refuses(device, what)
        prospect = json.loads(laptop.run("sync", "--accept-rollback", "--dry-run", "--json").output)
        self.check(prospect["rollback"]["files"] >= 13 and len(prospect["pushed"]) >= 15, f"{what}: a dry run tells how much", str(prospect))
        outcome = laptop.run("sync", "--accept-rollback", may_fail=True)
        self.tally.refused(outcome, GUARDED, "nobody is there to ask", f"{what}: without a terminal it is not done")
        self.check("the server went back" in outcome.errors and "push  /laptop unsynced.md" in outcome.errors,
                   f"{what}: what it would do is told", outcome.errors)
        status, said = laptop.ask(b"n\n", "sync", "--accept-rollback")
        self.check(status == FAILED and "nothing was changed" in said, f"{what}: no means no", f"{status} {said}")
        self.refuses(laptop, f"{what}, after a no")
        status, said = laptop.ask(b"y\n", "sync", "--accept-rollback")
        self.check(status == 0 and "the server went back" in said, f"{what}: yes on a terminal", f"{status} {said}")
        self.refuses(phone, f"{what}, after the laptop")
        outcome = phone.run("sync", "--accept-rollback", "--force", may_fail=True)
        self.check(outcome.status == 0, f"{what}: --force in a script", f"{outcome.status} {outcome.errors}")
        out = self.agree([laptop, phone], what)
        text = b"".join(path.read_bytes() for path in out.rglob("*") if path.is_file())
        missing = [token for token in tokens.values() if token not in text]
        self.check(not missing, f"{what}: every word is there", str(missing))
        marked = [path.name for path in out.rglob("*.md") if b"<<<<<<<" in path.read_bytes()]
        self.check(not marked, f"{what}: no text comes out between markers", str(marked))
        paths = {str(path.relative_to(out)) for path in out.rglob("*") if path.is_file()}
        gone = {"notes/8.md", "notes/9.md", "notes/10.md", "notes/11.md", "notes/12.md", "notes/13.md"}
        self.check(not paths & gone and {"notes/renamed.md", "9.md", "phone/13.md"} <= paths, f"{what}: deletions, names and places stand",
                   str(sorted(paths & gone)))
        trash = phone.run("trash").output
        self.check(trash.split() == [b"/notes/10.md", b"/notes/11.md"], f"{what}: the trash too", str(trash))
        history = laptop.run("history", "/notes/0.md").output
        self.check(len(history.splitlines()) >= 2, f"{what}: the version of before the backup is in the history", history.decode())

    def before_the_account(self) -> None:
        what = "restored to before the account"
        backup = self.back_up()
        laptop = self.device("carol")
        laptop.run("write", "/a.md", text=b"only here\n")
        laptop.sync()
        tablet = self.device("tablet", laptop)
        tablet.run("write", "/b.md", text=b"only there\n")
        tablet.sync()
        self.put_back(backup)
        self.tally.refused(laptop.run("sync", may_fail=True), REFUSED, "no account with this key", f"{what}: a sync stops")
        for device in (laptop, tablet):
            outcome = device.run("sync", "--accept-rollback", "--force", may_fail=True)
            self.check(outcome.status == 0, f"{what}: {device.name} accepts", f"{outcome.status} {outcome.errors}")
        out = self.agree([laptop, tablet], what)
        self.check(sorted(path.name for path in out.iterdir()) == ["a.md", "b.md"], f"{what}: all is there")

    def shares(self) -> None:
        self.shared("ada", "bob", owner_first=True)

    def shares_of_a_member_first(self) -> None:
        self.shared("eve", "dan", owner_first=False)

    def shared(self, owner: str, member: str, owner_first: bool) -> None:
        what = f"restored, shared by {owner}"
        ada, bob = self.device(owner), self.device(member)
        for name in ("plan", "list", "old"):
            ada.run("write", f"/team/{name}.md", text=b"%s\nmiddle\nend\n" % name.encode())
        ada.run("write", "/later/x.md", text=b"x\n")
        ada.sync()
        ada.run("share", "new", "/team", member, "--mode", "write")
        ada.sync()
        bob.sync()
        offer = json.loads(bob.run("share", "pending", "--json").output)
        offers = offer if isinstance(offer, list) else offer["offers"]
        bob.run("share", "accept", offers[0]["id"])
        bob.sync()
        backup = self.back_up()
        bob.run("write", "--append", "/team/plan.md", text=b"token bob plan\n")
        bob.run("write", "/team/bob.md", text=b"token bob new\n")
        bob.sync()
        ada.sync()
        ada.run("write", "--append", "/team/list.md", text=b"token ada list\n")
        ada.run("delete", "/team/old.md")
        ada.run("share", "new", "/later", member)
        ada.sync()
        bob.run("write", "/team/late.md", text=b"token bob late\n")
        bob.sync()
        self.put_back(backup)
        self.refuses(ada, what)
        self.refuses(bob, what)
        outcome = bob.run("sync", "--accept-rollback", may_fail=True)
        self.tally.refused(outcome, GUARDED, "nobody is there to ask", f"{what}: a member is asked too")
        self.check(f"what these share: {owner}" in outcome.errors, f"{what}: and told of whose", outcome.errors)
        for device in (ada, bob) if owner_first else (bob, ada):
            outcome = device.run("sync", "--accept-rollback", "--force", may_fail=True)
            self.check(outcome.status == 0, f"{what}: {device.name} accepts", f"{outcome.status} {outcome.errors}")
        for _ in range(3):
            for device in (ada, bob):
                device.sync()
        first = {path.name: path.read_bytes() for path in (self.export(ada) / "team").iterdir()}
        # An export stops at a link: a member's is read through it.
        second = {name: bob.run("cat", f"/team/{name}").output for name in bob.run("list", "/team").output.decode().split()
                  for name in [name.rsplit("/")[-1]]}
        self.check(first == second, f"{what}: both hold the same", f"{first} {second}")
        text = b"".join(first.values())
        missing = [token for token in (b"token bob plan", b"token bob new", b"token ada list", b"token bob late") if token not in text]
        self.check(not missing, f"{what}: every word is there", str(missing))
        self.check("old.md" not in first, f"{what}: what was deleted stays deleted")
        shared = ada.run("share", "list", "/later", may_fail=True)
        self.check(member.encode() in shared.output, f"{what}: what was shared since is shared again", f"{shared.output} {shared.errors}")
        pending = bob.run("share", "pending").output
        self.check(b"later" in pending, f"{what}: and offered again", pending.decode())
        for device in (ada, bob):
            sound = device.run("debug", "validate", may_fail=True)
            self.check(sound.status == 0 and not sound.output, f"{what}: {device.name} is sound", f"{sound.output} {sound.errors}")


def main() -> int:
    tally = stage.Tally()
    with stage.scratch("rollback") as folder:
        story = Story(folder, tally)
        try:
            story.start()
            tally.play(story.two_devices, story.before_the_account, story.shares, story.shares_of_a_member_first)
        finally:
            story.stop()
            story.proxy.close()
    return tally.end()


if __name__ == "__main__":
    sys.exit(main())
