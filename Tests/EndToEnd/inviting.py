#!/usr/bin/env python3
"""Invites who has no account, blocks who offers too much, and shows what all devices of an account know; through the real programs.

    PROGRAMS=folder   where lockbook and lockbook-server are (LOCKBOOK and LOCKBOOK_SERVER go before it)
    KEEP=1            leaves the temporary folder for a look

The last line on stdout is `N passed, N failed`.
"""

import json
import sqlite3
import sys
from pathlib import Path

sys.dont_write_bytecode = True

import stage

OK, NOT_FOUND, EXISTS, OFFLINE, REFUSED, PARTIAL, KEY_CHANGED, USAGE, BAD_INPUT = 0, 3, 4, 6, 7, 9, 20, 64, 65


class Story:
    def __init__(self, folder: Path, tally: stage.Tally, server: stage.Server):
        self.folder, self.tally, self.server, self.url = folder, tally, server, server.url
        self.laptop, self.phone = stage.Device(folder, "laptop"), stage.Device(folder, "phone")
        self.laptop.run("account", "new", "ada", "--server", self.url)
        self.laptop.run("write", "/team/plan.md", text=b"plan\n")
        self.laptop.run("write", "/other.md", text=b"other\n")
        self.laptop.sync()
        self.phone.join(self.laptop, self.url)
        self.phone.sync()

    def account(self, name: str) -> stage.Device:
        device = stage.Device(self.folder, name)
        device.run("account", "new", name, "--server", self.url)
        return device

    def refused(self, who: stage.Device, status: int, sentence: str, what: str, *words: str, text: bytes | None = None) -> None:
        self.tally.refused(who.run(*words, text=text, may_fail=True), status, sentence, what)

    def invite(self, *words: str) -> dict:
        return json.loads(self.laptop.run("share", "invite", "--json", *words).output)

    def inviting(self) -> None:
        outcome = self.laptop.run("share", "invite", "/team", "--mode", "write", "--expires", "7d")
        code = outcome.output.decode().strip()
        self.tally.check(code.startswith("lbi1") and "\n" not in code, "the code stands alone on standard output", code)
        listed = self.laptop.run("share", "list", "/team").output.decode()
        self.tally.check("invitation " in listed and "write" in listed and "until " in listed, "share list shows the invitation", listed)
        self.tally.check("1 invitation open" in self.laptop.run("status").output.decode(), "status tells of it")
        bob = self.account("bob")
        accepted = bob.run("share", "accept", "-", "/from-ada", text=f"{code}\n".encode())
        self.tally.check("next sync of ada" in accepted.errors, "the invited is told what he waits for", accepted.errors)
        self.tally.check("invited by ada" in bob.run("status").output.decode(), "so says his status")
        bob.sync()
        self.tally.check(bob.run("list", "-r", "/").output == b"", "nothing is there before the owner's next sync")
        self.phone.sync()
        report = self.laptop.sync()
        self.tally.check([note["kind"] for note in report["notes"]] == ["joined"], "the owner is told who used it", f"{report}")
        report = bob.sync()
        self.tally.check("accepted" in [note["kind"] for note in report["notes"]], "the invited is told that it came", f"{report}")
        self.tally.check(bob.run("cat", "/from-ada/plan.md").output == b"plan\n", "he reads it where he asked for it")
        bob.run("write", "/from-ada/plan.md", text=b"by bob\n")
        bob.sync()
        self.laptop.sync()
        self.tally.check(self.laptop.run("cat", "/team/plan.md").output == b"by bob\n", "the owner reads what he wrote")
        eve = self.account("eve")
        self.refused(eve, REFUSED, "used already", "a used code is worthless", "share", "accept", code)
        self.refused(self.laptop, BAD_INPUT, "this account itself", "one's own code is none", "share", "accept", code)
        self.refused(eve, BAD_INPUT, "mistyped", "a mistyped code is said to be", "share", "accept", code[:-5] + "aaaaa")
        self.refused(eve, BAD_INPUT, "no invitation's code", "what is no code is said to be none", "share", "accept", "lbi1")
        database = (self.server.data / "server.sqlite").read_bytes() + (self.server.data / "server.sqlite-wal").read_bytes()
        self.tally.check(code.encode() not in database, "the server never saw the code")

    def administering(self) -> None:
        """Carol is an admin of what ada shares, and invites frank, who has never met ada."""
        carol, frank = self.account("carol"), self.account("frank")
        for device in (carol, frank):
            device.sync()
        self.laptop.run("new", "/club/")
        self.laptop.run("write", "/club/rules.md", text=b"rules\n")
        self.laptop.run("write", "/club/part/note.md", text=b"note\n")
        self.laptop.run("share", "new", "/club", "carol", "--mode", "write")
        self.laptop.sync()
        carol.sync()
        carol.run("share", "accept", json.loads(carol.run("share", "pending", "--json").output)[0]["id"], "/our-club")
        self.refused(carol, REFUSED, "who is admin there", "a member without admin invites nobody", "share", "invite", "/our-club")
        self.laptop.run("share", "mode", "/club", "carol", "admin")
        self.laptop.sync()
        carol.sync()
        self.refused(carol, BAD_INPUT, "only its owner makes an admin", "an admin invites nobody to be one", "share", "invite", "/our-club", "--mode", "admin")
        self.refused(carol, BAD_INPUT, "shares a part of it", "an admin invites nobody to a part", "share", "invite", "/our-club/part")

        outcome = carol.run("share", "invite", "/our-club", "--mode", "write", "--expires", "1d")
        code = outcome.output.decode().strip()
        self.tally.check(code.startswith("lbi1") and "/our-club" in outcome.errors, "an admin invites by a code", outcome.errors)
        unused = json.loads(carol.run("share", "invite", "/our-club", "--json").output)
        listed = carol.run("share", "list", "/our-club").output.decode()
        self.tally.check(listed.count("invitation ") == 2, "share list shows the admin's invitations to the admin", listed)
        self.tally.check(b"invitation " not in self.laptop.run("share", "list", "/club").output, "and not to the owner")
        self.refused(self.laptop, BAD_INPUT, "this account's own", "the owner needs none to her own", "share", "accept", code)
        accepted = frank.run("share", "accept", code, "/club")
        self.tally.check("carol invites you to write what " in accepted.errors, "the invited is told whose it is besides", accepted.errors)
        status = frank.run("status").output.decode()
        self.tally.check("by carol, whose next sync lets you in" in status, "so says his status", status)
        awaited = json.loads(frank.run("status", "--json").output)["awaitedShares"]
        self.tally.check([(a["by"], len(a["owner"])) for a in awaited] == [("carol", 64)], "with the account of an owner he never met", f"{awaited}")
        report = carol.sync()
        self.tally.check([(n["kind"], n["path"], n["detail"]) for n in report["notes"]] == [("joined", "/our-club", "frank, write")],
                         "the admin is told who used it", f"{report}")
        report = frank.sync()
        self.tally.check("ada, invited by carol" in [note["detail"] for note in report["notes"]], "the invited is told that it came", f"{report}")
        frank.run("write", "/club/rules.md", text=b"by frank\n")
        frank.sync()
        self.laptop.sync()
        self.tally.check(self.laptop.run("cat", "/club/rules.md").output == b"by frank\n", "the owner reads what he wrote")
        self.tally.check(b"frank" in self.laptop.run("share", "list", "/club").output, "and sees that he is there")
        taken = json.loads(carol.run("share", "invite", "/our-club", "--json").output)
        self.tally.check(carol.run("share", "revoke", "/our-club", taken["id"][:8]).status == OK, "an admin takes his invitation back by its id")
        carol.sync()
        grace = self.account("grace")
        self.refused(grace, REFUSED, "taken back", "which is worthless then", "share", "accept", taken["code"])
        grace.run("share", "accept", unused["code"])
        late = json.loads(carol.run("share", "invite", "/our-club", "--json").output)
        self.laptop.run("share", "revoke", "/club", "carol")
        self.laptop.sync()
        report = carol.sync()
        self.tally.check("grace: you may not let anybody in there any more" in [n["detail"] for n in report["notes"]], "an admin who was removed lets nobody in", f"{report}")
        self.refused(grace, REFUSED, "taken back", "and what he had open is taken back", "share", "accept", late["code"])
        self.tally.check(" by carol" in grace.run("status").output.decode(), "who used one in vain waits")
        notes = [(n["kind"], n["detail"]) for n in grace.sync()["notes"]]
        self.tally.check(notes == [("claimRefused", "carol's; the server says: this invitation was taken back")], "until a sync tells", f"{notes}")
        self.tally.check(" by carol" not in grace.run("status").output.decode() and grace.sync()["notes"] == [], "once")
        self.tally.check(grace.run("share", "pending").output == b"", "nobody came in by it")
        self.laptop.run("share", "revoke", "/club", "frank")
        self.laptop.sync()
        for device in (carol, frank, grace):
            device.sync()
            self.tally.check(device.run("debug", "validate").status == OK, f"{device.name} is sound")

    def ending(self) -> None:
        eve = stage.Device(self.folder, "eve")
        invitation = self.invite("/team", "--expires", "1m")
        with sqlite3.connect(self.server.data / "server.sqlite") as database:
            database.execute("UPDATE invitation SET expires = 1 WHERE state = 0")
        self.refused(eve, REFUSED, "has expired", "an expired code is worthless", "share", "accept", invitation["code"])
        invitation = self.invite("/team")
        self.tally.check(self.laptop.run("share", "revoke", "/team", invitation["id"][:8]).status == OK, "an invitation is taken back by its id")
        self.laptop.sync()
        self.refused(eve, REFUSED, "taken back", "a code that was taken back is worthless", "share", "accept", invitation["code"])
        for words in (["--expires", "0m"], ["--expires", "0d"], ["--expires", "366d"], ["--expires", "60w"], ["--expires", "soon"], ["--mode", "own"]):
            outcome = self.laptop.run("share", "invite", "/team", *words, may_fail=True)
            self.tally.check(outcome.status == USAGE, f"share invite {' '.join(words)} is refused", f"{outcome.status}")
        for span in ("0m", "366d"):
            self.refused(self.laptop, USAGE, "from a minute to 365 days", f"no invitation lasts {span}", "share", "invite", "/team", "--expires", span)
        self.refused(self.laptop, NOT_FOUND, "/nothing", "nobody is invited to nothing", "share", "invite", "/nothing")
        self.refused(self.laptop, BAD_INPUT, "cannot be shared", "nobody is invited to everything", "share", "invite", "/")
        self.server.stop()
        self.refused(self.laptop, OFFLINE, "", "without the server there is no invitation", "share", "invite", "/team")

    def knowing(self) -> None:
        """A server that was quiet so far gives its own keys under a name that the other device met."""
        self.laptop.run("share", "verify", "bob", "--confirm")
        self.laptop.sync()
        self.phone.sync()
        shares = json.loads(self.phone.run("share", "list", "--json").output)
        self.tally.check(
            [(s["username"], s["verified"]) for s in shares if s["state"] == "shared"] == [("bob", True)],
            "what was compared on the laptop counts on the phone", f"{shares}",
        )
        with stage.Server(self.folder / "elsewhere") as elsewhere:
            stage.Device(self.folder, "impostor").run("account", "new", "bob", "--server", elsewhere.url)
            stage.Device(self.folder, "impostor").sync()
        columns = "account, request_key, signing_key, certificate"
        with sqlite3.connect(self.folder / "elsewhere" / "server.sqlite") as there:
            row = there.execute(f"SELECT {columns} FROM account WHERE username = 'bob'").fetchone()
        with sqlite3.connect(self.server.data / "server.sqlite") as here:
            kept = here.execute(f"SELECT {columns} FROM account WHERE username = 'bob'").fetchone()
            here.execute(f"UPDATE account SET ({columns}) = (?, ?, ?, ?) WHERE username = 'bob'", row)
        self.refused(self.phone, KEY_CHANGED, "other keys", "a name that the laptop met has other keys on the phone", "share", "new", "/other.md", "bob")
        with sqlite3.connect(self.server.data / "server.sqlite") as here:
            here.execute(f"UPDATE account SET ({columns}) = (?, ?, ?, ?) WHERE username = 'bob'", kept)

    def blocking(self) -> None:
        eve = stage.Device(self.folder, "eve")
        self.laptop.run("share", "new", "/other.md", "eve")
        self.laptop.sync()
        eve.sync()
        self.tally.check("ada" in eve.run("share", "pending").output.decode(), "eve is offered something")
        self.tally.check(eve.run("share", "block", "ada").status == OK, "eve blocks ada")
        self.tally.check(eve.run("share", "pending").output == b"", "and is not shown it any more")
        self.tally.check(eve.run("share", "block", "--list").output == b"ada\n", "she sees whom she has blocked")
        eve.sync()
        self.laptop.run("share", "new", "/team", "eve")
        outcome = self.laptop.run("sync", "--json", may_fail=True)
        notes = json.loads(outcome.output)["notes"]
        self.tally.check(
            outcome.status == PARTIAL and [(n["kind"], n["path"], n["detail"]) for n in notes]
            == [("notShared", "/team", "with eve: this account takes no offers of yours")],
            "the server refuses a new offer, and the sync says whom", f"{outcome.status} {notes}",
        )
        report = self.laptop.sync()
        self.tally.check(report["notes"] == [], "which is not tried again", f"{report}")
        self.refused(eve, NOT_FOUND, "nobody", "nobody is blocked who is not there", "share", "block", "nobody")
        self.refused(eve, USAGE, "", "block wants a name or --list", "share", "block")
        eve.run("share", "unblock", "ada")
        eve.sync()
        self.tally.check("other.md" in eve.run("share", "pending").output.decode(), "unblocked, the offer is there again")

    def behind(self) -> None:
        """What is done with one's own files, done behind a link."""
        bob = stage.Device(self.folder, "bob")
        bob.run("write", "/from-ada/plan.md", text=b"second\n")
        bob.sync()
        versions = json.loads(bob.run("history", "/from-ada/plan.md", "--json").output)["versions"]
        self.tally.check(
            [v["author"] for v in versions] == ["bob", "bob", "ada"] and all(v["path"] == "/from-ada/plan.md" for v in versions),
            "history goes behind a link", f"{versions}",
        )
        first = versions[-1]["version"]
        self.tally.check(bob.run("cat", "--version", first, "/from-ada/plan.md").output == b"plan\n", "cat --version, too")
        self.tally.check(b"+second" in bob.run("diff", "/from-ada/plan.md").output, "diff, too")
        restored = bob.run("restore", "--version", first, "/from-ada/plan.md").output
        self.tally.check(restored == b"/from-ada/plan.md\n" and bob.run("cat", "/from-ada/plan.md").output == b"plan\n", "restore --version, too")
        commands = bob.run("undo", "--list").output.decode()
        self.tally.check("@ada  " in commands.splitlines()[0], "undo --list says whose tree it was", commands)
        self.tally.check(b"/from-ada/plan.md" in bob.run("undo").output and bob.run("cat", "/from-ada/plan.md").output == b"second\n", "undo takes it back")
        bob.run("delete", "/from-ada/plan.md")
        self.tally.check(bob.run("trash", "list").output == b"/from-ada/plan.md\n", "trash list shows what was deleted there")
        self.tally.check(bob.run("restore", "/from-ada/plan.md").output == b"/from-ada/plan.md\n", "restore brings it back")
        self.laptop.sync()
        self.laptop.run("write", "/team/plan.md", text=b"by ada\n")
        self.laptop.sync()
        bob.run("write", "/from-ada/plan.md", text=b"by bob too\n")
        bob.sync()
        self.tally.check(bob.run("conflicts").output == b"/from-ada/plan.md\n", "a conflict behind a link is listed")
        self.tally.check(bob.run("conflicts", "resolve", "--keep", "local", "/from-ada/plan.md").output == b"/from-ada/plan.md\n", "and decided")
        self.tally.check(bob.run("cat", "/from-ada/plan.md").output == b"by bob too\n", "for one side")
        eve = stage.Device(self.folder, "eve")
        offer = json.loads(eve.run("share", "pending", "--json").output)[0]
        eve.run("share", "accept", offer["id"])
        self.laptop.run("rename", "/other.md", "another.md")
        for device in (bob, self.laptop, eve):
            device.sync()
        self.tally.check(eve.run("list", "/").output == b"/another.md\n", "a link without a name of its own follows the owner's", f"{eve.run('list', '/').output!r}")

    def sound(self) -> None:
        for device in (self.laptop, self.phone, stage.Device(self.folder, "bob"), stage.Device(self.folder, "eve")):
            device.sync()
            device.sync()
            self.tally.check(device.run("debug", "validate").status == OK, f"{device.name} is sound")
            report = device.sync()
            self.tally.check(report["traffic"]["requests"] == 1, f"{device.name} asks once when nothing is new", f"{report}")


def main() -> int:
    tally = stage.Tally()
    with stage.scratch("inviting") as folder, stage.Server(folder / "server") as server:
        story = Story(folder, tally, server)
        try:
            story.inviting()
            story.knowing()
            story.blocking()
            story.behind()
            story.administering()
            story.sound()
            story.ending()
        except stage.Failed as failure:
            tally.check(False, "the story", str(failure))
    return tally.end()


if __name__ == "__main__":
    sys.exit(main())
