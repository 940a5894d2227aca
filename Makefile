SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := build

PREFIX ?= /usr/local
DESTDIR ?=
# Where `install` takes the programs from.
PROGRAMS ?= .build/release
# Debian's own, for its python3-cryptography.
PYTHON ?= /usr/bin/python3
NOTES ?=
SEED ?= 1
SIZE_MB ?= 500

BUILD_PACKAGES := libsqlite3-dev libzstd-dev libpcre2-dev libreadline-dev libqrencode-dev libarchive-dev zlib1g-dev pkg-config
TEST_PACKAGES := libssl-dev openssl python3 python3-cryptography zstd tmux zsh fish mandoc strace diffutils git procps jq zbar-tools \
	faketime util-linux bsdutils unzip vim nano
BENCH_PACKAGES := python3 restic rclone
SCRIPT_TESTS := completion.py manual.sh install.sh demo.sh e2e.py reader_test.py canary.py future.py trouble.py night.py \
	shell.py automatic.py statuses.py schemas.py recipes.py qr.py purge.py sweep.py unsynced.py \
	rollback.py together.py editors.py awkward.py \
	merge_compare.py sharing.py inviting.py importers.py writers.py other_disks.py

# BoringSSL without optimisation takes a third of the time of the tests. One set of flags, or each would build everything anew.
DEBUG_FLAGS := -Xcc -O2
# All at once, as they begin by themselves, they had 20,000 files open and 4 GB in memory.
TEST_WIDTH := SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=24
# The tests in Swift run the first 200.
MORE_SEEDS := .build/debug/simulate --first 201 --seeds 1800 --workers 2

ZSH_FOLDER := $(if $(filter /usr,$(PREFIX)),share/zsh/vendor-completions,share/zsh/site-functions)
HERE := $(DESTDIR)$(PREFIX)
INSTALLED := bin/lockbook bin/lockbook-server \
	share/bash-completion/completions/lockbook \
	$(ZSH_FOLDER)/_lockbook \
	share/fish/vendor_completions.d/lockbook.fish \
	lib/systemd/user/lockbook-night.service \
	lib/systemd/user/lockbook-night.timer \
	lib/systemd/user/lockbook-sync.service \
	lib/systemd/user/lockbook-sync.timer \
	share/man/man1/lockbook.1 \
	share/man/man5/lockbook-config.5 \
	share/man/man8/lockbook-server.8

export LOCKBOOK LOCKBOOK_SERVER NOTES SEED
# Our libraries optimised in debug builds as well (Package.swift).
export LOCKBOOK_OPTIMISED := 1

# Shows two devices and a server at work, from nothing: installs, builds, runs, cleans up. NOTES=folder takes yours.
.PHONY: demo
demo: release
	Tests/EndToEnd/demo.sh

# Installs what the tests need, checks the style, builds, runs every test, and ends with the counts.
.PHONY: test
test:
	.ci/packages $(BUILD_PACKAGES) $(TEST_PACKAGES)
	$(MAKE) --no-print-directory lint
	Tests/Simulator/plant --check
	swift build --build-tests $(DEBUG_FLAGS)
	$(TEST_WIDTH) swift test --skip-build 2>&1 | tee .build/swift-test.log
	PYTHON=$(PYTHON) LOCKBOOK=$(CURDIR)/.build/debug/lockbook LOCKBOOK_SERVER=$(CURDIR)/.build/debug/lockbook-server \
		MERGE_TOOL=$(CURDIR)/.build/debug/merge-tool NOTES= BESIDE='$(MORE_SEEDS)' \
		Tests/EndToEnd/run .build/swift-test.log $(SCRIPT_TESTS)

# Merges every way in which two devices can change every tree of two and of three files; goes on where it stopped.
.PHONY: test-exhaustive
test-exhaustive:
	.ci/packages $(BUILD_PACKAGES)
	.ci/build-release tree-space
	.build/release/tree-space 2 --edits --twins --all
	.build/release/tree-space 3 --repeat 16 --state .build/tree-space-3

# Makes, deletes and purges 10,000 notes with the programs, and measures what is left of them.
.PHONY: test-purge
test-purge: release
	COUNT=10000 $(PYTHON) Tests/EndToEnd/purge.py

# Runs whole worlds of devices and a server against crashes and bad networks; SEEDS, FIRST, STATE=file to go on later,
# SHARING=1 for worlds of several accounts, with TRANSFERS=1 such in which shares get other owners, COMMANDS=1 for such in
# which people undo, restore and resolve, and DISK=1 for such in which they keep mirrors, and import.
.PHONY: simulate
simulate: SEEDS ?= 2000
simulate: FIRST ?= 1
simulate:
	.ci/packages $(BUILD_PACKAGES)
	.ci/build-release simulate
	.build/release/simulate $(if $(SHARING),--sharing) $(if $(TRANSFERS),--transfers) $(if $(COMMANDS),--commands) $(if $(DISK),--disk) --first $(FIRST) --seeds $(SEEDS) $(if $(STATE),--state $(STATE))

# Kills the programs at every call that changes something, fails each, and cuts the power; STEP=7 tries a seventh,
# STATE=file goes on where an earlier run with it stopped, FOR_SECONDS=number stops each of the two after that time.
.PHONY: test-crashes
test-crashes: STEP ?= 1
test-crashes: release
	.ci/packages $(TEST_PACKAGES)
	STEP=$(STEP) STATE=$(if $(STATE),$(STATE)) $(PYTHON) Tests/EndToEnd/sweep.py
	STEP=$(STEP) STATE=$(if $(STATE),$(STATE).unsynced) $(PYTHON) Tests/EndToEnd/unsynced.py

# Writes with eight accounts to one shared folder at the same time, 100 pushes each; WRITERS, PUSHES.
.PHONY: test-writers
test-writers: WRITERS ?= 8
test-writers: PUSHES ?= 100
test-writers: release
	WRITERS=$(WRITERS) PUSHES=$(PUSHES) PROGRAMS=$(PROGRAMS) $(PYTHON) Tests/EndToEnd/writers.py

# Eight kinds of processes at once on one data folder for a minute; FOR_SECONDS=number.
.PHONY: test-together
test-together: FOR_SECONDS ?= 60
test-together: release
	FOR_SECONDS=$(FOR_SECONDS) $(PYTHON) Tests/EndToEnd/together.py

# Plants bugs into a copy of the sources and lets the simulator find each of them.
.PHONY: planted-bugs
planted-bugs: SEEDS ?= 10000
planted-bugs:
	.ci/packages $(BUILD_PACKAGES) python3
	Tests/Simulator/plant --seeds $(SEEDS)

# Changes the code of merges and of the validator in one place at a time, and looks whether a test fails; ALL=1, SAMPLE, SEED.
.PHONY: mutants
mutants:
	.ci/packages $(BUILD_PACKAGES) $(TEST_PACKAGES)
	swift build --build-tests $(DEBUG_FLAGS)
	$(PYTHON) Tests/Mutants/mutants.py

# Builds everything for development.
.PHONY: build
build:
	.ci/packages $(BUILD_PACKAGES)
	swift build $(DEBUG_FLAGS)

# Builds the two programs as they are installed: optimised, with the Swift runtime inside, stripped.
.PHONY: release
release:
	.ci/packages $(BUILD_PACKAGES)
	.ci/build-release lockbook lockbook-server

# Checks the style of the Swift code; generated code is left out.
.PHONY: lint
lint:
	find Sources Tests Package.swift -name '*.swift' ! -name '*.pb.swift' -print0 | xargs -0 swift format lint --strict --parallel

# Rewrites the Swift code in our style; generated code is left out.
.PHONY: format
format:
	find Sources Tests Package.swift -name '*.swift' ! -name '*.pb.swift' -print0 | xargs -0 swift format --in-place --parallel

# Runs the tests, and checks that everything generated is what would be generated now.
.PHONY: check
check: test proto completions
	git diff --exit-code -- Sources completions man

# Records the main screens from the real program, into the README.
.PHONY: screens
screens: release
	$(PYTHON) Tests/EndToEnd/screens.py --write

# Measures beside restic, on this machine, and prints a table; WRITE=1 puts it into docs/BENCHMARKS.md.
.PHONY: bench
bench: release
	.ci/packages $(BENCH_PACKAGES)
	$(PYTHON) Tests/EndToEnd/bench.py $(if $(WRITE),--write) $(ONLY)

# Measures what somebody at a terminal waits for; NOTES=folder takes yours, WRITE=1 puts it into docs/BENCHMARKS.md.
.PHONY: bench-terminal
bench-terminal: release
	$(PYTHON) Tests/EndToEnd/bench_terminal.py $(if $(WRITE),--write) $(if $(NOTES),--notes $(NOTES))

# Measures how long it takes to share a folder of 10,000 notes, to receive it, and to take it back; WRITE=1.
.PHONY: bench-sharing
bench-sharing: release
	$(PYTHON) Tests/EndToEnd/bench_sharing.py $(if $(WRITE),--write)

# Edits, moves and deletes on two devices that are offline, then syncs; NOTES=folder takes yours, SEED=number draws others.
.PHONY: e2e
e2e: release
	$(PYTHON) Tests/EndToEnd/e2e.py

# Sends one large file through, also interrupted, and watches memory and traffic; SIZE_MB=number.
.PHONY: large
large: release
	$(PYTHON) Tests/EndToEnd/large.py --size-mb $(SIZE_MB)

# Makes a repository of merges that people made, out of Debian's source packages, for `merge-compare`; WANTED=number, RELEASES.
.PHONY: merge-history
merge-history:
	.ci/packages apt debian-archive-keyring dpkg-dev git patch python3 xz-utils
	$(PYTHON) Tests/EndToEnd/merge_history.py .build/merge-history

# Compares the merge of texts with git and diff3, then merges what was made to be slow; CASES, REAL, REPOSITORIES, SIZE_MB.
.PHONY: merge-compare
merge-compare: CASES ?= 20000
merge-compare: REAL ?= 500
merge-compare: MERGES ?= 5000
merge-compare: REPOSITORIES ?= $(shell ls -d .build/merge-history 2>/dev/null)
merge-compare: SIZE_MB := 1
merge-compare:
	.ci/packages $(BUILD_PACKAGES) git diffutils python3
	.ci/build-release merge-tool
	CASES=$(CASES) REAL=$(REAL) REPOSITORIES=$(REPOSITORIES) MERGE_TOOL=$(CURDIR)/.build/release/merge-tool \
		$(PYTHON) Tests/EndToEnd/merge_compare.py
	SIZE_MB=$(SIZE_MB) MERGE_TOOL=$(CURDIR)/.build/release/merge-tool $(PYTHON) Tests/EndToEnd/merge_hostile.py
	MERGES=$(MERGES) swift test $(DEBUG_FLAGS) --filter TextMergeStructuredDrawTests

# Generates the Swift code of the messages between client and server.
.PHONY: proto
proto:
	.ci/packages $(BUILD_PACKAGES) protobuf-compiler
	.ci/build-release protoc-gen-swift
	protoc --plugin=protoc-gen-swift=.build/release/protoc-gen-swift \
		--swift_opt=Visibility=Package --swift_opt=UseAccessLevelOnImports=true \
		--swift_out=Sources/LockbookAPI --proto_path=Sources/LockbookAPI lockbook.proto

# Writes the completion scripts into the program, which prints them for `lockbook completions`.
.PHONY: completions
completions:
	Tests/CommandTests/embed-completions

# Writes a page for every command, checks all pages, and puts them as plain text into .build/man; `make release` comes first.
.PHONY: man
man:
	.ci/packages mandoc
	rm -rf .build/man && mkdir -p .build/man
	man/pages $(PROGRAMS)/lockbook .build/man
	mandoc -T lint -W warning man/*.[0-9] .build/man/*.1
	for page in man/*.[0-9] .build/man/*.1; do mandoc -T utf8 "$$page" | sed 's/.\x08//g' >".build/man/$${page##*/}.txt"; done

# Puts programs, completions, man pages and the nightly timer under PREFIX (and DESTDIR); `make release` comes first.
.PHONY: install
install:
	@[[ -x $(PROGRAMS)/lockbook && -x $(PROGRAMS)/lockbook-server ]] || { echo "first: make release" >&2; exit 1; }
	install -D -m 755 $(PROGRAMS)/lockbook '$(HERE)/bin/lockbook'
	install -D -m 755 $(PROGRAMS)/lockbook-server '$(HERE)/bin/lockbook-server'
	install -D -m 644 completions/lockbook.bash '$(HERE)/share/bash-completion/completions/lockbook'
	install -D -m 644 completions/_lockbook '$(HERE)/$(ZSH_FOLDER)/_lockbook'
	install -D -m 644 completions/lockbook.fish '$(HERE)/share/fish/vendor_completions.d/lockbook.fish'
	install -D -m 644 contrib/systemd/lockbook-night.service '$(HERE)/lib/systemd/user/lockbook-night.service'
	install -D -m 644 contrib/systemd/lockbook-night.timer '$(HERE)/lib/systemd/user/lockbook-night.timer'
	install -D -m 644 contrib/systemd/lockbook-sync.service '$(HERE)/lib/systemd/user/lockbook-sync.service'
	install -D -m 644 contrib/systemd/lockbook-sync.timer '$(HERE)/lib/systemd/user/lockbook-sync.timer'
	install -D -m 644 man/lockbook.1 '$(HERE)/share/man/man1/lockbook.1'
	pages=$$(mktemp -d) && man/pages $(PROGRAMS)/lockbook "$$pages" && \
		install -m 644 "$$pages"/*.1 '$(HERE)/share/man/man1' && rm -rf "$$pages"
	install -D -m 644 man/lockbook-config.5 '$(HERE)/share/man/man5/lockbook-config.5'
	install -D -m 644 man/lockbook-server.8 '$(HERE)/share/man/man8/lockbook-server.8'

# Removes what `install` put there, with the same PREFIX and DESTDIR.
.PHONY: uninstall
uninstall:
	rm -f $(foreach file,$(INSTALLED),'$(HERE)/$(file)') '$(HERE)'/share/man/man1/lockbook-*.1

# Packs the programs, completions and man pages into a Debian package in .build, and lets lintian look at it.
.PHONY: deb
deb: release
	.ci/packages dpkg-dev lintian
	.ci/deb .build/release
	lintian --fail-on error,warning .build/lockbook_*.deb

# Installs that package in a new minimal Debian, uses it, removes it, and looks what is left; needs root and a mirror.
.PHONY: test-deb
test-deb: deb
	.ci/packages debootstrap util-linux
	Tests/EndToEnd/deb.sh .build/lockbook_*.deb .build/debian

# Removes everything that was built.
.PHONY: clean
clean:
	rm -rf .build
