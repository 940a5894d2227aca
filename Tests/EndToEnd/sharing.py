#!/usr/bin/env python3
"""Walks the table of docs/SHARING.md with three accounts on five devices, through the real programs, and prints it.

    PROGRAMS=folder   where lockbook and lockbook-server are (LOCKBOOK and LOCKBOOK_SERVER go before it)
    KEEP=1            leaves the temporary folder for a look

Ada (laptop, phone) owns a folder and shares it: with bob (desk, tablet), who may write, and with eve (one device), who may
read. Each row is done by each of them, and what it ends with and what the others see after a sync is compared with the
table. Then modes change, bob is removed while he holds unsynced words, and is let in again. Then shares stand inside of
each other, files leave them, and bob is admin.

The last line on stdout is `N passed, N failed`.
"""

import json
import subprocess
import sys
from pathlib import Path

sys.dont_write_bytecode = True

import stage

OK, NOT_FOUND, EXISTS, OFFLINE, REFUSED, PARTIAL, USAGE, BAD_INPUT = 0, 3, 4, 6, 7, 9, 64, 65


class Story:
    def __init__(self, folder: Path, tally: stage.Tally, url: str):
        self.folder, self.tally, self.url = folder, tally, url
        self.laptop, self.phone = stage.Device(folder, "laptop"), stage.Device(folder, "phone")
        self.desk, self.tablet = stage.Device(folder, "desk"), stage.Device(folder, "tablet")
        self.eve = stage.Device(folder, "eve")
        self.everybody = [self.laptop, self.phone, self.desk, self.tablet, self.eve]

    def begin(self) -> None:
        for device, name in ((self.laptop, "ada"), (self.desk, "bob"), (self.eve, "eve")):
            device.run("account", "new", name, "--server", self.url)
            device.sync()
        self.laptop.run("write", "/team/plan.md", text=b"plan\n")
        self.laptop.run("write", "/team/deep/note.md", text=b"deep\n")
        self.laptop.run("write", "/team/old.md", text=b"old\n")
        self.laptop.run("write", "/private.md", text=b"private\n")
        self.laptop.sync()
        for device, like in ((self.phone, self.laptop), (self.tablet, self.desk)):
            device.join(like, self.url)
            device.sync()

    def sync(self) -> None:
        for _ in range(2):
            for device in self.everybody:
                device.sync()

    def row(self, what: str, who: stage.Device, wanted: int, *arguments: str, text: bytes | None = None) -> None:
        outcome = who.run(*arguments, text=text, may_fail=True)
        names = {OK: "ok", NOT_FOUND: "not found", REFUSED: "refused", BAD_INPUT: "bad input", OFFLINE: "offline", EXISTS: "exists", USAGE: "usage"}
        self.tally.check(
            outcome.status == wanted, f"{who.name:7} {what:45} {names[wanted]}", f"ended with {outcome.status}\n{outcome.errors}"
        )

    def reads(self, who: stage.Device, path: str, text: bytes, what: str) -> None:
        outcome = who.run("cat", path, may_fail=True)
        self.tally.check(outcome.output == text, f"{who.name:7} {what}", f"{outcome.output!r}, wanted {text!r}\n{outcome.errors}")

    def paths(self, who: stage.Device, target: str = "/") -> list[str]:
        return who.run("list", "-r", target, may_fail=True).output.decode().splitlines()

    def offer(self, who: stage.Device) -> dict:
        offers = json.loads(who.run("share", "pending", "--json").output)
        self.tally.check(len(offers) == 1, f"{who.name:7} is offered one thing", f"{offers}")
        return offers[0]

    def sharing(self) -> None:
        self.row("shares with an unknown account", self.laptop, NOT_FOUND, "share", "new", "/team", "nobody")
        self.row("shares with itself", self.laptop, BAD_INPUT, "share", "new", "/team", "ada")
        self.row("shares the root", self.laptop, BAD_INPUT, "share", "new", "/", "bob")
        self.row("shares what is not there", self.laptop, NOT_FOUND, "share", "new", "/nothing", "bob")
        self.row("shares with a name that cannot be", self.laptop, BAD_INPUT, "share", "new", "/team", "Bob")
        self.row("shares to be written", self.laptop, OK, "share", "new", "/team", "bob", "--mode", "write")
        self.row("shares to be read", self.laptop, OK, "share", "new", "/team", "eve")
        status = self.laptop.run("status").output.decode()
        self.tally.check("2 changes of shares or people to sync" in status, "laptop  is told that shares wait for a sync", status)
        self.sync()
        status = self.laptop.run("status").output.decode()
        self.tally.check("no changes to sync" in status, "laptop  has nothing left to sync", status)
        self.row("shares the same again", self.laptop, BAD_INPUT, "share", "new", "/team", "bob")
        shares = json.loads(self.phone.run("share", "list", "--json").output)
        self.tally.check(
            [(s["path"], s["username"], s["mode"], s["state"]) for s in shares]
            == [("/team", "bob", "write", "shared"), ("/team", "eve", "read", "shared")],
            "phone   knows who may see what", f"{shares}",
        )

    def accepting(self) -> None:
        for device in (self.desk, self.eve):
            offer = self.offer(device)
            self.tally.check(offer["from"] == "ada" and offer["name"] == "team" and offer["type"] == "folder", f"{device.name:7} sees who offers what")
            self.reads(device, f"id:{offer['id']}/plan.md", b"plan\n", "reads it before it is accepted")
        self.row("writes where it may only read, not accepted", self.eve, REFUSED, "write", f"id:{self.offer(self.eve)['id']}/plan.md", text=b"x")
        self.row("accepts what nobody offers", self.desk, NOT_FOUND, "share", "accept", "ffffffff")
        self.row("accepts to where something is", self.desk, OK, "write", "/taken.md", text=b"x")
        self.row("accepts to where something is", self.desk, EXISTS, "share", "accept", self.offer(self.desk)["id"], "/taken.md")
        self.row("accepts to an id that is no folder", self.desk, BAD_INPUT, "share", "accept", self.offer(self.desk)["id"], self.id(self.desk, "/taken.md"))
        self.row("accepts to an id that nothing has", self.desk, NOT_FOUND, "share", "accept", self.offer(self.desk)["id"], f"id:{'f' * 32}")
        self.row("makes a folder", self.desk, OK, "new", "/others/")
        self.at_once(self.desk, self.offer(self.desk)["id"], self.id(self.desk, "/others"))
        self.row("moves the link", self.desk, OK, "move", self.id(self.desk, "/others/team"), "/")
        self.row("copies, to an id", self.desk, OK, "copy", "/taken.md", self.id(self.desk, "/others"))
        self.tally.check([path for path in self.paths(self.desk) if "id:" in path] == [], "desk    has no file that is called by an id")
        self.row("deletes the copy", self.desk, OK, "delete", "--force", "/others")
        self.row("adds to what was not fetched yet", self.desk, OK, "write", "--append", "/team/deep/note.md", text=b"")
        self.row("goes into it in the shell", self.desk, OK, "shell", text=b"cd team\ncd deep\ncd ..\ncat plan.md\n")
        self.row("goes into a document of it", self.desk, BAD_INPUT, "shell", text=b"cd /team/plan.md\n")
        self.row("rejects", self.eve, OK, "share", "reject", self.offer(self.eve)["id"])
        pending = json.loads(self.eve.run("share", "pending", "--json").output)
        self.tally.check(pending == [], "eve     is not shown what it rejected")
        top = json.loads(self.desk.run("list", "-r", "--json", "/").output)
        self.row("accepts after all", self.eve, OK, "share", "accept", self.team(top), "/from-ada")
        self.sync()
        self.reads(self.tablet, "/team/deep/note.md", b"deep\n", "reads it on the second device")
        self.reads(self.eve, "/from-ada/plan.md", b"plan\n", "reads it under a name of its own")
        status = json.loads(self.eve.run("status", "--json").output)
        self.tally.check((status["documents"], status["folders"], status["links"]) == (0, 0, 1), "eve     has a link and nothing else, by status", f"{status}")
        drawn = self.eve.run("tree", "/").output.decode()
        self.tally.check("1 link" in drawn.splitlines()[-1], "eve     has a link, by tree", drawn)
        drawn = self.eve.run("tree", "/from-ada").output.decode()
        self.tally.check("plan.md" in drawn and "note.md" in drawn, "eve     draws what is behind the link alone", drawn)
        drawn = self.eve.run("tree", "-d", "/").output.decode()
        self.tally.check("from-ada" in drawn and "deep" in drawn and "plan.md" not in drawn, "eve     draws folders alone, and the link", drawn)
        self.row("shares what is somebody else's", self.desk, BAD_INPUT, "share", "new", "/team/deep", "eve")

    def id(self, who: stage.Device, path: str) -> str:
        files = json.loads(who.run("list", "--json", "-r", "/").output)
        return next(f"id:{file['id']}" for file in files if file["path"] == path)

    def at_once(self, who: stage.Device, offer: str, folder: str) -> None:
        """Many processes accept the same, each under another name but the first, which goes into a folder by its id."""
        places = [folder] + [f"/twice {number}" for number in range(1, 8)]
        running = [who.start("share", "accept", offer, place, stdout=subprocess.PIPE, stderr=subprocess.PIPE) for place in places]
        ends = [(*process.communicate(), process.returncode) for process in running]
        links = [path for path in self.paths(who) if path == "/others/team" or path.startswith("/twice") and path.count("/") == 1]
        self.tally.check(len(links) == 1, f"{who.name:7} accepts eight times at once, and one link is made", f"{links}")
        self.tally.check(
            sorted(status for _, _, status in ends) == [OK] + [EXISTS] * 7 and all(links[0].encode() in output + errors for output, errors, _ in ends),
            f"{who.name:7} is told where it is by all of them", f"{ends}",
        )
        if links != ["/others/team"]:
            self.row("moves the link to where it goes", who, OK, "move", links[0], "/others/team")

    def team(self, _: object) -> str:
        shares = json.loads(self.laptop.run("share", "list", "--json").output)
        return shares[0]["id"]

    def working(self) -> None:
        self.row("makes and writes inside", self.desk, OK, "write", "/team/bob/new.md", text=b"by bob\n")
        self.row("changes inside", self.tablet, OK, "write", "/team/plan.md", text=b"plan by bob\n")
        self.row("renames inside", self.desk, OK, "rename", "/team/old.md", "older.md")
        self.row("moves inside", self.desk, OK, "move", "/team/older.md", "/team/deep/")
        self.row("makes and writes inside", self.phone, OK, "write", "/team/ada.md", text=b"by ada\n")
        self.row("moves it into the share from outside", self.desk, OK, "move", "/taken.md", "/team/")
        self.reads(self.desk, "/team/taken.md", b"x", "has it there")
        self.row("takes that back", self.desk, OK, "undo")
        self.row("moves it out", self.desk, OK, "move", "/team/plan.md", "/mine.md")
        self.row("takes that back", self.desk, OK, "undo")
        paths = set(self.paths(self.desk))
        self.tally.check({"/taken.md", "/team/plan.md"} <= paths and not {"/team/taken.md", "/mine.md"} & paths, "desk    has both where they were", f"{paths}")
        for what, arguments, text in (
            ("makes and writes inside", ["write", "/from-ada/x.md"], b"x"),
            ("changes inside", ["write", "/from-ada/plan.md"], b"x"),
            ("renames inside", ["rename", "/from-ada/plan.md", "x.md"], None),
            ("moves inside", ["move", "/from-ada/plan.md", "/from-ada/deep/"], None),
            ("moves it out", ["move", "/from-ada/plan.md", "/mine.md"], None),
            ("deletes inside", ["delete", "/from-ada/plan.md"], None),
        ):
            self.row(what, self.eve, REFUSED, *arguments, text=text)
        self.sync()
        wanted = ["ada.md", "bob", "bob/new.md", "deep", "deep/note.md", "deep/older.md", "plan.md"]
        for device, top in ((self.laptop, "/team"), (self.phone, "/team"), (self.desk, "/team"), (self.tablet, "/team"), (self.eve, "/from-ada")):
            below = sorted(path.removeprefix(top + "/") for path in self.paths(device, top))
            self.tally.check(below == wanted, f"{device.name:7} has what both wrote", f"{below}")
            self.reads(device, f"{top}/plan.md", b"plan by bob\n", "reads what bob wrote")
            self.tally.check("private.md" not in " ".join(self.paths(device)) or device in (self.laptop, self.phone), f"{device.name:7} has nothing that is not his")
        self.row("moves something in", self.laptop, OK, "move", "/private.md", "/team/public.md")
        self.sync()
        self.reads(self.eve, "/from-ada/public.md", b"private\n", "reads what was moved in")
        found = self.eve.run("search", "by bob", "/from-ada").output.decode()
        self.tally.check("/from-ada/plan.md" in found, "eve     finds it behind the link", found)
        out = self.folder / "export"
        self.eve.run("export", "--quiet", "/from-ada", out)
        self.tally.check((out / "plan.md").read_bytes() == b"plan by bob\n", "eve     exports it")

    def taking_back(self) -> None:
        self.row("takes back from who has nothing", self.laptop, NOT_FOUND, "share", "revoke", "/private2.md", "bob")
        self.row("takes back as a member", self.desk, REFUSED, "share", "revoke", "/team", "eve")
        self.row("lets eve write", self.laptop, OK, "share", "mode", "/team", "eve", "write")
        self.sync()
        self.row("writes", self.eve, OK, "write", "/from-ada/eve.md", text=b"by eve\n")
        self.sync()
        self.reads(self.desk, "/team/eve.md", b"by eve\n", "reads what eve wrote")
        self.row("lets eve read only", self.phone, OK, "share", "mode", "/team", "eve", "read")
        self.row("takes back from bob", self.phone, OK, "share", "revoke", "/team", "bob")
        self.desk.run("write", "/team/plan.md", text=b"unsynced words of bob\n")
        self.phone.sync()
        self.laptop.sync()
        self.laptop.run("write", "/team/plan.md", text=b"after bob\n")
        self.laptop.sync()
        report = self.desk.sync()
        kinds = sorted(note["kind"] for note in report["notes"])
        self.tally.check(kinds == ["keptOwn", "takenBack"], "desk    is told who took what back", f"{report['notes']}")
        self.sync()
        self.reads(self.desk, "/plan.md", b"unsynced words of bob\n", "keeps its unsynced words")
        self.tally.check(not any(p.startswith("/team") for p in self.paths(self.tablet)), "tablet  has nothing of it any more")
        self.reads(self.eve, "/from-ada/plan.md", b"after bob\n", "reads what came after")
        self.reads(self.eve, "/from-ada/bob/new.md", b"by bob\n", "still reads what bob wrote")
        self.row("writes where it may only read now", self.eve, REFUSED, "write", "/from-ada/eve.md", text=b"x")
        self.row("lets bob in again", self.laptop, OK, "share", "new", "/team", "bob", "--mode", "write")
        self.sync()
        self.row("accepts again", self.tablet, OK, "share", "accept", self.offer(self.tablet)["id"], "/again")
        self.row("writes again", self.tablet, OK, "write", "/again/plan.md", text=b"bob again\n")
        self.sync()
        for device, path in ((self.laptop, "/team"), (self.desk, "/again"), (self.eve, "/from-ada")):
            self.reads(device, f"{path}/plan.md", b"bob again\n", "reads what bob wrote again")
        self.row("leaves", self.eve, OK, "share", "leave", "/from-ada")
        self.sync()
        self.tally.check(self.paths(self.eve) == [], "eve     has nothing of it after leaving", f"{self.paths(self.eve)}")

    def nesting(self) -> None:
        """Bob has /team as /again; now a part of it is eve's, and shares end from the outside and from the inside."""
        self.row("takes back from who left", self.laptop, OK, "share", "revoke", "/team", "eve")
        self.row("shares a part of a share", self.phone, OK, "share", "new", "/team/deep", "eve", "--mode", "write")
        self.sync()
        self.row("accepts the part", self.eve, OK, "share", "accept", self.offer(self.eve)["id"])
        self.row("writes in the part", self.eve, OK, "write", "/deep/eve.md", text=b"by eve\n")
        self.row("writes in the part, from outside", self.tablet, OK, "write", "/again/deep/bob.md", text=b"by bob\n")
        self.row("renames the part, as a member", self.desk, REFUSED, "rename", "/again/deep", "mine")
        self.row("moves the part out, as a member", self.desk, REFUSED, "move", "/again/deep", "/")
        self.row("moves something into the part, as a member", self.desk, OK, "move", "/again/bob/new.md", "/again/deep/")
        self.sync()
        self.reads(self.eve, "/deep/new.md", b"by bob\n", "reads what bob moved into the part")
        self.row("moves it back, as a member", self.tablet, OK, "move", "/again/deep/new.md", "/again/bob/")
        self.sync()
        self.reads(self.phone, "/team/bob/new.md", b"by bob\n", "reads it where it was")
        self.tally.check("/deep/new.md" not in self.paths(self.eve), "eve     has it no more")
        self.moving_shares()
        for device, top in ((self.laptop, "/team/deep"), (self.desk, "/again/deep"), (self.eve, "/deep")):
            self.reads(device, f"{top}/eve.md", b"by eve\n", "reads what eve wrote in the part")
            self.reads(device, f"{top}/bob.md", b"by bob\n", "reads what bob wrote in the part")
        self.tally.check(not any("plan.md" in p for p in self.paths(self.eve)), "eve     has the part and nothing around it")
        self.row("shares the part with bob, too, to be read", self.laptop, OK, "share", "new", "/team/deep", "bob")
        self.sync()
        pending = json.loads(self.desk.run("share", "pending", "--json").output)
        self.tally.check(pending == [], "desk    is not offered what it has already", f"{pending}")
        self.row("writes with the higher mode", self.desk, OK, "write", "/again/deep/bob.md", text=b"higher\n")
        self.sync()
        self.row("takes the outer one back from bob", self.phone, OK, "share", "revoke", "/team", "bob")
        self.sync()
        self.row("takes what is left", self.desk, OK, "share", "accept", self.offer(self.desk)["id"], "/part")
        self.sync()
        self.reads(self.tablet, "/part/bob.md", b"higher\n", "still reads the inner one")
        self.row("writes with the lower mode", self.tablet, REFUSED, "write", "/part/bob.md", text=b"x")
        self.row("shares the outer one with bob again", self.laptop, OK, "share", "new", "/team", "bob", "--mode", "write")
        self.sync()
        self.row("accepts the outer one", self.desk, OK, "share", "accept", self.offer(self.desk)["id"], "/again")
        twice = [path for path in self.paths(self.desk) if path.endswith("/bob.md")]
        self.tally.check(twice == ["/again/deep/bob.md"], "desk    lists what is behind two links once", f"{twice}")
        self.row("takes the inner one back from bob", self.phone, OK, "share", "revoke", "/team/deep", "bob")
        self.sync()
        self.row("writes inside of the outer one", self.tablet, OK, "write", "/again/deep/bob.md", text=b"outer\n")
        self.sync()
        self.reads(self.eve, "/deep/bob.md", b"outer\n", "reads what bob wrote from outside")
        self.tally.check("/part" not in self.paths(self.desk), "desk    has no link to the inner one any more")

    def moving_shares(self) -> None:
        """The part goes out of the share, into another one, and back into the first one in a folder; eve has it all the time."""
        self.row("moves the part out of the share", self.laptop, OK, "move", "/team/deep", "/deep")
        self.sync()
        self.tally.check(not any("/deep" in p for p in self.paths(self.desk)), "desk    sees it go", f"{self.paths(self.desk)}")
        self.row("writes in the part", self.eve, OK, "write", "/deep/alone.md", text=b"alone\n")
        self.sync()
        self.reads(self.phone, "/deep/alone.md", b"alone\n", "reads what eve wrote outside")
        self.row("makes a folder", self.laptop, OK, "new", "/club/")
        self.row("shares another folder", self.laptop, OK, "share", "new", "/club", "bob", "--mode", "write")
        self.sync()
        self.row("accepts it", self.tablet, OK, "share", "accept", self.offer(self.tablet)["id"])
        self.row("moves the part into another share", self.phone, OK, "move", "/deep", "/club/")
        self.sync()
        self.reads(self.tablet, "/club/deep/alone.md", b"alone\n", "sees it come")
        self.reads(self.eve, "/deep/alone.md", b"alone\n", "reads it where it was")
        self.row("deletes in the part, from outside", self.desk, OK, "delete", "/club/deep/alone.md")
        self.row("makes a folder", self.phone, OK, "new", "/club/box/")
        self.row("moves the part into that folder", self.phone, OK, "move", "/club/deep", "/club/box/")
        self.sync()
        self.row("moves the folder with it from one share into another", self.laptop, OK, "move", "/club/box", "/team/")
        self.sync()
        self.reads(self.desk, "/again/box/deep/eve.md", b"by eve\n", "sees the folder and the part come")
        self.row("moves the folder with it out", self.laptop, OK, "move", "/team/box", "/")
        self.row("takes that back", self.laptop, OK, "undo")
        self.row("moves the folder with it out, as a member", self.tablet, BAD_INPUT, "move", "/again/box", "/")
        self.row("moves the part on in the same share", self.laptop, OK, "move", "/team/box/deep", "/team/")
        self.row("deletes the folder", self.laptop, OK, "delete", "/team/box")
        self.row("takes the other one back", self.laptop, OK, "share", "revoke", "/club", "bob")
        self.sync()

    def leaving_a_share(self) -> None:
        self.row("writes what will leave", self.desk, OK, "write", "/again/out/a.md", text=b"inside\n")
        self.sync()
        self.row("moves it out, as a member", self.desk, OK, "move", "/again/out", "/mine")
        self.sync()
        self.reads(self.tablet, "/mine/a.md", b"inside\n", "reads what is bob's alone now")
        self.tally.check(not any("/out" in p for p in self.paths(self.phone)), "phone   has nothing of it where it was")
        trashed = self.phone.run("trash", "--json").output.decode()
        self.tally.check("/team/out" in trashed, "phone   has it in the trash", trashed)
        self.row("moves it back, as a member", self.tablet, OK, "move", "/mine", "/again/out")
        self.sync()
        self.row("writes there unsynced", self.desk, OK, "write", "/again/out/a.md", text=b"late\n")
        self.row("moves it out", self.laptop, OK, "move", "/team/out", "/out")
        self.row("writes there", self.laptop, OK, "write", "/out/a.md", text=b"outside\n")
        self.sync()
        self.reads(self.phone, "/out/a.md", b"outside\n", "reads what moved out")
        self.tally.check(not any("/out" in p for p in self.paths(self.tablet)), "tablet  has nothing of what moved out")
        self.reads(self.desk, "/a.md", b"late\n", "keeps its unsynced words as its own")
        self.tally.check("/a.md" not in self.paths(self.phone), "phone   has nothing of them")
        self.row("moves from one share into one inside of it", self.laptop, OK, "move", "/team/plan.md", "/team/deep/plan.md")
        self.sync()
        self.reads(self.eve, "/deep/plan.md", b"bob again\n", "reads what came in from outside")
        self.reads(self.desk, "/again/deep/plan.md", b"bob again\n", "reads it in its new place")
        self.row("moves it back", self.laptop, OK, "move", "/team/deep/plan.md", "/team/plan.md")
        self.sync()
        self.tally.check(not any("plan.md" in p for p in self.paths(self.eve)), "eve     has nothing of it any more")
        self.reads(self.desk, "/again/plan.md", b"bob again\n", "reads it where it was")

    def administering(self) -> None:
        self.row("makes an admin as a member", self.desk, REFUSED, "share", "mode", "/again", "bob", "admin")
        self.row("makes bob an admin", self.laptop, OK, "share", "mode", "/team", "bob", "admin")
        self.sync()
        self.row("shares with the owner", self.desk, BAD_INPUT, "share", "new", "/again", "ada")
        self.row("shares with itself", self.desk, BAD_INPUT, "share", "new", "/again", "bob")
        self.row("makes an admin as an admin", self.desk, BAD_INPUT, "share", "new", "/again", "eve", "--mode", "admin")
        self.row("shares a part of it as an admin", self.desk, BAD_INPUT, "share", "new", "/again/bob", "eve")
        self.row("takes back from the owner", self.desk, NOT_FOUND, "share", "revoke", "/again", "ada")
        self.row("lets eve in as an admin", self.desk, OK, "share", "new", "/again", "eve")
        self.sync()
        self.row("accepts what an admin offers", self.eve, OK, "share", "accept", self.offer(self.eve)["id"], "/all")
        self.reads(self.eve, "/all/plan.md", b"bob again\n", "reads it")
        self.reads(self.eve, "/all/deep/bob.md", b"outer\n", "reads the part in it")
        self.row("lets eve write as an admin", self.tablet, OK, "share", "mode", "/again", "eve", "write")
        self.sync()
        self.row("writes by the right of an admin", self.eve, OK, "write", "/all/eve.md", text=b"by eve\n")
        self.sync()
        self.reads(self.laptop, "/team/eve.md", b"by eve\n", "reads what eve wrote")
        self.row("takes it back as an admin", self.desk, OK, "share", "revoke", "/again", "eve")
        self.sync()
        self.tally.check(not any(p.startswith("/all") for p in self.paths(self.eve)), "eve     has nothing of it any more")
        for device, top in ((self.laptop, "/team"), (self.phone, "/team"), (self.desk, "/again"), (self.tablet, "/again")):
            self.row("writes under the admin's keys", device, OK, "write", f"{top}/{device.name}.md", text=b"new keys\n")
        self.sync()
        for device, top in ((self.laptop, "/team"), (self.phone, "/team"), (self.desk, "/again"), (self.tablet, "/again")):
            self.reads(device, f"{top}/phone.md", b"new keys\n", "reads under the admin's keys")
            self.reads(device, f"{top}/tablet.md", b"new keys\n", "reads under the admin's keys")
        self.row("renames the shared folder", self.laptop, OK, "rename", "/team", "group")
        self.row("lets eve in again", self.laptop, OK, "share", "new", "/group", "eve", "--mode", "admin")
        self.sync()
        self.row("accepts again", self.eve, OK, "share", "accept", self.offer(self.eve)["id"], "/all")
        self.row("takes back from the other admin", self.eve, OK, "share", "revoke", "/all", "bob")
        self.row("takes back from the other admin", self.desk, OK, "share", "revoke", "/again", "eve")
        self.eve.sync()
        outcome = self.desk.run("sync", "--json", may_fail=True)
        notes = json.loads(outcome.output)["notes"]
        told = [note for note in notes if note["kind"] == "notDone" and "eve" in note["detail"]]
        self.tally.check(outcome.status == PARTIAL and len(told) == 1, "desk    is told that the other admin was first", f"{notes}")
        self.sync()
        shares = json.loads(self.laptop.run("share", "list", "--json").output)
        self.tally.check(
            sorted((s["path"], s["username"], s["mode"]) for s in shares) == [("/group", "eve", "admin"), ("/group/deep", "eve", "write")],
            "laptop  sees that the first in the log won", f"{shares}",
        )
        self.tally.check(not any(p.startswith("/again") for p in self.paths(self.desk)), "desk    has nothing of it any more")

    def giving(self) -> None:
        """A share goes from ada to bob, while all go on writing."""
        self.laptop.run("write", "/gift/plan.md", text=b"plan\n")
        self.laptop.run("write", "/gift/deep/note.md", text=b"deep\n")
        self.sync()
        self.row("gives away what is not shared", self.laptop, NOT_FOUND, "share", "transfer", "/gift", "bob")
        self.row("gives away a share in another one", self.laptop, BAD_INPUT, "share", "transfer", "/group/deep", "eve")
        for name, mode in (("bob", "write"), ("eve", "write")):
            self.row(f"shares a gift with {name}", self.laptop, OK, "share", "new", "/gift", name, "--mode", mode)
        self.sync()
        self.row("accepts the share", self.desk, OK, "share", "accept", self.offer(self.desk)["id"], "/ours")
        self.row("accepts the share", self.eve, OK, "share", "accept", self.offer(self.eve)["id"], "/theirs")
        self.sync()
        self.row("gives it to itself", self.laptop, BAD_INPUT, "share", "transfer", "/gift", "ada")
        self.row("gives it to nobody", self.laptop, USAGE, "share", "transfer", "/gift")
        self.row("gives it to no member", self.laptop, NOT_FOUND, "share", "transfer", "/gift", "zoe")
        self.row("gives it away as a member", self.desk, REFUSED, "share", "transfer", "/ours", "eve")
        self.row("takes back what was not given", self.laptop, BAD_INPUT, "share", "transfer", "--cancel", "/gift")
        self.row("gives it to bob", self.laptop, OK, "share", "transfer", "/gift", "bob")
        self.laptop.sync()
        self.phone.sync()
        self.row("gives it to eve as well", self.phone, BAD_INPUT, "share", "transfer", "/gift", "eve")
        self.sync()
        told = self.desk.run("status").output.decode()
        self.tally.check("ada gives you a share for good" in told, "desk    is told by status", told)
        told = self.laptop.run("share", "list", "/gift").output.decode()
        self.tally.check("offered to be its owner" in told and "1 share given away" in self.phone.run("status").output.decode(), "laptop  sees that it is under way", told)
        self.row("takes it back", self.phone, OK, "share", "transfer", "--cancel", "/gift")
        self.phone.sync()
        self.sync()
        self.tally.check(self.desk.run("share", "pending").output == b"", "desk    is not offered it any more")
        self.row("gives it again", self.phone, OK, "share", "transfer", "/gift", "bob")
        self.phone.sync()
        self.sync()
        offer = self.offer(self.tablet)
        self.tally.check(offer["transfer"] and self.offer(self.desk)["id"] == offer["id"], "tablet  is offered it, on both devices", f"{offer}")
        self.tally.check(b"  transfer  " in self.desk.run("share", "pending").output, "desk    sees in a line what it is")
        self.row("accepts to where something is", self.desk, EXISTS, "share", "accept", offer["id"], "/taken.md")
        self.row("takes it over", self.desk, OK, "share", "accept", offer["id"])
        self.row("takes it over again", self.desk, EXISTS, "share", "accept", offer["id"])
        self.desk.sync()
        # Nobody has seen it but the server: all go on in what they have.
        self.row("writes in the old one", self.eve, OK, "write", "/theirs/eve.md", text=b"by eve\n")
        self.row("writes in the old one", self.phone, OK, "write", "/gift/plan.md", text=b"by ada\n")
        self.row("writes in the new one", self.desk, OK, "write", "/ours/bob.md", text=b"by bob\n")
        self.eve.sync()
        self.desk.sync()
        self.phone.sync()
        report = self.eve.sync()
        kinds = [(note["kind"], note["path"], note["detail"]) for note in report["notes"]]
        self.tally.check(kinds == [("transferred", "/theirs", "bob")], "eve     is told who owns it now", f"{report['notes']}")
        self.sync()
        for device, top in ((self.laptop, "/gift"), (self.phone, "/gift"), (self.desk, "/ours"), (self.tablet, "/ours"), (self.eve, "/theirs")):
            below = sorted(path.removeprefix(top + "/") for path in self.paths(device, top) if path != top)
            self.tally.check(below == ["bob.md", "deep", "deep/note.md", "eve.md", "plan.md"], f"{device.name:7} has what all wrote, in its place", f"{below}")
            self.reads(device, f"{top}/plan.md", b"by ada\n", "reads what was written last in the old one")
        shares = json.loads(self.tablet.run("share", "list", "/ours", "--json").output)
        self.tally.check([(s["username"], s["mode"]) for s in shares] == [("ada", "admin"), ("eve", "write")], "tablet  shares it with the others now", f"{shares}")
        self.row("takes it from the old owner", self.tablet, OK, "share", "revoke", "/ours", "ada")
        self.sync()
        self.tally.check("/gift" not in self.paths(self.laptop), "laptop  has nothing of it any more")
        self.row("takes its original from the trash", self.laptop, OK, "restore", f"id:{offer['id']}")
        self.sync()
        self.reads(self.laptop, "/gift/deep/note.md", b"deep\n", "has the original for itself")
        self.reads(self.eve, "/theirs/plan.md", b"by ada\n", "goes on with the new owner")
        # With another one in it, of which bob has nothing else.
        self.row("shares a part with bob", self.laptop, OK, "share", "new", "/group/deep", "bob", "--mode", "read")
        self.sync()
        self.row("accepts the part", self.desk, OK, "share", "accept", self.offer(self.desk)["id"], "/part")
        self.sync()
        self.row("gives away a share with another in it", self.laptop, OK, "share", "transfer", "/group", "eve")
        self.sync()
        self.tally.check(self.desk.run("share", "pending").output == b"", "desk    is offered nothing of it")
        self.row("takes over both", self.eve, OK, "share", "accept", self.offer(self.eve)["id"])
        for _ in range(2):
            self.sync()
        shares = json.loads(self.eve.run("share", "list", "--json").output)
        top = next(s["path"] for s in shares if s["username"] == "ada")
        told = sorted((s["path"].removeprefix(top), s["username"], s["mode"]) for s in shares if s["path"].startswith(top))
        self.tally.check(told == [("", "ada", "admin"), ("/deep", "bob", "read")], "eve     shares both with who had them", f"{shares}")
        self.row("writes in the part", self.eve, OK, "write", f"{top}/deep/new.md", text=b"by eve\n")
        self.sync()
        for device, part in ((self.desk, "/part"), (self.laptop, "/group/deep")):
            self.reads(device, f"{part}/new.md", b"by eve\n", "reads what its new owner wrote")

    def verifying(self) -> None:
        numbers = {
            self.laptop.run("share", "verify", "bob", "--confirm").output, self.tablet.run("share", "verify", "ada", "--confirm").output
        }
        self.tally.check(len(numbers) == 1 and len(numbers.pop().split()) == 12, "ada and bob see the same number")
        shares = json.loads(self.laptop.run("share", "list", "--json").output)
        self.tally.check([s["verified"] for s in shares if s["username"] == "bob"] == [True], "laptop  knows that bob is verified")
        self.sync()
        shares = json.loads(self.phone.run("share", "list", "--json").output)
        self.tally.check([s["verified"] for s in shares if s["username"] == "bob"] == [True], "phone   knows it too")

    def sound(self) -> None:
        for device in self.everybody:
            self.row("is sound", device, OK, "debug", "validate")
            report = device.sync()
            self.tally.check(not report["pulled"] and not report["pushed"], f"{device.name:7} has nothing left to sync", f"{report}")
            self.tally.check(report["traffic"]["requests"] == 1, f"{device.name:7} asks once when nothing is new", f"{report['traffic']}")


def main() -> int:
    tally = stage.Tally()
    with stage.scratch("sharing") as folder, stage.Server(folder / "server") as server:
        story = Story(folder, tally, server.url)
        try:
            story.begin()
            story.sharing()
            story.accepting()
            story.working()
            story.taking_back()
            story.verifying()
            story.nesting()
            story.leaving_a_share()
            story.administering()
            story.giving()
            story.sound()
        except stage.Failed as failure:
            tally.check(False, "the story", str(failure))
    return tally.end()


if __name__ == "__main__":
    sys.exit(main())
