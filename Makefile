# adhand: what a person types. `make run` and `make test` do everything on a fresh Debian with Swift, packages included.

SWIFT   ?= swift
RELEASE := .build/release
# The Swift runtime is linked in, so that the programs run on machines without Swift. The rest keeps the files small: code for size
# (the sums of a day are few; Benchmarks has the figures), no symbols kept for others to link against, no unwinding tables that
# nothing reads (Sources/release.ld), and relocations packed (which of the linkers here only GNU's bfd can do, and glibc 2.36 or
# newer understands).
# Nothing is writable and executable at once, which GNU's linker sees to unasked on amd64 alone (separate-code), and nothing that leads
# to functions stays writable (relro, now). Tests/package/hardening.py looks at what came of it.
LINKED  := --gc-sections -s --no-export-dynamic -z pack-relative-relocs -z separate-code -z relro -z now -T Sources/release.ld
# C code that names its file does not say where this checkout lies.
STATIC  := -c release --static-swift-stdlib -Xswiftc -Osize -Xswiftc -gnone -Xswiftc -use-ld=bfd -Xcc -DADHAND_STATIC \
	-Xcc -ffile-prefix-map=$(CURDIR)=. $(addprefix -Xlinker ,$(LINKED))
# Two executable files have all programs, as most of each would be Swift's runtime. The name when called decides which program runs.
FILES    := adhand adhan-programs
OTHERS   := adhan-companion adhan-display adhan-kiosk adhan-touch adhan-remote adhan-hotspot-dns adhan-bridge adhan-hooks adhan-fleet
PROGRAMS := adhand adhanctl $(OTHERS)
# For trials, installed nowhere, and built by them.
TOOLS    := simulate simulate-fleets
# $(call links,FOLDER,FILE,NAMES). An older build may have left a program where a link is to be.
define links
	@for n in $(3); do ln -sf $(2) "$(1)/$$n" || exit 1; done
endef

.PHONY: run build clean help deps run-deps test-deps laid-in \
	test trials test-all unit unit-beside unit-alone tests-built lint manuals units hardening promises interop display page faults first-frame pictures box box-card box-network box-scripts intake pairing phones remote-test walk bridge hooks fleet browser \
	clocks hostile damaged-logs simulate simulate-fleets mutants soak vm-test devices bridge-faults bridge-lies house-service fleet-service fleet-monitors fleet-guide fleet-rig house-rest sanitize display-test kiosk-test bench load outputs outputs-load sound-rig desktop-rig session-rig ha-rig \
	deb deb-test ramadan-rig film image image-test phase-test release release-again archive archive-phase archive-rings archive-sign archive-withdraw \
	install install-programs install-companion install-display install-remote install-bridge install-hooks install-fleet install-keyring install-box uninstall uninstall-companion uninstall-box

# Only what it runs, and unoptimised, which takes a third of the time: neither the companion nor the tests' programs. Without the index
# for editors, which takes an eighth; SwiftPM finds tests by it, so builds of tests have one.
RUN := adhand adhan-display-programs
run: run-deps ## Build adhand, adhanctl and the screen, and run them as you, with two seconds of sound
	@for p in $(RUN); do $(SWIFT) build --disable-index-store --product $$p || exit 1; done
	$(call links,.build/debug,adhand,adhanctl)
	$(call links,.build/debug,adhan-display-programs,adhan-display adhan-kiosk adhan-touch)
	@Tests/run.sh .build/debug

# Product by product: what `make run` alone builds is not linked as well.
build: deps ## Build every program into .build/release
	@for p in $(FILES); do $(SWIFT) build $(STATIC) --product $$p || exit 1; done
	$(call links,$(RELEASE),adhand,adhanctl)
	$(call links,$(RELEASE),adhan-programs,$(OTHERS))

# Two builds beside each other, since each is one compiler after another for half of its time. The one that only suites wait for, and
# all else that computes once the programs are there, lets others go first: so trials and suites that mostly wait run beside it. What
# promises something within a tenth of a second on a real screen or sound card has the machine to itself.
BESIDE := build tests-built lint units box intake manuals hardening unit-beside interop page phones pairing
test: test-deps deps ## Everything that is tried before a change is taken: 25 minutes, most of them for two builds
	@$(MAKE) --no-print-directory --jobs=6 --output-sync=target SWIFT="$(SWIFT)" TESTS=.build-tests $(BESIDE)
	@$(MAKE) --no-print-directory --jobs=1 SWIFT="$(SWIFT)" TESTS=.build-tests unit-alone first-frame
	@$(MAKE) --no-print-directory --jobs=1 SWIFT="$(SWIFT)" outputs

# Whole fleets, every picture, thousands of simulated boxes, and a house that is killed again and again.
trials: test-deps deps build ## The slower trials of fleets, pictures, the bridge and simulated boxes: half an hour
	@$(MAKE) --no-print-directory --jobs=2 --output-sync=target SWIFT="$(SWIFT)" promises fleet
	@$(MAKE) --no-print-directory --jobs=2 --output-sync=target SWIFT="$(SWIFT)" faults pictures
	@$(MAKE) --no-print-directory --jobs=2 --output-sync=target SWIFT="$(SWIFT)" bridge hooks

test-all: ## test, and then trials: before a release
	@$(MAKE) --no-print-directory SWIFT="$(SWIFT)" test
	@$(MAKE) --no-print-directory SWIFT="$(SWIFT)" trials

# Lets others go first, and still ends on a machine that others keep busy. The compilers that "swift build" starts have the ordinary
# priority again where they may take it, which root may: not without that right.
BEHIND := $(shell setpriv --bounding-set -sys_nice true 2>/dev/null && echo setpriv --bounding-set -sys_nice) nice -n 10
# The folder of the suites' build. Two builds in one folder would wait for each other.
TESTS ?= .build

# No index of the system's modules and nothing for a debugger, a tenth of the compiler's time.
QUICK := -Xswiftc -index-ignore-system-modules -Xswiftc -gnone

# The whole-program tests run the release binaries: they are what is installed. So of this build nothing but the tests is made, and
# no program. ADHAND_SUITES has what is tried optimised: the compiler needs longer by less than the suites are faster.
TEST_PRODUCT := adhandPackageTests
tests-built: test-deps ## Build the Swift suites
	$(if $(filter-out .build,$(TESTS)),$(BEHIND)) env ADHAND_SUITES=1 $(SWIFT) build --scratch-path $(TESTS) --product $(TEST_PRODUCT) \
		$(if $(filter-out .build,$(TESTS)),$(QUICK))

SUITES = @BUILD=$(TESTS) ADHAND_BIN=$(CURDIR)/$(RELEASE)/adhand ADHANCTL_BIN=$(CURDIR)/$(RELEASE)/adhanctl \
	COMPANION_BIN=$(CURDIR)/$(RELEASE)/adhan-companion ADHAN_DISPLAY_BIN=$(CURDIR)/$(RELEASE)/adhan-display \
	Tests/suites.sh
unit: build tests-built ## The Swift suites, with the released programs; UPDATE=1 writes the expected texts again
	$(SUITES)
unit-beside: build tests-built ## Those that compute, and those that wait for programs and buses
	$(SUITES) beside
unit-alone: build tests-built ## Those that have the machine to themselves: the screen, sounds, the daemon
	$(SUITES) alone

# Two thousand boxes live through three days of faults each; `make simulate` takes them through years.
promises: build ## 2,000 simulated boxes through three days of faults each, and 50 fleets
	@for p in $(TOOLS); do $(BEHIND) $(SWIFT) build $(STATIC) --product $$p || exit 1; done
	$(BEHIND) $(RELEASE)/simulate --seeds 2000 --days 3
	$(BEHIND) $(RELEASE)/simulate-fleets --fleets 50 --boxes 40 --days 4

# A Varlink client that nobody here wrote talks to the daemon, two calendar libraries read the calendar files, and a package of
# its own uses the products Protocol and ControlClient.
interop: build ## Varlink and calendar libraries of others, and a program that uses the products
	SWIFT="$(SWIFT)" $(BEHIND) Tests/interop/run.sh $(RELEASE)

# The screen drawn by a real browser: every scene, every language and every shape at least once (all combinations of them, and some in
# Firefox, by `make display-test`; KEEP=folder keeps the pictures), the page through faults, and the adhan's first frame by the clock.
BROWSER_PACKAGES := chromium-headless-shell fonts-liberation fonts-noto-core fonts-hosny-amiri python3 zbar-tools
KEEP ?=
display: first-frame page faults pictures ## The screen in a real browser: first-frame, page, faults and pictures
browser: build ## Install the browser for the trials of the screen, if it is missing
	@Tests/install-packages.sh $(BROWSER_PACKAGES)
page: browser ## The screen's page in a browser
	Tests/display/page.py $(RELEASE)/adhan-display
	Tests/display/content.py $(RELEASE)/adhan-display
	Tests/display/said.py $(RELEASE)/adhan-display
	Tests/display/access.py $(RELEASE)/adhan-display
	Tests/display/repaints.py $(RELEASE)/adhan-display
	Tests/display/set_up.py $(RELEASE)/adhan-touch $(RELEASE)/adhan-display $(if $(KEEP),--keep $(KEEP))
faults: browser ## The screen's page while servers and networks fail
	Tests/display/faults.py $(RELEASE)/adhan-display
first-frame: browser ## The screen turns to the adhan with its first sound
	Tests/display/zero.py $(RELEASE)
pictures: browser ## Every scene, language and shape; KEEP=folder keeps the pictures
	Tests/display/render.py $(RELEASE)/adhan-display $(if $(KEEP),--keep $(KEEP))

display-test: build ## All pictures in two browsers
	@Tests/install-packages.sh $(BROWSER_PACKAGES) firefox-esr
	Tests/display/render.py $(RELEASE)/adhan-display --all $(if $(KEEP),--keep $(KEEP))
	Tests/display/render.py $(RELEASE)/adhan-display --firefox $(if $(KEEP),--keep $(KEEP)/firefox)
	Tests/display/repaints.py $(RELEASE)/adhan-display --processor

# The session of a display of its own, with the real compositor and browser, killed in every way: five minutes.
kiosk-test: build ## The display's own session with the real compositor and browser, killed in every way
	@Tests/install-packages.sh $(BROWSER_PACKAGES) cage xwayland chromium
	Tests/display/touch.py $(RELEASE)/adhan-touch $(RELEASE)/adhan-display
	Tests/display/policy.py Resources/display/kiosk.json
	Tests/display/kiosk.py $(RELEASE)/adhan-kiosk $(RELEASE)/adhan-display

# What a flashed box takes over from its card, on a folder; its network, mixers and upgrades, and the archive that they come from.
box: box-card box-network box-scripts ## A flashed box's card, network, mixers, upgrades and their archive, on folders
box-card: build ## What a flashed box takes over from its card, on a folder
	@Tests/install-packages.sh python3 jq openssh-client
	Tests/box/card.py $(RELEASE)
box-network: build ## When a flashed box makes its own network, and how it joins another one
	@Tests/install-packages.sh python3 jq
	Tests/box/hotspot.py $(RELEASE)
box-scripts: build ## The mixers and upgrades of a flashed box, and the archive that they come from
	@Tests/install-packages.sh python3 jq $(ARCHIVE_PACKAGES)
	Tests/box/scripts.py
	Tests/archive/quick.py

# What people send from a phone, right and wrong, beside a real adhand.
intake: build ## Recordings, timetables and pictures of people, right and wrong
	Tests/remote/intake.py $(RELEASE)

# Phones by the command line, with a browser's requests on the other side, and how phones ask whether there is an internet.
pairing: build ## Phones are paired by adhanctl remote, claim a new box, and are led to its page: half a minute
	Tests/remote/pairing.py $(RELEASE)
	Tests/remote/claim.py $(RELEASE)
	Tests/remote/probes.py $(RELEASE)

# People with a phone, from pairing to the set-up. In Firefox, too, by `make remote-test`.
phones: browser ## A phone pairs, mutes, sets, sends a recording and sets a box up, in a real browser
	Tests/remote/people.py $(RELEASE) --only chromium

# Every page of the phone page drawn, in four languages and two widths, and the walk that the guide shows; KEEP=folder keeps the pictures.
remote-test: browser walk ## The phone page in two browsers, all its pages, a network of its own (as root), and walk
	@Tests/install-packages.sh firefox-esr caddy curl iproute2
	Tests/remote/people.py $(RELEASE)
	Tests/remote/network.py $(RELEASE)
	Tests/remote/pictures.py $(RELEASE) $(if $(KEEP),--keep $(KEEP) --sheets $(KEEP))

# The way of somebody with a card and a phone. KEEP=folder keeps the sheets, as docs/pictures has them, and each picture in steps/.
walk: browser test-deps ## A new box, its screen and a phone, from the first page to the board; KEEP=folder
	@Tests/install-packages.sh iproute2 jq
	Tests/remote/walk.py $(RELEASE) $(if $(KEEP),--keep $(KEEP)/steps --sheets $(KEEP))

# The bridge beside a real adhand, broker, web server and mail program, killed in between: two minutes.
bridge: build test-deps ## The bridge beside a real adhand and broker, killed in between
	Tests/bridge/trial.py $(RELEASE)/adhand $(RELEASE)/adhan-bridge

# Hooks beside a real adhand, both killed in between: four minutes, most of them waiting for adhans.
hooks: build ## Hooks and a relay beside a real adhand, killed in between
	Tests/hooks/trial.py $(RELEASE)/adhand $(RELEASE)/adhan-hooks

# Real adhands with three loudspeakers each, of which one is dead, hangs or comes back: a minute.
outputs: build test-deps ## Real adhands with three loudspeakers, one of them dead, hanging or late
	Tests/outputs/trial.py $(RELEASE)/adhand

# Keys, signatures and refusals, with openssl on the other side, and a box that is killed around its envelopes.
fleet: build test-deps ## Keys and envelopes of a fleet, with openssl on the other side, and a box that takes them
	@Tests/install-packages.sh zbar-tools
	Tests/fleet/trial.py $(RELEASE)/adhan-fleet
	Tests/fleet/box.py $(RELEASE)
	Tests/fleet/link.py $(RELEASE)/adhand $(RELEASE)/adhan-bridge $(RELEASE)/adhan-fleet
	Tests/fleet/watch.py $(RELEASE)/adhan-fleet $(RELEASE)/adhand $(RELEASE)/adhan-bridge
	Tests/fleet/published.py $(RELEASE)/adhan-fleet
	Tests/fleet/rollout.py $(RELEASE)/adhan-fleet
	Tests/fleet/enrol.py $(RELEASE)/adhan-fleet
	Tests/fleet/join.py $(RELEASE)/adhand $(RELEASE)/adhan-bridge $(RELEASE)/adhan-fleet
	Tests/fleet/leave.py $(RELEASE)/adhand $(RELEASE)/adhan-bridge $(RELEASE)/adhan-fleet

# Half an hour, with every core busy for most of it.
outputs-load: test-deps ## How far apart outputs start with every core busy, and a real Snapcast beside them
	@Tests/install-packages.sh snapserver snapclient
	Benchmarks/outputs.sh
	Tests/outputs/snapcast.py .build-bench/release/bench-playback

# What an attacker, a power cut or a careless hand does to the released programs, and 100,000 damaged files of Imager (the suite
# reads 10,000 of them every day): three minutes.
hostile: build tests-built ## Attackers, power cuts, careless hands and damaged cards: three minutes
	Tests/hostile/run.sh $(RELEASE)
	Tests/remote/trial.py $(RELEASE)
	Tests/remote/pairing.py $(RELEASE)
	ADHAND_FUZZ=100000 $(TESTS)/debug/$(TEST_PRODUCT).xctest --testing-library swift-testing --filter '^CoreTests\.ImagerFuzzTests'

# The suite does it with some hundred.
damaged-logs: test-deps ## The companion under ten thousand damaged logs: four minutes
	$(SWIFT) build --build-tests
	DAMAGED_LOGS=10000 $(SWIFT) test --skip-build --filter '^CompanionTests\.DamagedLogTests'

# The manual pages against what the programs say of themselves.
manuals: test-deps build ## The manual pages against what the programs say of themselves
	Tests/package/manuals.py $(RELEASE)

# The units as they are written: none of them stays ended.
units: ## The systemd units and this Makefile, as they are written
	@Tests/package/units.py
	@Tests/package/makefile.py

# No way in that a linker can close, and by each name its own program.
hardening: test-deps build ## The programs as the linker left them, and by which names they are called
	Tests/package/hardening.py $(FILES:%=$(RELEASE)/%)
	Tests/package/called.py $(RELEASE)

lint: ## The form of the sources, who may import whom, and plain words in all texts
	@Tests/words.py
	@for check in Tests/lint/*.py; do $$check || exit 1; done
	$(SWIFT) format lint --strict --parallel --recursive Package.swift Sources Tests

# Years of faults around the daemon's decisions; a failing seed tells its story and how to run it again.
SEEDS ?= 1000
DAYS  ?= 365
FIRST ?= 1
simulate: ## Simulated years of faults; SEEDS=1000 DAYS=365 FIRST=1
	$(SWIFT) build -c release --scratch-path .build-bench --product simulate
	.build-bench/release/simulate --seeds $(SEEDS) --days $(DAYS) --first $(FIRST)

# Fleets with faults, and an oracle that knows who was heard; a failing seed is run again with FLEETS=1 FIRST=seed.
FLEETS ?= 1000
BOXES  ?= 200
simulate-fleets: DAYS := 30
simulate-fleets: ## A thousand simulated fleets of 200 boxes for 30 days; FLEETS=1000 BOXES=200 FIRST=1
	$(SWIFT) build -c release --scratch-path .build-bench --product simulate-fleets
	.build-bench/release/simulate-fleets --fleets $(FLEETS) --boxes $(BOXES) --days $(DAYS) --first $(FIRST)

# The simulator and the tests are tried on sources that are broken on purpose: an hour.
mutants: ## Break the sources on purpose and see that it is noticed: an hour
	Tests/mutants/run.py

# Thousands of announcements and 100,000 requests in half an hour, then rest: does anything grow, come late, or not rest?
# SOAK=0.01 takes two minutes.
SOAK ?= 1
soak: build test-deps ## Half an hour of heavy use, and what grew; SOAK=0.01 takes two minutes
	Tests/soak/soak.py $(RELEASE) --scale $(SOAK)

# The clock set, the machine put to sleep, the card pulled out and the power cut, on an emulated machine: 15 minutes.
VM_PACKAGES := qemu-system-x86 busybox-static cpio kmod mmdebstrap e2fsprogs python3
vm-test: build ## Clocks set, sleep, cards pulled and power cuts on an emulated machine: 15 minutes
	@Tests/install-packages.sh $(VM_PACKAGES)
	Tests/vm/run.py $(RELEASE)

# Wrong certificates, names that hang, a full disk, and death at each of forty changes of its files.
bridge-faults: build test-deps ## The bridge while certificates, names and disks fail: fifteen minutes
	Tests/bridge/faults.py $(RELEASE)/adhand $(RELEASE)/adhan-bridge

# Packets of any size, promises of nothing, reasons that nobody knows, and words by which libmosquitto ends the program.
bridge-lies: build test-deps ## The bridge beside twenty brokers that lie: two minutes
	Tests/bridge/lies.py $(RELEASE)/adhand $(RELEASE)/adhan-bridge

house-service: build test-deps ## The bridge and the hooks as services of a real systemd: one minute
	@Tests/install-packages.sh systemd-container iproute2 procps
	Tests/bridge/service.sh $(RELEASE)

fleet-service: build test-deps ## The watch over a fleet as a service of a real systemd: two minutes
	@Tests/install-packages.sh systemd-container iproute2 procps mosquitto mosquitto-clients
	Tests/fleet/service.sh $(RELEASE)

# promtool and amtool, and a real Prometheus and Alertmanager beside the watch.
fleet-monitors: build test-deps ## The watch over a fleet under a real Prometheus and Alertmanager: six minutes
	@Tests/install-packages.sh prometheus prometheus-alertmanager mosquitto mosquitto-clients
	Tests/fleet/monitors.py $(RELEASE)/adhan-fleet

# Ten minutes, once more for the packages of Debian, which are kept under .build-package. SUITES_TESTED="trixie" for Debian 13.
fleet-guide: deb ## Every command of docs/FLEET.md, in its order, in a fresh Debian with a box
	@Tests/install-packages.sh mmdebstrap systemd-container iproute2
	for s in $(or $(SUITES_TESTED),bookworm); do Tests/fleet/guide.sh $$s || exit 1; done

# 10,000 boxes as raw sessions, and twenty real ones. BOXES=1000 is a smaller fleet.
fleet-rig: BOXES := 10000
fleet-rig: build test-deps ## Ten thousand boxes on one broker and one watch: fifteen minutes
	@Tests/install-packages.sh mosquitto mosquitto-clients
	Tests/fleet/rig.py $(RELEASE)/adhand $(RELEASE)/adhan-bridge $(RELEASE)/adhan-fleet $(BOXES)

# On a quiet machine.
house-rest: build test-deps ## Memory and wake-ups of the bridge and the hooks while nothing happens: three minutes
	Tests/bridge/rest.py $(RELEASE)/adhand $(RELEASE)/adhan-bridge $(RELEASE)/adhan-hooks

# Lines, a television and keys that the kernel makes up, on the same machine: pressed, watched, pulled out and put back.
devices: build ## Relays by GPIO, a television by CEC and buttons on an emulated machine: five minutes
	@Tests/install-packages.sh $(VM_PACKAGES) gcc libc6-dev xz-utils
	Tests/vm/devices.py $(RELEASE)

# The whole program under the thread and the address sanitizer, and 200,000 damaged messages; any report is a failure.
sanitize: test-deps ## The programs under the thread and address sanitizers
	Tests/sanitize.sh $(SWIFT)

# Measured as the compiler does its best, not for size: in a build folder of its own.
bench: build test-deps ## How fast and how small the programs are
	@Tests/install-packages.sh libitl-dev mpd cron
	Benchmarks/bench.sh
	Benchmarks/footprint.sh

# The suites and trials by other clocks than the machine's: six times of day, a leap day and changes of the clock among them. Three
# hours; CLOCKS=2028-02-29T12:00Z is one of them. Tests/clocks.sh says which trials are left out, and why.
CLOCKS ?=
clocks: browser test-deps ## The tests at six other times of day and year: three hours; CLOCKS=2028-02-29T12:00Z is one
	@Tests/install-packages.sh jq openssh-client
	$(SWIFT) build --build-tests
	@SWIFT="$(SWIFT)" ADHAND_BIN=$(CURDIR)/$(RELEASE)/adhand ADHANCTL_BIN=$(CURDIR)/$(RELEASE)/adhanctl \
	    COMPANION_BIN=$(CURDIR)/$(RELEASE)/adhan-companion ADHAN_DISPLAY_BIN=$(CURDIR)/$(RELEASE)/adhan-display \
	    Tests/clocks.sh $(RELEASE) $(CLOCKS)

# Ten minutes of playing with every core busy.
load: test-deps ## Ten minutes of playing with every core busy
	Benchmarks/load.sh

# Playing through real sound servers that lose their sinks, stop and die. Two hundred megabytes of packages, so not in `make test`.
sound-rig: test-deps ## Playing through real sound servers that fail
	@Tests/install-packages.sh pulseaudio pulseaudio-utils libasound2-plugins
	ADHAND_SOUND_RIG=1 $(SWIFT) test --filter '^SoundRigTests\.'

# The companion on a real desktop's notification server, pressed by its own tool, and in real status bars; pictures go to
# dist/desktop.
desktop-rig: build ## The companion on real notification servers and status bars
	@Tests/install-packages.sh dunst notify-osd xvfb dbus-bin dbus-daemon imagemagick python3 polybar i3blocks conky-std tmux waybar sway grim
	Tests/desktop/run.py $(RELEASE)
	Tests/desktop/bars.py $(RELEASE)

# adhand in a session, through a real PipeWire that is switched, held up and killed.
session-rig: build ## adhand in a session with a real PipeWire
	@Tests/install-packages.sh pipewire pipewire-pulse wireplumber pulseaudio-utils dbus-daemon python3
	Tests/desktop/session.py $(RELEASE)

# The blueprints in a real Home Assistant; HA_HOME is a Python environment that has it. A thousand runs take a night; RUNS=20 for a look.
RUNS    ?= 1000
HA_HOME ?= .build-home
ha-rig: build ## The blueprints in a real Home Assistant; HA_HOME has it, RUNS=20 for a look
	@Tests/install-packages.sh mosquitto mosquitto-clients python3
	Tests/home/rig.py --runs $(RUNS) --home $(HA_HOME) --release $(RELEASE)

# From the comments behind the targets. GROUPS are the lines of .PHONY, in their order.
help: ## Show this
	@awk -v groups='Run;Test;Test at length;Packages;Install' ' \
	    FNR == NR { if (sub(/^\.PHONY: /, "") || listed) { listed = /\\$$/; sub(/\\$$/, ""); lines[++count] = $$0 } next } \
	    match($$0, /^[a-z-]+:.* ## /) { name = $$0; sub(/:.*/, "", name); if (!(name in does)) does[name] = substr($$0, RSTART + RLENGTH) } \
	    END { \
	        split(groups, titles, ";"); \
	        for (i = 1; i <= count; i++) { \
	            print (i > 1 ? "\n" : "") titles[i] ":"; \
	            many = split(lines[i], names, " "); \
	            for (j = 1; j <= many; j++) printf "  %-20s  %s\n", names[j], does[names[j]] } }' Makefile Makefile

clean: ## Remove everything that was built
	rm -rf --one-file-system .build .build-* dist

RUN_LIBRARIES := libasound2-dev libmpg123-dev libqrencode-dev libsystemd-dev zlib1g-dev pkg-config
LIBRARIES     := $(RUN_LIBRARIES) libsqlite3-dev libmosquitto-dev libcurl4-openssl-dev libsodium-dev
TEST_PACKAGES := $(LIBRARIES) gcc libc6-dev make python3 dbus-daemon python3-venv tzdata mpg123 mandoc \
	mosquitto mosquitto-clients openssl

# Nothing is installed that is there; what is not, and why it is needed, is said before.
define libraries
	@pkg-config --exists $(1) 2>/dev/null || { \
	    echo 'adhand is built with ALSA, libmpg123, libsystemd, zlib and, for the companion, SQLite, for the display libqrencode, for the bridge libmosquitto and libcurl, for a fleet libsodium. Headers of these are missing here, so'; \
	    echo 'these Debian packages are installed with apt-get: $(2). To do it yourself: sudo apt-get install $(2)'; \
	    Tests/install-packages.sh $(2); }
endef

run-deps: laid-in ## Install the libraries that make run is built with, if they are missing
	$(call libraries,alsa libmpg123 libqrencode libsystemd zlib,$(RUN_LIBRARIES))

deps: laid-in ## Install the libraries that the programs are built with, if they are missing
	$(call libraries,alsa libcurl libmosquitto libmpg123 libqrencode libsodium libsystemd sqlite3 zlib,$(LIBRARIES))

laid-in: ## Have SwiftPM see files that are laid into the programs
	@# SwiftPM does not see what is laid into these files, and would keep an old list of towns, and old tables of languages.
	@[ ! Sources/CPlaces/places.bin -nt Sources/CPlaces/places.S ] || touch Sources/CPlaces/places.S
	@for f in Resources/display/page/languages/*.json; do \
	    [ ! $$f -nt Sources/CLanguages/languages.S ] || touch Sources/CLanguages/languages.S; done
	@# Nor what the linker goes by.
	@for p in $(FILES); do [ ! Sources/release.ld -nt $(RELEASE)/$$p ] || rm -f $(RELEASE)/$$p; done

test-deps: ## Install what the tests need besides, if it is missing
	@Tests/install-packages.sh $(TEST_PACKAGES)

# --- Debian package ---------------------------------------------------------------------------------------------------
# make deb: dist/adhand_<version>_<architecture>.deb and the others, for Debian 12 and newer, on an amd64 or arm64 machine for itself.
# make deb ARCH=arm64 builds them on an amd64 machine for arm64 (debian/cross). BUILD=+1 makes such that replace others of the same
# version.

# Where the apt archive lives, as https://HOST/FOLDER: set here, once, by whoever publishes it. While it is empty no archive and no
# adhand-archive-keyring is made.
ARCHIVE_URL  ?=
# The address of the folder where images are published, such as https://HOST/FOLDER.
IMAGE_URL    ?=
# The archive's folder on the machine that signs. ARCHIVE/public is what a web server serves.
ARCHIVE      ?= archive
ARCHIVE_PACKAGES := reprepro gnupg dpkg-dev
VERSION      := $(shell sed -n 's/.*adhandVersion = "\(.*\)"/\1/p' Sources/Texts/Version.swift)
DEB_PACKAGES := $(LIBRARIES) build-essential debhelper dpkg-dev lintian
CROSS_PACKAGES := dpkg-dev mmdebstrap python3
OWN_ARCH     := $(shell dpkg --print-architecture 2>/dev/null)
ARCH         ?= $(OWN_ARCH)
DEBS          = $(foreach p,adhand adhand-programs adhand-companion adhand-display adhand-remote adhand-bridge adhand-hooks adhand-fleet,dist/$p_$(VERSION)$(BUILD)_$(ARCH).deb) \
	$(foreach p,adhand-box $(if $(ARCHIVE_URL),adhand-archive-keyring),dist/$p_$(VERSION)$(BUILD)_all.deb)

deb: ## Debian packages in dist; ARCH=arm64 builds them for arm64
ifeq ($(ARCH),$(OWN_ARCH))
	@Tests/install-packages.sh $(DEB_PACKAGES)
	@debian/changelog.sh $(VERSION)$(BUILD) > debian/changelog.new && mv debian/changelog.new debian/changelog
	@mkdir -p dist
	$(if $(ARCHIVE_URL),DEB_BUILD_PROFILES=pkg.adhand.archive) dpkg-buildpackage --build=binary --no-sign --buildinfo-file=dist/adhand.buildinfo --buildinfo-option=-udist \
	    --changes-file=dist/adhand.changes --changes-option=-udist
	lintian --fail-on error,warning $(DEBS)
	@ls -l $(DEBS)
else ifeq ($(ARCH),arm64)
	@Tests/install-packages.sh $(CROSS_PACKAGES)
	debian/cross/deb.sh $(VERSION)$(BUILD) $(FILES)
else
	@echo 'make deb ARCH=$(ARCH): packages are built for arm64, and for a machine itself' >&2; exit 1
endif

# The packages on a fresh Debian 12 and 13 with a real systemd. SUITES_TESTED="trixie" for one. With ARCH=arm64 on an amd64 machine:
# under emulation, and on an emulated machine. PARTS="programs times suites machine" are the parts of that.
EMULATION_PACKAGES := qemu-user-static qemu-system-arm qemu-utils cpio kmod xz-utils e2fsprogs libasound2-dev
PARTS ?=
ifeq ($(ARCH),$(OWN_ARCH))
deb-test: deb ## The packages on fresh Debian systems
	@Tests/install-packages.sh mmdebstrap systemd-container gcc libc6-dev
	Tests/package/run.sh
else
deb-test: build deb
	@Tests/install-packages.sh $(CROSS_PACKAGES) $(EMULATION_PACKAGES)
	Tests/arm64/run.sh $(RELEASE) $(PARTS)
endif

# The first evening and day of Ramadan at a mosque with a timetable, by a clock that is ahead, in the same kind of container.
ramadan-rig: deb film ## Ramadan at a mosque: its first day in a container, and filmed on the wall
	@Tests/install-packages.sh mmdebstrap systemd-container gcc libc6-dev libasound2-dev
	Tests/package/ramadan.sh

# Fifteen minutes; KEEP=folder keeps the frames.
film: browser ## Ramadan and both Eids on the screen of a real adhand, second by second
	@Tests/install-packages.sh gcc libc6-dev libasound2-dev
	Tests/display/film.py $(RELEASE) $(if $(KEEP),--keep $(KEEP))

# --- Card image -------------------------------------------------------------------------------------------------------
# make image [ARCH=arm64] [DISPLAY=1]: dist/adhan-box_<version>_<architecture>.img for a Raspberry Pi, or with ARCH=amd64 for a PC,
# from dist's packages of that architecture. 150 to 480 MB are fetched once, and kept under .build-image. For a Raspberry Pi there is a
# packed image as well, and a list by which Imager offers it; IMAGE_URL is the address of the folder where both will be published.

IMAGE_ARCH := $(if $(filter command environment,$(firstword $(origin ARCH))),$(ARCH),arm64)
IMAGE_PACKAGES := mmdebstrap squashfs-tools mtools dosfstools e2fsprogs fdisk xz-utils device-tree-compiler
image: ## The card of a box in dist; ARCH=arm64 or amd64, DISPLAY=1 with the screen
	@Tests/install-packages.sh $(IMAGE_PACKAGES) $(if $(filter $(shell dpkg --print-architecture),$(IMAGE_ARCH)),,qemu-user-static arch-test)
	IMAGE_URL="$(IMAGE_URL)" image/make.sh $(IMAGE_ARCH) $(if $(filter 1,$(DISPLAY)),display)

# The image under QEMU: configured by its FAT partition from outside, called on time, its power cut CUTS times at random moments.
# What was tried is kept in .build-image, and a run that was broken off goes on. DISPLAY=1: the image with the screen, which is photographed.
CUTS ?= 50
image-test: ## The card under QEMU, its power cut CUTS times
	@Tests/install-packages.sh $(IMAGE_PACKAGES) $(ARCHIVE_PACKAGES) python3 openssh-client iw zstd $(if $(filter arm64,$(IMAGE_ARCH)),qemu-system-arm,qemu-system-x86 qemu-utils ovmf)
	Tests/box/run.py dist/adhan-box$(if $(filter 1,$(DISPLAY)),-display)_$(VERSION)_$(IMAGE_ARCH).img --cuts $(CUTS)

# 1,000 machines of every ring, wrong keys, old indices and packages that are not ours, with the apt of Debian 12 and 13.
phase-test: ## The apt archive: rings, keys and indices with the apt of Debian 12 and 13
	@Tests/install-packages.sh $(ARCHIVE_PACKAGES) mmdebstrap jq
	Tests/archive/phase.py

# All that is published of the last commit, in dist/release; IMAGE=0 leaves the card's image out. Then the archive, where there is an
# address for it. release-again makes the release once more and compares: by RESOLVED, the Package.resolved of the release, also in a year.
RESOLVED ?=
release: ## All that is published of the last commit, in dist/release, and the apt archive
	@Tests/install-packages.sh git $(DEB_PACKAGES) $(CROSS_PACKAGES)
	ARCHIVE_URL="$(ARCHIVE_URL)" IMAGE_URL="$(IMAGE_URL)" debian/release.sh dist/release $(RESOLVED)
ifeq ($(ARCHIVE_URL),)
	@echo 'There is no apt archive: to have one, set ARCHIVE_URL in the Makefile to the address where it will live (docs/RELEASING.md).'
else
	@$(MAKE) --no-print-directory archive
endif

release-again: ## Make the release once more and compare; RESOLVED=FILE is the Package.resolved of the release
	ARCHIVE_URL="$(ARCHIVE_URL)" IMAGE_URL="$(IMAGE_URL)" debian/release.sh dist/release-again $(or $(RESOLVED),$(wildcard dist/release/Package.resolved))
	diff -r dist/release dist/release-again && echo 'twice the same bytes'

# docs/RELEASING.md says when.
archive: ## The packages of dist/release into the signed apt archive, for 1 % of the machines
	@[ -n "$(ARCHIVE_URL)" ] || { echo 'ARCHIVE_URL in the Makefile is empty: set it to the address where the archive will live (docs/RELEASING.md)' >&2; exit 1; }
	@Tests/install-packages.sh $(ARCHIVE_PACKAGES)
	debian/archive.sh publish $(ARCHIVE) dist/release

archive-phase: ## The archive's newest version for PERCENT of the machines: 10, 50, 100
	debian/archive.sh phase $(ARCHIVE) $(PERCENT)

RINGS        ?= 1 10 50 100
archive-rings: ## Signed indices of two versions for a fleet's server; RINGS has the percentages
	debian/archive.sh rings $(ARCHIVE) $(RINGS)

archive-sign: ## Sign the archive's index again, which is needed daily
	debian/archive.sh sign $(ARCHIVE)

archive-withdraw: ## Emergency stop: take the newest version out of the archive
	debian/archive.sh withdraw $(ARCHIVE)

# --- Installing -------------------------------------------------------------------------------------------------------
# make install [PREFIX=/usr/local] [DESTDIR=]: DESTDIR collects the tree for a package and leaves the machine alone.

PREFIX      ?= /usr/local
BINDIR      ?= $(PREFIX)/bin
LIBEXECDIR  ?= $(PREFIX)/libexec
PROGRAMDIR  ?= $(PREFIX)/lib/adhand
DATADIR     ?= $(PREFIX)/share
MANDIR      ?= $(DATADIR)/man
DOCDIR      ?= $(DATADIR)/doc/adhand
SYSCONFDIR  ?= /etc
UNITDIR     ?= $(PREFIX)/lib/systemd/system
USERUNITDIR ?= $(PREFIX)/lib/systemd/user
SYSUSERSDIR ?= $(PREFIX)/lib/sysusers.d
RULESDIR    ?= $(PREFIX)/lib/udev/rules.d
TMPFILESDIR ?= $(PREFIX)/lib/tmpfiles.d
CATALOGDIR  ?= $(PREFIX)/lib/systemd/catalog
BASHDIR     ?= $(DATADIR)/bash-completion/completions
ZSHDIR      ?= $(DATADIR)/zsh/site-functions
FISHDIR     ?= $(DATADIR)/fish/vendor_completions.d
INSTALL     ?= install
# What runs the programs, where they are another machine's.
EMULATOR    ?=
# Empty where the file of the programs is installed on its own, as in a package.
WITH_FILE   ?= install-programs
SOUNDS      := signal.mp3 $(wildcard Resources/audio/standard/*.mp3 Resources/audio/standard-ar/*.mp3)
SOUNDS      := $(patsubst Resources/audio/%,%,$(SOUNDS)) LICENSE README.md SHA256SUMS
INSTALLED    = $(BINDIR)/adhand $(BINDIR)/adhanctl $(UNITDIR)/adhand.service $(UNITDIR)/adhand.socket $(UNITDIR)/adhand-again.timer \
	$(USERUNITDIR)/adhand.service $(USERUNITDIR)/adhand.socket $(USERUNITDIR)/adhand-again.timer \
	$(SYSUSERSDIR)/adhand.conf $(TMPFILESDIR)/adhand.conf $(CATALOGDIR)/adhand.catalog \
	$(MANDIR)/man8/adhand.8 $(MANDIR)/man1/adhanctl.1 $(MANDIR)/man5/adhand.toml.5 \
	$(foreach p,adhand adhanctl,$(BASHDIR)/$p $(ZSHDIR)/_$p $(FISHDIR)/$p.fish)


# $(call again,SERVICE,PAGE,DIRECTORY): the timer that tries a service again which found a file that is not valid.
again = sed -e 's|@SERVICE@|$(1)|g' -e 's|@PAGE@|$(2)|g' systemd/again.timer > "$(DESTDIR)$(3)/$(1)-again.timer" && \
	chmod 644 "$(DESTDIR)$(3)/$(1)-again.timer"

# $(call install_links,FOLDER,NAMES): to the file of the programs.
define install_links
	$(INSTALL) -d -m 755 "$(DESTDIR)$(1)"
	@for n in $(2); do ln -srfn "$(DESTDIR)$(PROGRAMDIR)/adhan-programs" "$(DESTDIR)$(1)/$$n" || exit 1; done
endef

COMPANION_INSTALLED = $(BINDIR)/adhan-companion $(BINDIR)/prayed $(USERUNITDIR)/adhan-companion.service \
	$(USERUNITDIR)/adhan-companion-again.timer \
	$(MANDIR)/man1/adhan-companion.1 $(MANDIR)/man1/prayed.1 \
	$(BASHDIR)/adhan-companion $(ZSHDIR)/_adhan-companion $(FISHDIR)/adhan-companion.fish

DISPLAYED    = $(BINDIR)/adhan-display $(UNITDIR)/adhan-display.service $(UNITDIR)/adhan-display.socket \
	$(UNITDIR)/adhan-display-lan.socket $(UNITDIR)/adhan-display-again.timer $(SYSUSERSDIR)/adhan-display.conf $(MANDIR)/man8/adhan-display.8 \
	$(LIBEXECDIR)/adhan-kiosk $(UNITDIR)/adhan-kiosk.service $(MANDIR)/man8/adhan-kiosk.8 \
	$(LIBEXECDIR)/adhan-touch $(UNITDIR)/adhan-touch.socket $(UNITDIR)/adhan-touch@.service

# Built by whoever owns the checkout: under sudo only the copying is left, and Swift need not be on root's path.
$(RELEASE)/adhand $(RELEASE)/adhanctl $(RELEASE)/adhan-programs:
	@test -x $@ || { echo 'make install: $@ is not there; run "make build" first' >&2; exit 1; }

install-programs: $(RELEASE)/adhan-programs ## The file to which the programs beside adhand are links; the targets below install it as well
	$(INSTALL) -D -m 755 $(RELEASE)/adhan-programs "$(DESTDIR)$(PROGRAMDIR)/adhan-programs"

install: $(RELEASE)/adhand $(RELEASE)/adhanctl ## adhand and adhanctl under PREFIX (/usr/local); DESTDIR for a package
	$(INSTALL) -D -m 755 $(RELEASE)/adhand "$(DESTDIR)$(BINDIR)/adhand"
	ln -sf adhand "$(DESTDIR)$(BINDIR)/adhanctl"
	@for f in $(SOUNDS); do \
	    $(INSTALL) -D -m 644 "Resources/audio/$$f" "$(DESTDIR)$(DATADIR)/adhand/audio/$$f" || exit 1; done
	$(INSTALL) -d -m 755 "$(DESTDIR)$(UNITDIR)"
	sed -e 's|@BINDIR@|$(BINDIR)|g' -e 's|@DATADIR@|$(DATADIR)|g' systemd/adhand.service \
	    > "$(DESTDIR)$(UNITDIR)/adhand.service"
	@chmod 644 "$(DESTDIR)$(UNITDIR)/adhand.service"
	$(INSTALL) -m 644 systemd/adhand.socket "$(DESTDIR)$(UNITDIR)/adhand.socket"
	@$(call again,adhand,adhand(8),$(UNITDIR))
	$(INSTALL) -d -m 755 "$(DESTDIR)$(USERUNITDIR)"
	sed -e 's|@BINDIR@|$(BINDIR)|g' -e 's|@DATADIR@|$(DATADIR)|g' systemd/adhand-user.service \
	    > "$(DESTDIR)$(USERUNITDIR)/adhand.service"
	@chmod 644 "$(DESTDIR)$(USERUNITDIR)/adhand.service"
	$(INSTALL) -m 644 systemd/adhand-user.socket "$(DESTDIR)$(USERUNITDIR)/adhand.socket"
	@$(call again,adhand,adhand(8),$(USERUNITDIR))
	$(INSTALL) -D -m 644 systemd/adhand.sysusers "$(DESTDIR)$(SYSUSERSDIR)/adhand.conf"
	$(INSTALL) -D -m 644 systemd/adhand.tmpfiles "$(DESTDIR)$(TMPFILESDIR)/adhand.conf"
	$(INSTALL) -D -m 644 systemd/adhand.catalog "$(DESTDIR)$(CATALOGDIR)/adhand.catalog"
	$(INSTALL) -D -m 644 docs/man/adhand.8 "$(DESTDIR)$(MANDIR)/man8/adhand.8"
	$(INSTALL) -D -m 644 docs/man/adhanctl.1 "$(DESTDIR)$(MANDIR)/man1/adhanctl.1"
	$(INSTALL) -D -m 644 docs/man/adhand.toml.5 "$(DESTDIR)$(MANDIR)/man5/adhand.toml.5"
	@$(INSTALL) -d -m 755 "$(DESTDIR)$(BASHDIR)" "$(DESTDIR)$(ZSHDIR)" "$(DESTDIR)$(FISHDIR)"
	@for p in adhand adhanctl; do \
	    $(EMULATOR) $(RELEASE)/$$p --generate-completion-script bash | sed '1{/^#!/d}' > "$(DESTDIR)$(BASHDIR)/$$p" && \
	    $(EMULATOR) $(RELEASE)/$$p --generate-completion-script zsh > "$(DESTDIR)$(ZSHDIR)/_$$p" && \
	    $(EMULATOR) $(RELEASE)/$$p --generate-completion-script fish > "$(DESTDIR)$(FISHDIR)/$$p.fish" || exit 1; done
	@for f in README.md CHANGELOG.md $(wildcard docs/*.md); do \
	    $(INSTALL) -D -m 644 "$$f" "$(DESTDIR)$(DOCDIR)/$$f" || exit 1; done
	@$(INSTALL) -D -m 644 Resources/adhand.toml "$(DESTDIR)$(DATADIR)/adhand/adhand.toml"
ifeq ($(DESTDIR),)
	@systemd/register.sh "$(SYSUSERSDIR)/adhand.conf" "$(TMPFILESDIR)/adhand.conf" "$(UNITDIR)/adhand.service"
endif

# For the person at a desktop: of the daemon nothing is needed.
install-companion: $(WITH_FILE) ## The companion for a desktop
	$(call install_links,$(BINDIR),adhan-companion)
	ln -sf adhan-companion "$(DESTDIR)$(BINDIR)/prayed"
	$(INSTALL) -d -m 755 "$(DESTDIR)$(USERUNITDIR)"
	sed -e 's|@BINDIR@|$(BINDIR)|g' systemd/adhan-companion.service > "$(DESTDIR)$(USERUNITDIR)/adhan-companion.service"
	@chmod 644 "$(DESTDIR)$(USERUNITDIR)/adhan-companion.service"
	@$(call again,adhan-companion,adhan-companion(1),$(USERUNITDIR))
	$(INSTALL) -D -m 644 docs/man/adhan-companion.1 "$(DESTDIR)$(MANDIR)/man1/adhan-companion.1"
	ln -sf adhan-companion.1 "$(DESTDIR)$(MANDIR)/man1/prayed.1"
	@$(INSTALL) -d -m 755 "$(DESTDIR)$(BASHDIR)" "$(DESTDIR)$(ZSHDIR)" "$(DESTDIR)$(FISHDIR)"
	@p=adhan-companion; \
	    $(EMULATOR) $(RELEASE)/$$p --generate-completion-script bash | sed '1{/^#!/d}' > "$(DESTDIR)$(BASHDIR)/$$p" && \
	    $(EMULATOR) $(RELEASE)/$$p --generate-completion-script zsh > "$(DESTDIR)$(ZSHDIR)/_$$p" && \
	    $(EMULATOR) $(RELEASE)/$$p --generate-completion-script fish > "$(DESTDIR)$(FISHDIR)/$$p.fish"

# The file of the programs stays where another of them does.
uninstall-companion: ## Remove the companion
	@for f in $(COMPANION_INSTALLED); do rm -fv "$(DESTDIR)$$f"; done
	@for p in $(OTHERS); do [ ! -e "$(DESTDIR)$(BINDIR)/$$p" ] || exit 0; done; rm -fv "$(DESTDIR)$(PROGRAMDIR)/adhan-programs"

# The prayer screen for browsers: a program of its own.
install-display: $(WITH_FILE) ## The screen
	$(call install_links,$(BINDIR),adhan-display)
	$(call install_links,$(LIBEXECDIR),adhan-kiosk adhan-touch)
	@cd Resources/display/page && for f in *.html *.css *.js *.svg *.webmanifest languages/*.json; do \
	    $(INSTALL) -D -m 644 "$$f" "$(DESTDIR)$(DATADIR)/adhand/display/$$f" || exit 1; done
	$(INSTALL) -D -m 644 Resources/display/kiosk.json "$(DESTDIR)$(DATADIR)/adhand/kiosk/adhand.json"
# Empty: adhan-kiosk.service alone sees its browser's policy there.
	$(INSTALL) -d -m 755 "$(DESTDIR)/etc/chromium/policies/managed"
	$(INSTALL) -d -m 755 "$(DESTDIR)$(UNITDIR)"
	sed -e 's|@BINDIR@|$(BINDIR)|g' -e 's|@DATADIR@|$(DATADIR)|g' systemd/adhan-display.service \
	    > "$(DESTDIR)$(UNITDIR)/adhan-display.service"
	@for f in adhan-kiosk.service adhan-touch@.service; do \
	    sed -e 's|@LIBEXECDIR@|$(LIBEXECDIR)|g' -e 's|@DATADIR@|$(DATADIR)|g' systemd/$$f > "$(DESTDIR)$(UNITDIR)/$$f" && \
	    chmod 644 "$(DESTDIR)$(UNITDIR)/$$f" || exit 1; done
	@chmod 644 "$(DESTDIR)$(UNITDIR)/adhan-display.service"
	@$(call again,adhan-display,adhan-display(8),$(UNITDIR))
	$(INSTALL) -m 644 systemd/adhan-display.socket systemd/adhan-display-lan.socket systemd/adhan-touch.socket "$(DESTDIR)$(UNITDIR)/"
	$(INSTALL) -D -m 644 systemd/adhan-display.sysusers "$(DESTDIR)$(SYSUSERSDIR)/adhan-display.conf"
	$(INSTALL) -D -m 644 docs/man/adhan-display.8 "$(DESTDIR)$(MANDIR)/man8/adhan-display.8"
	$(INSTALL) -D -m 644 docs/man/adhan-kiosk.8 "$(DESTDIR)$(MANDIR)/man8/adhan-kiosk.8"
ifeq ($(DESTDIR),)
	@if command -v systemd-sysusers >/dev/null; then systemd-sysusers "$(SYSUSERSDIR)/adhan-display.conf"; fi
	@if [ -d /run/systemd/system ]; then systemctl daemon-reload; fi
	@echo 'Installed. Start it, now and with the machine:  sudo systemctl enable --now adhan-display'
endif

REMOTE       = $(BINDIR)/adhan-remote $(LIBEXECDIR)/adhan-hotspot-dns $(UNITDIR)/adhan-remote.service $(UNITDIR)/adhan-remote.socket \
	$(UNITDIR)/adhan-remote-pairing.socket $(UNITDIR)/adhan-remote-again.timer $(UNITDIR)/adhan-intake.socket \
	$(UNITDIR)/adhan-intake@.service $(UNITDIR)/adhan-remote-setup.socket $(UNITDIR)/adhan-hotspot-dns.socket \
	$(UNITDIR)/adhan-hotspot-dns.service $(SYSUSERSDIR)/adhan-remote.conf $(TMPFILESDIR)/adhan-remote.conf \
	$(DATADIR)/adhand/adhan-remote.dnssd $(MANDIR)/man8/adhan-remote.8

# The phone page: a program of its own, and off until it is enabled.
install-remote: $(WITH_FILE) ## The phone page
	$(call install_links,$(BINDIR),adhan-remote)
	$(call install_links,$(LIBEXECDIR),adhan-hotspot-dns)
	$(INSTALL) -d -m 755 "$(DESTDIR)$(UNITDIR)"
	@for f in adhan-remote.service adhan-intake@.service adhan-hotspot-dns.service; do \
	    sed -e 's|@BINDIR@|$(BINDIR)|g' -e 's|@LIBEXECDIR@|$(LIBEXECDIR)|g' systemd/$$f > "$(DESTDIR)$(UNITDIR)/$$f" && \
	    chmod 644 "$(DESTDIR)$(UNITDIR)/$$f" || exit 1; done
	@$(call again,adhan-remote,adhan-remote(8),$(UNITDIR))
	$(INSTALL) -m 644 systemd/adhan-remote.socket systemd/adhan-remote-pairing.socket systemd/adhan-remote-setup.socket systemd/adhan-intake.socket \
	    systemd/adhan-hotspot-dns.socket "$(DESTDIR)$(UNITDIR)/"
	$(INSTALL) -D -m 644 systemd/adhan-remote.sysusers "$(DESTDIR)$(SYSUSERSDIR)/adhan-remote.conf"
	$(INSTALL) -D -m 644 systemd/adhan-remote.tmpfiles "$(DESTDIR)$(TMPFILESDIR)/adhan-remote.conf"
	$(INSTALL) -D -m 644 systemd/adhan-remote.dnssd "$(DESTDIR)$(DATADIR)/adhand/adhan-remote.dnssd"
	$(INSTALL) -D -m 644 docs/man/adhan-remote.8 "$(DESTDIR)$(MANDIR)/man8/adhan-remote.8"
ifeq ($(DESTDIR),)
	@if command -v systemd-sysusers >/dev/null; then systemd-sysusers "$(SYSUSERSDIR)/adhan-remote.conf"; \
	    systemd-tmpfiles --create "$(TMPFILESDIR)/adhan-remote.conf"; fi
	@if [ -d /run/systemd/system ]; then systemctl daemon-reload; fi
	@echo 'Installed. Turn it on, now and with the machine:  sudo adhanctl remote enable'
endif

BRIDGE       = $(BINDIR)/adhan-bridge $(UNITDIR)/adhan-bridge.service $(UNITDIR)/adhan-bridge-again.timer \
	$(foreach u,adhan-messages.socket adhan-messages.path adhan-messages@.service,$(UNITDIR)/$u) \
	$(SYSUSERSDIR)/adhan-bridge.conf $(MANDIR)/man8/adhan-bridge.8 \
	$(BASHDIR)/adhan-bridge $(ZSHDIR)/_adhan-bridge $(FISHDIR)/adhan-bridge.fish

# MQTT, Home Assistant, alerts: a program of its own, and off until its file exists.
install-bridge: $(WITH_FILE) ## MQTT, Home Assistant and alerts
	$(call install_links,$(BINDIR),adhan-bridge)
	$(INSTALL) -d -m 755 "$(DESTDIR)$(UNITDIR)"
	@for u in adhan-bridge.service adhan-messages.socket adhan-messages.path adhan-messages@.service; do \
	    sed -e 's|@BINDIR@|$(BINDIR)|g' "systemd/$$u" > "$(DESTDIR)$(UNITDIR)/$$u" && chmod 644 "$(DESTDIR)$(UNITDIR)/$$u" || exit 1; done
	@$(call again,adhan-bridge,adhan-bridge(8),$(UNITDIR))
	$(INSTALL) -D -m 644 systemd/adhan-bridge.sysusers "$(DESTDIR)$(SYSUSERSDIR)/adhan-bridge.conf"
	$(INSTALL) -D -m 644 docs/man/adhan-bridge.8 "$(DESTDIR)$(MANDIR)/man8/adhan-bridge.8"
	$(INSTALL) -D -m 644 systemd/adhan-bridge-mail.conf "$(DESTDIR)$(DATADIR)/adhand/bridge/mail.conf"
	@for f in $(notdir $(wildcard Resources/homeassistant/*.yaml)); do \
	    $(INSTALL) -D -m 644 "Resources/homeassistant/$$f" \
	        "$(DESTDIR)$(DATADIR)/adhand/homeassistant/blueprints/automation/adhand/$$f" || exit 1; done
	@$(INSTALL) -d -m 755 "$(DESTDIR)$(BASHDIR)" "$(DESTDIR)$(ZSHDIR)" "$(DESTDIR)$(FISHDIR)"
	@p=adhan-bridge; \
	    $(EMULATOR) $(RELEASE)/$$p --generate-completion-script bash | sed '1{/^#!/d}' > "$(DESTDIR)$(BASHDIR)/$$p" && \
	    $(EMULATOR) $(RELEASE)/$$p --generate-completion-script zsh > "$(DESTDIR)$(ZSHDIR)/_$$p" && \
	    $(EMULATOR) $(RELEASE)/$$p --generate-completion-script fish > "$(DESTDIR)$(FISHDIR)/$$p.fish"
ifeq ($(DESTDIR),)
	@if command -v systemd-sysusers >/dev/null; then systemd-sysusers "$(SYSUSERSDIR)/adhan-bridge.conf"; fi
	@if [ -d /run/systemd/system ]; then systemctl daemon-reload; fi
	@echo 'Installed. Write /etc/adhand/bridge.toml (docs/HOME.md), then:  sudo systemctl enable --now adhan-bridge'
	@echo 'For messages that are set on the phone page:                    sudo systemctl enable --now adhan-messages.socket adhan-messages.path'
endif

HOOKS        = $(BINDIR)/adhan-hooks $(UNITDIR)/adhan-hooks.service $(UNITDIR)/adhan-hooks-again.timer \
	$(SYSUSERSDIR)/adhan-hooks.conf $(RULESDIR)/70-adhan-hooks.rules $(MANDIR)/man8/adhan-hooks.8 \
	$(BASHDIR)/adhan-hooks $(ZSHDIR)/_adhan-hooks $(FISHDIR)/adhan-hooks.fish

# Programs and relays: a program of its own, and off until its file exists.
install-hooks: $(WITH_FILE) ## Programs that run, and amplifiers that switch, for the adhan
	$(call install_links,$(BINDIR),adhan-hooks)
	$(INSTALL) -d -m 755 "$(DESTDIR)$(UNITDIR)"
	sed -e 's|@BINDIR@|$(BINDIR)|g' systemd/adhan-hooks.service > "$(DESTDIR)$(UNITDIR)/adhan-hooks.service"
	@chmod 644 "$(DESTDIR)$(UNITDIR)/adhan-hooks.service"
	@$(call again,adhan-hooks,adhan-hooks(8),$(UNITDIR))
	$(INSTALL) -D -m 644 systemd/adhan-hooks.sysusers "$(DESTDIR)$(SYSUSERSDIR)/adhan-hooks.conf"
	$(INSTALL) -D -m 644 systemd/adhan-hooks.rules "$(DESTDIR)$(RULESDIR)/70-adhan-hooks.rules"
	$(INSTALL) -D -m 644 docs/man/adhan-hooks.8 "$(DESTDIR)$(MANDIR)/man8/adhan-hooks.8"
	@$(INSTALL) -d -m 755 "$(DESTDIR)$(BASHDIR)" "$(DESTDIR)$(ZSHDIR)" "$(DESTDIR)$(FISHDIR)"
	@p=adhan-hooks; \
	    $(EMULATOR) $(RELEASE)/$$p --generate-completion-script bash | sed '1{/^#!/d}' > "$(DESTDIR)$(BASHDIR)/$$p" && \
	    $(EMULATOR) $(RELEASE)/$$p --generate-completion-script zsh > "$(DESTDIR)$(ZSHDIR)/_$$p" && \
	    $(EMULATOR) $(RELEASE)/$$p --generate-completion-script fish > "$(DESTDIR)$(FISHDIR)/$$p.fish"
ifeq ($(DESTDIR),)
	@if command -v systemd-sysusers >/dev/null; then systemd-sysusers "$(SYSUSERSDIR)/adhan-hooks.conf"; fi
	@if [ -d /run/udev ]; then touch -c "$(RULESDIR)/70-adhan-hooks.rules"; udevadm control --reload; udevadm trigger --action=change --subsystem-match=gpio --subsystem-match=input; fi
	@if [ -d /run/systemd/system ]; then systemctl daemon-reload; fi
	@echo 'Installed. Write /etc/adhand/hooks.toml (docs/HOME.md), then:  sudo systemctl enable --now adhan-hooks'
endif

FLEET        = $(BINDIR)/adhan-fleet $(foreach u,adhan-fleet.service adhan-fleet-again.timer adhan-fleet-reload.path adhan-fleet-reload.service,$(UNITDIR)/$u) \
	$(SYSUSERSDIR)/adhan-fleet.conf $(TMPFILESDIR)/adhan-fleet.conf $(MANDIR)/man1/adhan-fleet.1 \
	$(BASHDIR)/adhan-fleet $(ZSHDIR)/_adhan-fleet $(FISHDIR)/adhan-fleet.fish

# For the machines of whoever looks after many boxes: the one with the keys, and the server.
install-fleet: $(WITH_FILE) ## Keys, signatures and the watch for a fleet of boxes
	$(call install_links,$(BINDIR),adhan-fleet)
	$(INSTALL) -d -m 755 "$(DESTDIR)$(UNITDIR)"
	sed -e 's|@BINDIR@|$(BINDIR)|g' systemd/adhan-fleet.service > "$(DESTDIR)$(UNITDIR)/adhan-fleet.service"
	$(INSTALL) -m 644 systemd/adhan-fleet-reload.path systemd/adhan-fleet-reload.service "$(DESTDIR)$(UNITDIR)/"
	@chmod 644 "$(DESTDIR)$(UNITDIR)/adhan-fleet.service"
	@$(call again,adhan-fleet,adhan-fleet(1),$(UNITDIR))
	$(INSTALL) -D -m 644 systemd/adhan-fleet.sysusers "$(DESTDIR)$(SYSUSERSDIR)/adhan-fleet.conf"
	$(INSTALL) -D -m 644 systemd/adhan-fleet.tmpfiles "$(DESTDIR)$(TMPFILESDIR)/adhan-fleet.conf"
	$(INSTALL) -D -m 644 docs/man/adhan-fleet.1 "$(DESTDIR)$(MANDIR)/man1/adhan-fleet.1"
	@$(INSTALL) -d -m 755 "$(DESTDIR)$(BASHDIR)" "$(DESTDIR)$(ZSHDIR)" "$(DESTDIR)$(FISHDIR)"
	@p=adhan-fleet; \
	    $(EMULATOR) $(RELEASE)/$$p --generate-completion-script bash | sed '1{/^#!/d}' > "$(DESTDIR)$(BASHDIR)/$$p" && \
	    $(EMULATOR) $(RELEASE)/$$p --generate-completion-script zsh > "$(DESTDIR)$(ZSHDIR)/_$$p" && \
	    $(EMULATOR) $(RELEASE)/$$p --generate-completion-script fish > "$(DESTDIR)$(FISHDIR)/$$p.fish"
ifeq ($(DESTDIR),)
	@if command -v systemd-sysusers >/dev/null; then systemd-sysusers "$(SYSUSERSDIR)/adhan-fleet.conf"; \
	    systemd-tmpfiles --create "$(TMPFILESDIR)/adhan-fleet.conf"; fi
	@if [ -d /run/systemd/system ]; then systemctl daemon-reload; fi
	@echo 'Installed. On the server:  sudo adhan-fleet init --org NAME --broker URL, then:  sudo systemctl enable --now adhan-fleet'
endif

# The archive's keys, its address, and how far it may go.
install-keyring: ## Keys, source and preferences of the apt archive; DESTDIR for a package
	@[ -n "$(ARCHIVE_URL)" ] || { echo 'ARCHIVE_URL in the Makefile is empty: set it to the address where the archive will live (docs/RELEASING.md)' >&2; exit 1; }
	$(INSTALL) -d -m 755 "$(DESTDIR)/usr/share/keyrings" "$(DESTDIR)/etc/apt/sources.list.d" "$(DESTDIR)/etc/apt/preferences.d"
	debian/archive.sh keyring "$(DESTDIR)/usr/share/keyrings/adhand-archive-keyring.pgp"
	sed 's|@ARCHIVE_URL@|$(ARCHIVE_URL)|' debian/archive-files/adhand.sources > "$(DESTDIR)/etc/apt/sources.list.d/adhand.sources"
	$(INSTALL) -m 644 debian/archive-files/adhand.preferences "$(DESTDIR)/etc/apt/preferences.d/adhand"
	@chmod 644 "$(DESTDIR)/usr/share/keyrings/adhand-archive-keyring.pgp" "$(DESTDIR)/etc/apt/sources.list.d/adhand.sources"

# What makes a Debian of its own into a box that is flashed, configured by its card, and pulled from the wall.
BOX          = $(DESTDIR)/usr/lib/adhand-box
# Units to which a box adds something.
BOX_DROP_INS = adhand.service adhan-remote.service adhan-remote.socket adhan-remote-setup.socket adhan-remote-pairing.socket adhan-touch@.service adhan-kiosk.service adhan-display.service \
	adhan-hooks.service wpa_supplicant@wlan0.service
install-box: ## What makes a Debian system a flashed box
	$(INSTALL) -d -m 755 "$(BOX)"
	$(INSTALL) -m 755 box/*.sh "$(BOX)/"
	$(INSTALL) -m 644 box/lib/* "$(BOX)/"
	$(INSTALL) -d -m 755 "$(DESTDIR)$(UNITDIR)"
	$(INSTALL) -m 644 box/units/* "$(DESTDIR)$(UNITDIR)/"
	@for u in $(BOX_DROP_INS); do \
	    $(INSTALL) -D -m 644 "box/drop-ins/$$u.conf" "$(DESTDIR)$(UNITDIR)/$$u.d/adhan-box.conf" || exit 1; done
	$(INSTALL) -D -m 644 box/drop-ins/journald.conf "$(DESTDIR)/usr/lib/systemd/journald.conf.d/adhan-box.conf"
	$(INSTALL) -D -m 644 box/drop-ins/resolved.conf "$(DESTDIR)/usr/lib/systemd/resolved.conf.d/10-adhan-box.conf"
	$(INSTALL) -D -m 644 box/drop-ins/watchdog.conf "$(DESTDIR)/usr/lib/systemd/system.conf.d/adhan-box.conf"
	$(INSTALL) -D -m 644 box/drop-ins/sysctl.conf "$(DESTDIR)/usr/lib/sysctl.d/60-adhan-box.conf"
	$(INSTALL) -D -m 644 box/drop-ins/sysusers.conf "$(DESTDIR)/usr/lib/sysusers.d/adhan-box.conf"
	@for f in wired.network wireless.network wireless.link; do \
	    $(INSTALL) -D -m 644 box/drop-ins/$$f "$(DESTDIR)/usr/lib/systemd/network/40-adhan-box-$$f" || exit 1; done
	$(INSTALL) -D -m 644 box/drop-ins/udev.rules "$(DESTDIR)/usr/lib/udev/rules.d/91-adhan-box.rules"
	$(INSTALL) -D -m 755 box/initramfs/hook "$(DESTDIR)/usr/share/initramfs-tools/hooks/adhan-box"
	$(INSTALL) -D -m 755 box/initramfs/local-bottom "$(DESTDIR)/usr/share/initramfs-tools/scripts/local-bottom/adhan-box"
	$(INSTALL) -D -m 644 box/card/wifi.txt "$(DESTDIR)/usr/share/adhand-box/card/wifi.txt"
	$(INSTALL) -D -m 644 box/card/box.txt "$(DESTDIR)/usr/share/adhand-box/card/box.txt"
	$(INSTALL) -D -m 644 box/card/sounds/readme.txt "$(DESTDIR)/usr/share/adhand-box/card/sounds/readme.txt"
	{ cat box/card/header.txt; sed '1,/^$$/d' Resources/adhand.toml; } > "$(DESTDIR)/usr/share/adhand-box/card/adhand.toml"
	@chmod 644 "$(DESTDIR)/usr/share/adhand-box/card/adhand.toml"
ifeq ($(DESTDIR),)
	@if command -v systemd-sysusers >/dev/null; then systemd-sysusers /usr/lib/sysusers.d/adhan-box.conf; fi
endif

BOX_INSTALLED = $(patsubst box/units/%,$(UNITDIR)/%,$(wildcard box/units/*)) \
	$(foreach u,$(BOX_DROP_INS),$(UNITDIR)/$u.d/adhan-box.conf) \
	/usr/lib/systemd/journald.conf.d/adhan-box.conf /usr/lib/systemd/resolved.conf.d/10-adhan-box.conf \
	/usr/lib/systemd/system.conf.d/adhan-box.conf /usr/lib/sysctl.d/60-adhan-box.conf /usr/lib/sysusers.d/adhan-box.conf \
	$(foreach f,wired.network wireless.network wireless.link,/usr/lib/systemd/network/40-adhan-box-$f) \
	/usr/lib/udev/rules.d/91-adhan-box.rules \
	/usr/share/initramfs-tools/hooks/adhan-box /usr/share/initramfs-tools/scripts/local-bottom/adhan-box
uninstall-box: ## Remove what install-box installed
ifeq ($(DESTDIR),)
	@if [ -d /run/systemd/system ]; then systemctl disable --now $(filter-out %@.service,$(notdir $(wildcard box/units/*))) || true; fi
endif
	@for f in $(BOX_INSTALLED); do rm -fv "$(DESTDIR)$$f"; done
	@for u in $(BOX_DROP_INS); do rmdir "$(DESTDIR)$(UNITDIR)/$$u.d" 2>/dev/null || true; done
	rm -rf "$(BOX)" "$(DESTDIR)/usr/share/adhand-box"
ifeq ($(DESTDIR),)
	@if [ -d /run/systemd/system ]; then systemctl daemon-reload; fi
endif

# The configuration in /etc/adhand, the added sounds and the history in /var/lib/adhand, and the user that owns them stay.
uninstall: ## Remove adhand, the screen and the companion; settings and history stay
ifeq ($(DESTDIR),)
	@if [ -d /run/systemd/system ]; then systemctl disable --now adhan-fleet-reload.path adhan-fleet.service adhan-hooks.service adhan-messages.socket adhan-messages.path adhan-bridge.service adhan-remote.socket adhan-remote-pairing.socket adhan-intake.socket \
	    adhan-remote.service adhan-kiosk.service adhan-touch.socket adhan-display-lan.socket adhan-display.socket adhan-display.service adhand.socket adhand.service || true; fi
endif
	@for f in $(INSTALLED) $(DISPLAYED) $(REMOTE) $(BRIDGE) $(HOOKS) $(FLEET) $(COMPANION_INSTALLED) $(PROGRAMDIR)/adhan-programs; do rm -fv "$(DESTDIR)$$f"; done
	@rmdir "$(DESTDIR)$(PROGRAMDIR)" 2>/dev/null || true
	rm -rf "$(DESTDIR)$(DATADIR)/adhand" "$(DESTDIR)$(DOCDIR)"
	@rm -fv "$(DESTDIR)$(SYSCONFDIR)/systemd/dnssd/adhan-remote.dnssd"
	@rmdir "$(DESTDIR)$(SYSCONFDIR)/adhand" 2>/dev/null || true
	@rmdir -p "$(DESTDIR)/etc/chromium/policies/managed" 2>/dev/null || true
ifeq ($(DESTDIR),)
	@if [ -d /run/systemd/system ]; then systemctl daemon-reload; journalctl --update-catalog; fi
	@echo 'Kept: /etc/adhand (configuration) and /var/lib/adhand (added sounds, history). Remove them yourself if you want to.'
endif
