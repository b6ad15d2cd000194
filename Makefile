# adhand: the commands that a person types. On a fresh Debian with Swift, `make run` and `make test` install what they need.

SWIFT   ?= swift
# The address of the apt archive, as https://HOST/FOLDER. The publisher sets it here, once. While it is empty, no archive and
# no adhand-archive-keyring package are made.
ARCHIVE_URL  ?=
# The address of the folder where images are published, such as https://HOST/FOLDER.
IMAGE_URL    ?=
RELEASE := .build/release
# The Swift runtime is linked statically, so the programs run on machines without Swift. The other options keep the files small:
#   -Osize                        generates small code. The daily computations are few; Benchmarks has the figures.
#   -s, --no-export-dynamic       drop the symbols.
#   Sources/release.ld            drops unwinding tables that nothing reads.
#   pack-relative-relocs          packs relocations. Of the linkers here only GNU's bfd can, and programs need glibc 2.36.
# These options harden the programs, as Tests/package/hardening.py checks:
#   separate-code                 keeps writable memory from being executable. It is GNU's default on amd64 only.
#   relro, now                    make the tables of function addresses read-only.
LINKED  := --gc-sections -s --no-export-dynamic -z pack-relative-relocs -z separate-code -z relro -z now -T Sources/release.ld
# -ffile-prefix-map keeps the path of this checkout out of C code that contains its own file name.
STATIC  := -c release --static-swift-stdlib -Xswiftc -Osize -Xswiftc -gnone -Xswiftc -use-ld=bfd -Xcc -DADHAND_STATIC \
	-Xcc -ffile-prefix-map=$(CURDIR)=. $(addprefix -Xlinker ,$(LINKED))
# Two executables contain all programs, because the Swift runtime is most of each. The name of the link selects the program.
FILES    := adhand adhan-programs
OTHERS   := adhan-companion adhan-display adhan-kiosk adhan-touch adhan-remote adhan-hotspot-dns adhan-bridge adhan-hooks \
	adhan-fleet
PROGRAMS := adhand adhanctl $(OTHERS)
# Programs for tests, which are never installed. Only the tests that need them build them.
TOOLS    := simulate simulate-fleets
# $(call links,FOLDER,FILE,NAMES) links NAMES in FOLDER to FILE. It replaces programs that an older build left under these names.
define links
	@for n in $(3); do ln -sf $(2) "$(1)/$$n" || exit 1; done
endef

# Each group of `make help` is one block of lines here: a line that continues a group is indented by four more blanks.
.PHONY: run build clean help deps run-deps test-deps laid-in \
	test released trials test-all unit unit-programs random-cases unoptimised tests-built lint \
	    manuals units hardening promises interop display page faults first-frame outputs pictures box box-card box-network box-scripts \
	    intake pairing phones remote-test walk bridge hooks fleet browser \
	clocks hostile damaged-logs simulate simulate-fleets mutants soak vm-test devices bridge-faults bridge-lies \
	    house-service fleet-service fleet-monitors fleet-guide fleet-rig house-rest sanitize display-test kiosk-test bench \
	    load outputs-load sound-rig desktop-rig session-rig ha-rig \
	deb deb-test ramadan-rig film image image-test phase-test release release-again archive archive-phase archive-rings \
	    archive-sign archive-withdraw \
	install install-programs install-companion install-display install-remote install-bridge install-hooks install-fleet \
	    install-keyring install-box uninstall uninstall-companion uninstall-box

# Builds only what it starts, without optimisation, in a third of the time. The index for editors would take another eighth.
RUN := adhand adhan-display-programs
run: run-deps ## Build adhand, adhanctl and the screen, and run them as you, with two seconds of sound
	@for p in $(RUN); do $(SWIFT) build --disable-index-store --product $$p || exit 1; done
	$(call links,.build/debug,adhand,adhanctl)
	$(call links,.build/debug,adhan-display-programs,adhan-display adhan-kiosk adhan-touch)
	@Tests/run.sh .build/debug

# Builds product by product, because a build of everything would also link what only `make run` needs.
build: deps ## Build every program into .build/release
	@for p in $(FILES); do $(SWIFT) build $(STATIC) --product $$p || exit 1; done
	$(call links,$(RELEASE),adhand,adhanctl)
	$(call links,$(RELEASE),adhan-programs,$(OTHERS))

# The suites and the unoptimised programs are one build. While the suites compile, trials run that mostly wait for programs.
# Then the suites run.
UNOPTIMISED := TESTS=.build-tests BIN=.build-tests/debug
STAGE = $(MAKE) --no-print-directory --output-sync=target SWIFT="$(SWIFT)"
test: test-deps deps ## Run the tests for every change: 12 minutes
	+@$(STAGE) --jobs=5 $(UNOPTIMISED) tests-built lint units manuals box intake pairing
	+@$(STAGE) $(UNOPTIMISED) -o unoptimised -o tests-built unit

# The installed programs are another build: optimised for size, with a static Swift runtime.
RELEASED := TESTS=.build-tests
released: test-deps deps ## Test the released programs, and their pages in a browser: 15 minutes
	+@$(STAGE) --jobs=4 $(RELEASED) build tests-built interop hardening manuals box intake pairing page phones
	+@$(STAGE) --jobs=1 $(RELEASED) -o build -o tests-built unit-programs
	+@$(STAGE) --jobs=2 $(RELEASED) -o build -o browser outputs first-frame
	+@$(STAGE) $(RELEASED) -o build -o tests-built random-cases

# The slower trials: whole fleets, every picture, thousands of simulated boxes, and the bridge and hooks killed again and again.
trials: test-deps deps build ## Run the slower trials of fleets, pictures, the bridge and simulated boxes: half an hour
	+@$(STAGE) --jobs=2 promises fleet
	+@$(STAGE) --jobs=2 faults pictures
	+@$(STAGE) --jobs=2 bridge hooks

test-all: ## Run test, released and trials, as before a release
	+@for t in test released trials; do $(STAGE) $$t || exit 1; done

# Gives way to other work with nice, and still finishes on a busy machine. The compilers that `swift build` starts would return
# to normal priority where they have the right to, as root has, so setpriv drops that right.
BEHIND := $(shell setpriv --bounding-set -sys_nice true 2>/dev/null && echo setpriv --bounding-set -sys_nice) nice -n 10
# The folder of the suites' build. Two builds in one folder would wait for each other, so `make test` uses .build-tests.
TESTS ?= .build

# The programs that are tested: the released ones, or those of the suites' build.
BIN   ?= $(RELEASE)
BUILT := $(if $(filter $(RELEASE),$(BIN)),build,unoptimised)

# The index for editors and debugging information would take time, and the suites need neither. ADHAND_SUITES=1 optimises the
# tested modules: the suites then save more time than the compiler takes.
SUITES_BUILD = env ADHAND_SUITES=1 $(SWIFT) build --scratch-path $(TESTS) \
	$(if $(filter-out .build,$(TESTS)),--disable-index-store -debug-info-format none) --product
unoptimised: deps ## Build every program for the suites, unoptimised
	@for p in $(FILES); do $(SUITES_BUILD) $$p || exit 1; done
	$(call links,$(BIN),adhand,adhanctl)
	$(call links,$(BIN),adhan-programs,$(OTHERS))

# Builds only the tests. In a folder of its own the build gives way to trials that wait for programs.
TEST_PRODUCT := adhandPackageTests
tests-built: test-deps $(filter unoptimised,$(BUILT)) ## Build the Swift suites
	$(if $(filter-out .build,$(TESTS)),$(BEHIND)) $(SUITES_BUILD) $(TEST_PRODUCT)

SUITES = @BUILD=$(TESTS) $(if $(filter $(RELEASE),$(BIN)),ADHAND_RELEASED=1) \
	ADHAND_BIN=$(CURDIR)/$(BIN)/adhand ADHANCTL_BIN=$(CURDIR)/$(BIN)/adhanctl \
	COMPANION_BIN=$(CURDIR)/$(BIN)/adhan-companion ADHAN_DISPLAY_BIN=$(CURDIR)/$(BIN)/adhan-display \
	Tests/suites.sh
unit: $(BUILT) tests-built ## Run the Swift suites with the released programs; UPDATE=1 rewrites the expected texts
	$(SUITES)
unit-programs: $(BUILT) tests-built ## Run the suites that start programs
	$(SUITES) programs
random-cases: tests-built ## Try every random case of the suites, of which `test` tries a fifth
	@BUILD=$(TESTS) Tests/suites.sh random

# `make simulate` runs the same simulator over years instead of days.
promises: build ## Simulate 2,000 boxes through three days of faults each, and 50 fleets
	@for p in $(TOOLS); do $(BEHIND) $(SWIFT) build $(STATIC) --product $$p || exit 1; done
	$(BEHIND) $(RELEASE)/simulate --seeds 2000 --days 3
	$(BEHIND) $(RELEASE)/simulate-fleets --fleets 50 --boxes 40 --days 4

# The varlink package from PyPI talks to the daemon, two foreign calendar libraries read the calendar files, and an outside
# Swift package uses the products Protocol and ControlClient.
interop: $(BUILT) ## Test with foreign Varlink and calendar libraries, and a program that uses the products
	SWIFT="$(SWIFT)" $(BEHIND) Tests/interop/run.sh $(BIN)

# A real browser draws every scene, every language and every shape of the screen at least once. `make display-test` draws all
# combinations, some of them in Firefox. KEEP=FOLDER keeps the pictures. Other trials take the page through faults, and measure
# when the first frame of an adhan appears.
BROWSER_PACKAGES := chromium-headless-shell fonts-liberation fonts-noto-core fonts-hosny-amiri python3 zbar-tools
KEEP ?=
display: first-frame page faults pictures ## Test the screen in a real browser: first-frame, page, faults and pictures
browser: ## Install the browser for the trials of the screen, if it is missing
	@Tests/install-packages.sh $(BROWSER_PACKAGES)
page: $(BUILT) browser ## Test the screen's page in a browser
	Tests/display/page.py $(BIN)/adhan-display
	Tests/display/content.py $(BIN)/adhan-display
	Tests/display/texts.py $(BIN)/adhan-display
	Tests/display/access.py $(BIN)/adhan-display
	Tests/display/repaints.py $(BIN)/adhan-display
	Tests/display/set_up.py $(BIN)/adhan-touch $(BIN)/adhan-display $(if $(KEEP),--keep $(KEEP))
faults: $(BUILT) browser ## Test the screen's page while servers and networks fail
	Tests/display/faults.py $(BIN)/adhan-display
first-frame: $(BUILT) browser ## Test that the screen shows the adhan with its first sound
	Tests/display/zero.py $(BIN)
pictures: $(BUILT) browser ## Draw every scene, language and shape; KEEP=FOLDER keeps the pictures
	Tests/display/render.py $(BIN)/adhan-display $(if $(KEEP),--keep $(KEEP))

display-test: build ## Draw all pictures in two browsers
	@Tests/install-packages.sh $(BROWSER_PACKAGES) firefox-esr
	Tests/display/render.py $(RELEASE)/adhan-display --all $(if $(KEEP),--keep $(KEEP))
	Tests/display/render.py $(RELEASE)/adhan-display --firefox $(if $(KEEP),--keep $(KEEP)/firefox)
	Tests/display/repaints.py $(RELEASE)/adhan-display --processor

# The kiosk's own session runs with the real compositor and browser, and is killed in every way. Takes five minutes.
kiosk-test: build ## Test the display's own session with the real compositor and browser, killed in every way
	@Tests/install-packages.sh $(BROWSER_PACKAGES) cage xwayland chromium
	Tests/display/touch.py $(RELEASE)/adhan-touch $(RELEASE)/adhan-display
	Tests/display/policy.py Resources/display/kiosk.json
	Tests/display/kiosk.py $(RELEASE)/adhan-kiosk $(RELEASE)/adhan-display

# The parts of a flashed box run on folders of this machine, without an image.
box: box-card box-network box-scripts ## Test a flashed box's card, network, mixers and upgrades, and the archive, on folders
box-card: $(BUILT) ## Test what a flashed box imports from its card, on a folder
	@Tests/install-packages.sh python3 jq openssh-client
	Tests/box/card.py $(BIN)
box-network: $(BUILT) ## Test when a flashed box makes its own network, and how it joins another one
	@Tests/install-packages.sh python3 jq
	Tests/box/hotspot.py $(BIN)
box-scripts: $(BUILT) ## Test the mixers and upgrades of a flashed box, and the archive of the upgrades
	@Tests/install-packages.sh python3 jq $(ARCHIVE_PACKAGES)
	Tests/box/scripts.py
	Tests/archive/quick.py

# Sends valid and broken files, as people send them from a phone, to a real adhand.
intake: $(BUILT) ## Test recordings, timetables and pictures from people, valid and invalid
	Tests/remote/intake.py $(BIN)

# Pairs phones with `adhanctl remote`, sends the requests of a browser, and sends the probes by which phones look for the
# internet.
pairing: $(BUILT) ## Test phones: paired by adhanctl remote, claiming a new box, led to its page: half a minute
	Tests/remote/pairing.py $(BIN)
	Tests/remote/claim.py $(BIN)
	Tests/remote/probes.py $(BIN)

# `make remote-test` runs the same trial in Firefox as well.
phones: $(BUILT) browser ## Test a phone that pairs, mutes, sets, sends a recording and sets a box up, in a real browser
	Tests/remote/people.py $(BIN) --only chromium

# Draws every page of the phone page in four languages and two widths, and the walk that the guide shows. KEEP=FOLDER keeps the
# pictures.
remote-test: $(BUILT) browser walk ## Test the phone page in two browsers, all its pages, its network (as root), and walk
	@Tests/install-packages.sh firefox-esr caddy curl iproute2
	Tests/remote/people.py $(BIN)
	Tests/remote/network.py $(BIN)
	Tests/remote/pictures.py $(BIN) $(if $(KEEP),--keep $(KEEP) --sheets $(KEEP))

# Follows a person with a card and a phone through the set-up. KEEP=FOLDER keeps the sheets as in docs/pictures, and each picture
# in steps/.
walk: $(BUILT) browser test-deps ## Photograph a new box, its screen and a phone from the first page to the last; KEEP=FOLDER
	@Tests/install-packages.sh iproute2 jq
	Tests/remote/walk.py $(BIN) $(if $(KEEP),--keep $(KEEP)/steps --sheets $(KEEP))

# The bridge runs beside a real adhand, broker, web server and mail program, which are killed in between. Takes two minutes.
bridge: build test-deps ## Test the bridge with a real adhand and broker, killed in between
	Tests/bridge/trial.py $(RELEASE)/adhand $(RELEASE)/adhan-bridge

# The hooks and a real adhand are both killed in between. Takes four minutes, most of them waiting for adhans.
hooks: build ## Test hooks and a relay with a real adhand, killed in between
	Tests/hooks/trial.py $(RELEASE)/adhand $(RELEASE)/adhan-hooks

# Each adhand has three loudspeakers; one of them fails, hangs or returns. Takes a minute.
outputs: $(BUILT) test-deps ## Test real adhands with three loudspeakers, one of them dead, hanging or late
	Tests/outputs/trial.py $(BIN)/adhand

# openssl checks the keys and signatures, and a box is killed before and after each envelope.
fleet: build test-deps ## Test the keys and envelopes of a fleet against openssl, and a box that applies them
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

# Takes half an hour, and keeps every core busy for most of it.
outputs-load: test-deps ## Measure how far apart outputs start with every core busy, also with a real Snapcast
	@Tests/install-packages.sh snapserver snapclient
	Benchmarks/outputs.sh
	Tests/outputs/snapcast.py .build-bench/release/bench-playback

# Attackers, power cuts and careless users against the released programs, and 100,000 damaged card files of Raspberry Pi Imager.
# `random-cases` reads 10,000 of those. Takes three minutes.
hostile: build tests-built ## Test attackers, power cuts, careless users and damaged cards: three minutes
	Tests/hostile/run.sh $(RELEASE)
	Tests/remote/trial.py $(RELEASE)
	Tests/remote/pairing.py $(RELEASE)
	ADHAND_FUZZ=100000 $(TESTS)/debug/$(TEST_PRODUCT).xctest --testing-library swift-testing --filter '^ConsoleTests\.ImagerFuzzTests'

# The daily suite uses a few hundred damaged logs.
damaged-logs: test-deps ## Test the companion with ten thousand damaged logs: four minutes
	$(SWIFT) build --build-tests
	DAMAGED_LOGS=10000 $(SWIFT) test --skip-build --filter '^CompanionTests\.DamagedLogTests'

manuals: test-deps $(BUILT) ## Compare the manual pages with the programs
	Tests/package/manuals.py $(BIN)

# Among other things, checks that no unit stays stopped after a failure.
units: ## Check the systemd units and this Makefile as they are written
	@Tests/package/units.py
	@Tests/package/makefile.py

# Checks that the programs have the linker's protections, and that each link name starts its own program.
hardening: test-deps $(BUILT) ## Check the programs' hardening by the linker, and the names under which they run
	Tests/package/hardening.py $(FILES:%=$(BIN)/%)
	Tests/package/called.py $(BIN)

lint: ## Check the form of the sources, the imports of modules, and plain words in all texts
	@Tests/install-packages.sh shellcheck
	@Tests/words.py
	@for check in Tests/lint/*.py; do $$check || exit 1; done
	$(SWIFT) format lint --strict --parallel --recursive Package.swift Sources Tests

# Simulates years of faults around the daemon's decisions. For a failing seed, the output has its events and the command that
# runs it again.
SEEDS ?= 1000
DAYS  ?= 365
FIRST ?= 1
simulate: ## Simulate years of faults; SEEDS=1000 DAYS=365 FIRST=1
	$(SWIFT) build -c release --scratch-path .build-bench --product simulate
	.build-bench/release/simulate --seeds $(SEEDS) --days $(DAYS) --first $(FIRST)

# Simulates fleets with faults; an oracle knows which boxes were reachable. FLEETS=1 FIRST=SEED runs a failing seed again.
FLEETS ?= 1000
BOXES  ?= 200
simulate-fleets: DAYS := 30
simulate-fleets: ## Simulate a thousand fleets of 200 boxes for 30 days; FLEETS=1000 BOXES=200 FIRST=1
	$(SWIFT) build -c release --scratch-path .build-bench --product simulate-fleets
	.build-bench/release/simulate-fleets --fleets $(FLEETS) --boxes $(BOXES) --days $(DAYS) --first $(FIRST)

# Each mutant is a source that is broken on purpose; the simulator or the tests must fail on it. Takes an hour.
mutants: ## Break the sources on purpose, and check that the tests notice: an hour
	Tests/mutants/run.py

# Plays thousands of announcements and answers 100,000 requests in half an hour, then rests. Fails if memory grows, an
# announcement is late, or the programs do not rest. SOAK=0.01 takes two minutes.
SOAK ?= 1
soak: build test-deps ## Use adhand heavily for half an hour, and measure what grows; SOAK=0.01 takes two minutes
	Tests/soak/soak.py $(RELEASE) --scale $(SOAK)

# An emulated machine has its clock set, sleeps, and loses its sound card and its power. Takes 15 minutes.
VM_PACKAGES := qemu-system-x86 busybox-static cpio kmod mmdebstrap e2fsprogs python3
vm-test: build ## Test clock changes, sleep, unplugged cards and power cuts on an emulated machine: 15 minutes
	@Tests/install-packages.sh $(VM_PACKAGES)
	Tests/vm/run.py $(RELEASE)

# The faults are wrong certificates, names that hang, a full disk, and a kill at each of forty changes of the bridge's files.
bridge-faults: build test-deps ## Test the bridge while certificates, names and disks fail: fifteen minutes
	Tests/bridge/faults.py $(RELEASE)/adhand $(RELEASE)/adhan-bridge

# The lies are packets of any size, false promises, unknown reason codes, and words on which libmosquitto ends the program.
bridge-lies: build test-deps ## Test the bridge with twenty brokers that lie: two minutes
	Tests/bridge/lies.py $(RELEASE)/adhand $(RELEASE)/adhan-bridge

house-service: build test-deps ## Test the bridge and the hooks as services of a real systemd: one minute
	@Tests/install-packages.sh systemd-container iproute2 procps
	Tests/bridge/service.sh $(RELEASE)

fleet-service: build test-deps ## Test the watch over a fleet as a service of a real systemd: two minutes
	@Tests/install-packages.sh systemd-container iproute2 procps mosquitto mosquitto-clients
	Tests/fleet/service.sh $(RELEASE)

# promtool and amtool check the files; a real Prometheus and Alertmanager run beside the watch.
fleet-monitors: build test-deps ## Test the watch over a fleet with a real Prometheus and Alertmanager: six minutes
	@Tests/install-packages.sh prometheus prometheus-alertmanager mosquitto mosquitto-clients
	Tests/fleet/monitors.py $(RELEASE)/adhan-fleet

# Takes ten minutes, and ten more the first time, to fetch the Debian packages that .build-package keeps. SUITES_TESTED="trixie"
# runs it on Debian 13.
fleet-guide: deb ## Run every command of docs/FLEET.md, in its order, in a fresh Debian with a box
	@Tests/install-packages.sh mmdebstrap systemd-container iproute2
	for s in $(or $(SUITES_TESTED),bookworm); do Tests/fleet/guide.sh $$s || exit 1; done

# The 10,000 boxes are raw MQTT sessions, and twenty more are real ones. BOXES=1000 is a smaller fleet.
fleet-rig: BOXES := 10000
fleet-rig: build test-deps ## Test one broker and one watch with ten thousand boxes: fifteen minutes
	@Tests/install-packages.sh mosquitto mosquitto-clients
	Tests/fleet/rig.py $(RELEASE)/adhand $(RELEASE)/adhan-bridge $(RELEASE)/adhan-fleet $(BOXES)

# Needs a machine without other load.
house-rest: build test-deps ## Measure memory and wake-ups of the idle bridge and hooks: three minutes
	Tests/bridge/rest.py $(RELEASE)/adhand $(RELEASE)/adhan-bridge $(RELEASE)/adhan-hooks

# The kernel simulates GPIO lines, a television and keys, which are pressed, watched, unplugged and plugged in again.
devices: build ## Test relays by GPIO, a television by CEC and buttons on an emulated machine: five minutes
	@Tests/install-packages.sh $(VM_PACKAGES) gcc libc6-dev xz-utils
	Tests/vm/devices.py $(RELEASE)

# Runs the whole program under the thread sanitizer and the address sanitizer, with 200,000 damaged messages. Any report fails.
sanitize: test-deps ## Run the programs with the thread and address sanitizers
	Tests/sanitize.sh $(SWIFT)

# Measures a build that is optimised for speed, not for size, in a build folder of its own.
bench: build test-deps ## Measure how fast and how small the programs are
	@Tests/install-packages.sh libitl-dev mpd cron
	Benchmarks/bench.sh
	Benchmarks/footprint.sh

# Runs the suites and trials by other clocks than the machine's: six times of day, among them a leap day and changes of the
# clock. Takes three hours. CLOCKS=2028-02-29T12:00Z is one of them. Tests/clocks.sh lists the trials that are left out, and why.
CLOCKS ?=
clocks: build browser test-deps ## Run the tests at six other times of day and year: three hours; CLOCKS=2028-02-29T12:00Z is one
	@Tests/install-packages.sh jq openssh-client
	$(SWIFT) build --build-tests
	@SWIFT="$(SWIFT)" ADHAND_RELEASED=1 ADHAND_BIN=$(CURDIR)/$(RELEASE)/adhand ADHANCTL_BIN=$(CURDIR)/$(RELEASE)/adhanctl \
	    COMPANION_BIN=$(CURDIR)/$(RELEASE)/adhan-companion ADHAN_DISPLAY_BIN=$(CURDIR)/$(RELEASE)/adhan-display \
	    Tests/clocks.sh $(RELEASE) $(CLOCKS)

load: test-deps ## Play for ten minutes with every core busy
	Benchmarks/load.sh

# Plays through real sound servers that lose their sinks, stop and crash. Not in `make test`, because its packages have 200 MB.
sound-rig: test-deps ## Play through real sound servers that fail
	@Tests/install-packages.sh pulseaudio pulseaudio-utils libasound2-plugins
	ADHAND_SOUND_RIG=1 $(SWIFT) test --filter '^SoundRigTests\.'

# Shows the companion's notifications on a real notification server, whose own tool presses their buttons, and the widgets in
# real status bars. The pictures are in dist/desktop.
desktop-rig: build ## Test the companion with real notification servers and status bars
	@Tests/install-packages.sh dunst notify-osd xvfb dbus-bin dbus-daemon imagemagick python3 polybar i3blocks conky-std \
	    tmux waybar sway grim
	Tests/desktop/run.py $(RELEASE)
	Tests/desktop/bars.py $(RELEASE)

# Switches, suspends and kills a real PipeWire below an adhand in a session.
session-rig: build ## Test adhand in a session with a real PipeWire
	@Tests/install-packages.sh pipewire pipewire-pulse wireplumber pulseaudio-utils dbus-daemon python3
	Tests/desktop/session.py $(RELEASE)

# Runs the blueprints in a real Home Assistant; HA_HOME is a Python environment that contains it. A thousand runs take a night,
# RUNS=20 a few minutes.
RUNS    ?= 1000
HA_HOME ?= .build-home
ha-rig: build ## Test the blueprints in a real Home Assistant at HA_HOME; RUNS=20 for a short run
	@Tests/install-packages.sh mosquitto mosquitto-clients python3
	Tests/home/rig.py --runs $(RUNS) --home $(HA_HOME) --release $(RELEASE)

# Prints the `##` comment of each target. GROUPS are the titles of the blocks of .PHONY, in their order.
help: ## Show this
	@awk -v groups='Run;Test;Test at length;Packages;Install' ' \
	    FNR == NR { \
	        if (sub(/^\.PHONY: /, "") || listed) { \
	            listed = /\\$$/; sub(/\\$$/, ""); \
	            if (/^\t    /) lines[count] = lines[count] $$0; else lines[++count] = $$0 } \
	        next } \
	    match($$0, /^[a-z-]+:.* ## /) { \
	        name = $$0; sub(/:.*/, "", name); if (!(name in does)) does[name] = substr($$0, RSTART + RLENGTH) } \
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

# Before it installs missing packages, it prints which ones and why.
define libraries
	@pkg-config --exists $(1) 2>/dev/null || { \
	    echo 'adhand is built with ALSA, libmpg123, libsystemd, zlib and, for the companion, SQLite, for the display libqrencode,' \
	        'for the bridge libmosquitto and libcurl, for a fleet libsodium. Headers of these are missing here, so'; \
	    echo 'these Debian packages are installed with apt-get: $(2). To do it yourself: sudo apt-get install $(2)'; \
	    Tests/install-packages.sh $(2); }
endef

run-deps: laid-in ## Install the libraries that make run is built with, if they are missing
	$(call libraries,alsa libmpg123 libqrencode libsystemd zlib,$(RUN_LIBRARIES))

deps: laid-in ## Install the libraries that the programs are built with, if they are missing
	$(call libraries,alsa libcurl libmosquitto libmpg123 libqrencode libsodium libsystemd sqlite3 zlib,$(LIBRARIES))

laid-in: ## Make SwiftPM notice changes of files that the programs embed
	@# SwiftPM does not know the files that these sources include, and would keep an old list of towns and old language tables.
	@[ ! Sources/CPlaces/places.bin -nt Sources/CPlaces/places.S ] || touch Sources/CPlaces/places.S
	@for f in Resources/display/page/languages/*.json; do \
	    [ ! $$f -nt Sources/CLanguages/languages.S ] || touch Sources/CLanguages/languages.S; done
	@# SwiftPM does not know the linker script either.
	@for p in $(FILES); do [ ! Sources/release.ld -nt $(RELEASE)/$$p ] || rm -f $(RELEASE)/$$p; done

test-deps: ## Install the other packages that the tests need, if they are missing
	@Tests/install-packages.sh $(TEST_PACKAGES)

include packages.mk install.mk
