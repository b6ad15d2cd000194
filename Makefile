# adhand: what a person types. `make run` and `make test` do everything on a fresh Debian with Swift, packages included.

SWIFT   ?= swift
# Where the apt archive lives, as https://HOST/FOLDER: set here, once, by whoever publishes it. While it is empty no archive and no
# adhand-archive-keyring is made.
ARCHIVE_URL  ?=
# The address of the folder where images are published, such as https://HOST/FOLDER.
IMAGE_URL    ?=
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
	test released trials test-all unit unit-beside unit-alone unit-programs random-cases unoptimised tests-built lint manuals units hardening promises interop display page faults first-frame outputs pictures box box-card box-network box-scripts intake pairing phones remote-test walk bridge hooks fleet browser \
	clocks hostile damaged-logs simulate simulate-fleets mutants soak vm-test devices bridge-faults bridge-lies house-service fleet-service fleet-monitors fleet-guide fleet-rig house-rest sanitize display-test kiosk-test bench load outputs-load sound-rig desktop-rig session-rig ha-rig \
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

# One build, of the suites and of the programs unoptimised: so trials that mostly wait for programs run while the suites are compiled.
# What computes shares the cores with what waits for programs and buses; then follow those that promise something within seconds.
UNOPTIMISED := TESTS=.build-tests BIN=.build-tests/debug
STAGE = $(MAKE) --no-print-directory --output-sync=target SWIFT="$(SWIFT)"
test: test-deps deps ## Everything that is tried before a change is taken: 13 minutes
	+@$(STAGE) --jobs=5 $(UNOPTIMISED) tests-built lint units manuals box intake pairing
	+@$(STAGE) --jobs=2 $(UNOPTIMISED) -o unoptimised -o tests-built unit-beside browser
	+@$(STAGE) --jobs=3 $(UNOPTIMISED) -o unoptimised -o tests-built -o browser unit-alone outputs first-frame

# What is installed is another build: optimised for size, linked against a Swift of its own.
RELEASED := TESTS=.build-tests
released: test-deps deps ## What starts programs, as they are installed, and their pages in a browser: 15 minutes
	+@$(STAGE) --jobs=4 $(RELEASED) build tests-built interop hardening manuals box intake pairing page phones
	+@$(STAGE) --jobs=1 $(RELEASED) -o build -o tests-built unit-programs
	+@$(STAGE) --jobs=2 $(RELEASED) -o build -o browser outputs first-frame
	+@$(STAGE) $(RELEASED) -o build -o tests-built random-cases

# Whole fleets, every picture, thousands of simulated boxes, and a house that is killed again and again.
trials: test-deps deps build ## The slower trials of fleets, pictures, the bridge and simulated boxes: half an hour
	+@$(STAGE) --jobs=2 promises fleet
	+@$(STAGE) --jobs=2 faults pictures
	+@$(STAGE) --jobs=2 bridge hooks

test-all: ## test, released and trials: before a release
	+@for t in test released trials; do $(STAGE) $$t || exit 1; done

# Lets others go first, and still ends on a machine that others keep busy. The compilers that "swift build" starts have the ordinary
# priority again where they may take it, which root may: not without that right.
BEHIND := $(shell setpriv --bounding-set -sys_nice true 2>/dev/null && echo setpriv --bounding-set -sys_nice) nice -n 10
# The folder of the suites' build. Two builds in one folder would wait for each other.
TESTS ?= .build

# The programs that are tried: as they are installed, or those of the suites' build.
BIN   ?= $(RELEASE)
BUILT := $(if $(filter $(RELEASE),$(BIN)),build,unoptimised)

# No index of the system's modules and nothing for a debugger, a tenth of the compiler's time. ADHAND_SUITES has what is tried
# optimised: the compiler needs longer by less than the suites are faster.
SUITES_BUILD = env ADHAND_SUITES=1 $(SWIFT) build --scratch-path $(TESTS) \
	$(if $(filter-out .build,$(TESTS)),-Xswiftc -index-ignore-system-modules -Xswiftc -gnone) --product
unoptimised: deps ## Every program from the suites' build, unoptimised
	@for p in $(FILES); do $(SUITES_BUILD) $$p || exit 1; done
	$(call links,$(BIN),adhand,adhanctl)
	$(call links,$(BIN),adhan-programs,$(OTHERS))

# Nothing but the tests: the programs are there before. They let others go first, who wait for programs.
TEST_PRODUCT := adhandPackageTests
tests-built: test-deps $(filter unoptimised,$(BUILT)) ## Build the Swift suites
	$(if $(filter-out .build,$(TESTS)),$(BEHIND)) $(SUITES_BUILD) $(TEST_PRODUCT)

SUITES = @BUILD=$(TESTS) $(if $(filter $(RELEASE),$(BIN)),ADHAND_RELEASED=1) ADHAND_BIN=$(CURDIR)/$(BIN)/adhand ADHANCTL_BIN=$(CURDIR)/$(BIN)/adhanctl \
	COMPANION_BIN=$(CURDIR)/$(BIN)/adhan-companion ADHAN_DISPLAY_BIN=$(CURDIR)/$(BIN)/adhan-display \
	Tests/suites.sh
unit: $(BUILT) tests-built ## The Swift suites, with the released programs; UPDATE=1 writes the expected texts again
	$(SUITES)
unit-beside: $(BUILT) tests-built ## Those that compute, and those that wait for programs and buses
	$(SUITES) beside
unit-alone: $(BUILT) tests-built ## Those that promise something within seconds: the screen, sounds, the daemon
	$(SUITES) alone
unit-programs: $(BUILT) tests-built ## Those that start programs
	$(SUITES) programs
random-cases: tests-built ## Every random case of the suites, of which `test` tries a fifth
	@BUILD=$(TESTS) Tests/suites.sh random

# Two thousand boxes live through three days of faults each; `make simulate` takes them through years.
promises: build ## 2,000 simulated boxes through three days of faults each, and 50 fleets
	@for p in $(TOOLS); do $(BEHIND) $(SWIFT) build $(STATIC) --product $$p || exit 1; done
	$(BEHIND) $(RELEASE)/simulate --seeds 2000 --days 3
	$(BEHIND) $(RELEASE)/simulate-fleets --fleets 50 --boxes 40 --days 4

# A Varlink client that nobody here wrote talks to the daemon, two calendar libraries read the calendar files, and a package of
# its own uses the products Protocol and ControlClient.
interop: $(BUILT) ## Varlink and calendar libraries of others, and a program that uses the products
	SWIFT="$(SWIFT)" $(BEHIND) Tests/interop/run.sh $(BIN)

# The screen drawn by a real browser: every scene, every language and every shape at least once (all combinations of them, and some in
# Firefox, by `make display-test`; KEEP=folder keeps the pictures), the page through faults, and the adhan's first frame by the clock.
BROWSER_PACKAGES := chromium-headless-shell fonts-liberation fonts-noto-core fonts-hosny-amiri python3 zbar-tools
KEEP ?=
display: first-frame page faults pictures ## The screen in a real browser: first-frame, page, faults and pictures
browser: ## Install the browser for the trials of the screen, if it is missing
	@Tests/install-packages.sh $(BROWSER_PACKAGES)
page: $(BUILT) browser ## The screen's page in a browser
	Tests/display/page.py $(BIN)/adhan-display
	Tests/display/content.py $(BIN)/adhan-display
	Tests/display/said.py $(BIN)/adhan-display
	Tests/display/access.py $(BIN)/adhan-display
	Tests/display/repaints.py $(BIN)/adhan-display
	Tests/display/set_up.py $(BIN)/adhan-touch $(BIN)/adhan-display $(if $(KEEP),--keep $(KEEP))
faults: $(BUILT) browser ## The screen's page while servers and networks fail
	Tests/display/faults.py $(BIN)/adhan-display
first-frame: $(BUILT) browser ## The screen turns to the adhan with its first sound
	Tests/display/zero.py $(BIN)
pictures: $(BUILT) browser ## Every scene, language and shape; KEEP=folder keeps the pictures
	Tests/display/render.py $(BIN)/adhan-display $(if $(KEEP),--keep $(KEEP))

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
box-card: $(BUILT) ## What a flashed box takes over from its card, on a folder
	@Tests/install-packages.sh python3 jq openssh-client
	Tests/box/card.py $(BIN)
box-network: $(BUILT) ## When a flashed box makes its own network, and how it joins another one
	@Tests/install-packages.sh python3 jq
	Tests/box/hotspot.py $(BIN)
box-scripts: $(BUILT) ## The mixers and upgrades of a flashed box, and the archive that they come from
	@Tests/install-packages.sh python3 jq $(ARCHIVE_PACKAGES)
	Tests/box/scripts.py
	Tests/archive/quick.py

# What people send from a phone, right and wrong, beside a real adhand.
intake: $(BUILT) ## Recordings, timetables and pictures of people, right and wrong
	Tests/remote/intake.py $(BIN)

# Phones by the command line, with a browser's requests on the other side, and how phones ask whether there is an internet.
pairing: $(BUILT) ## Phones are paired by adhanctl remote, claim a new box, and are led to its page: half a minute
	Tests/remote/pairing.py $(BIN)
	Tests/remote/claim.py $(BIN)
	Tests/remote/probes.py $(BIN)

# People with a phone, from pairing to the set-up. In Firefox, too, by `make remote-test`.
phones: $(BUILT) browser ## A phone pairs, mutes, sets, sends a recording and sets a box up, in a real browser
	Tests/remote/people.py $(BIN) --only chromium

# Every page of the phone page drawn, in four languages and two widths, and the walk that the guide shows; KEEP=folder keeps the pictures.
remote-test: $(BUILT) browser walk ## The phone page in two browsers, all its pages, a network of its own (as root), and walk
	@Tests/install-packages.sh firefox-esr caddy curl iproute2
	Tests/remote/people.py $(BIN)
	Tests/remote/network.py $(BIN)
	Tests/remote/pictures.py $(BIN) $(if $(KEEP),--keep $(KEEP) --sheets $(KEEP))

# The way of somebody with a card and a phone. KEEP=folder keeps the sheets, as docs/pictures has them, and each picture in steps/.
walk: $(BUILT) browser test-deps ## A new box, its screen and a phone, from the first page to the board; KEEP=folder
	@Tests/install-packages.sh iproute2 jq
	Tests/remote/walk.py $(BIN) $(if $(KEEP),--keep $(KEEP)/steps --sheets $(KEEP))

# The bridge beside a real adhand, broker, web server and mail program, killed in between: two minutes.
bridge: build test-deps ## The bridge beside a real adhand and broker, killed in between
	Tests/bridge/trial.py $(RELEASE)/adhand $(RELEASE)/adhan-bridge

# Hooks beside a real adhand, both killed in between: four minutes, most of them waiting for adhans.
hooks: build ## Hooks and a relay beside a real adhand, killed in between
	Tests/hooks/trial.py $(RELEASE)/adhand $(RELEASE)/adhan-hooks

# Real adhands with three loudspeakers each, of which one is dead, hangs or comes back: a minute.
outputs: $(BUILT) test-deps ## Real adhands with three loudspeakers, one of them dead, hanging or late
	Tests/outputs/trial.py $(BIN)/adhand

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

# What an attacker, a power cut or a careless hand does to the released programs, and 100,000 damaged files of Imager (`random-cases` reads 10,000): three minutes.
hostile: build tests-built ## Attackers, power cuts, careless hands and damaged cards: three minutes
	Tests/hostile/run.sh $(RELEASE)
	Tests/remote/trial.py $(RELEASE)
	Tests/remote/pairing.py $(RELEASE)
	ADHAND_FUZZ=100000 $(TESTS)/debug/$(TEST_PRODUCT).xctest --testing-library swift-testing --filter '^ConsoleTests\.ImagerFuzzTests'

# The suite does it with some hundred.
damaged-logs: test-deps ## The companion under ten thousand damaged logs: four minutes
	$(SWIFT) build --build-tests
	DAMAGED_LOGS=10000 $(SWIFT) test --skip-build --filter '^CompanionTests\.DamagedLogTests'

# The manual pages against what the programs say of themselves.
manuals: test-deps $(BUILT) ## The manual pages against what the programs say of themselves
	Tests/package/manuals.py $(BIN)

# The units as they are written: none of them stays ended.
units: ## The systemd units and this Makefile, as they are written
	@Tests/package/units.py
	@Tests/package/makefile.py

# No way in that a linker can close, and by each name its own program.
hardening: test-deps $(BUILT) ## The programs as the linker left them, and by which names they are called
	Tests/package/hardening.py $(FILES:%=$(BIN)/%)
	Tests/package/called.py $(BIN)

lint: ## The form of the sources, who may import whom, and plain words in all texts
	@Tests/install-packages.sh shellcheck
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
clocks: build browser test-deps ## The tests at six other times of day and year: three hours; CLOCKS=2028-02-29T12:00Z is one
	@Tests/install-packages.sh jq openssh-client
	$(SWIFT) build --build-tests
	@SWIFT="$(SWIFT)" ADHAND_RELEASED=1 ADHAND_BIN=$(CURDIR)/$(RELEASE)/adhand ADHANCTL_BIN=$(CURDIR)/$(RELEASE)/adhanctl \
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
	            for (j = 1; j <= many; j++) printf "  %-20s  %s\n", names[j], does[names[j]] } }' Makefile $(MAKEFILE_LIST)

clean: ## Remove everything that was built
	rm -rf --one-file-system .build .build-* dist

RUN_LIBRARIES := libasound2-dev libmpg123-dev libqrencode-dev libsystemd-dev zlib1g-dev pkg-config
LIBRARIES     := $(RUN_LIBRARIES) libsqlite3-dev libmosquitto-dev libcurl4-openssl-dev libsodium-dev
TEST_PACKAGES := $(LIBRARIES) gcc libc6-dev make python3 dbus-daemon python3-venv tzdata mpg123 mandoc \
	mosquitto mosquitto-clients openssl shellcheck

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

include packages.mk install.mk
