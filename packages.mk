# Part of the Makefile: packages, card images and the apt archive.

# `make deb` builds dist/adhand_VERSION_ARCHITECTURE.deb and the other packages for Debian 12 and newer, on an amd64 or arm64
# machine for its own architecture. `make deb ARCH=arm64` builds them for arm64 on an amd64 machine, with debian/cross. BUILD=+1
# gives them a suffix by which they replace packages of the same version.

# The archive's folder on the machine that signs it. A web server serves ARCHIVE/public.
ARCHIVE      ?= archive
ARCHIVE_PACKAGES := reprepro gnupg dpkg-dev
VERSION      := $(shell sed -n 's/.*adhandVersion = "\(.*\)"/\1/p' Sources/Texts/Version.swift)
DEB_PACKAGES := $(LIBRARIES) build-essential debhelper dpkg-dev lintian
CROSS_PACKAGES := dpkg-dev mmdebstrap python3
OWN_ARCH     := $(shell dpkg --print-architecture 2>/dev/null)
ARCH         ?= $(OWN_ARCH)
DEBS          = $(foreach p,adhand adhand-programs adhand-companion adhand-display adhand-remote adhand-bridge adhand-hooks \
	adhand-fleet,dist/$p_$(VERSION)$(BUILD)_$(ARCH).deb) \
	$(foreach p,adhand-box $(if $(ARCHIVE_URL),adhand-archive-keyring),dist/$p_$(VERSION)$(BUILD)_all.deb)

deb: ## Build Debian packages in dist; ARCH=arm64 builds them for arm64
ifeq ($(ARCH),$(OWN_ARCH))
	@Tests/install-packages.sh $(DEB_PACKAGES)
	@debian/changelog.sh $(VERSION)$(BUILD) > debian/changelog.new && mv debian/changelog.new debian/changelog
	@mkdir -p dist
	$(if $(ARCHIVE_URL),DEB_BUILD_PROFILES=pkg.adhand.archive) dpkg-buildpackage --build=binary --no-sign \
	    --buildinfo-file=dist/adhand.buildinfo --buildinfo-option=-udist \
	    --changes-file=dist/adhand.changes --changes-option=-udist
	lintian --fail-on error,warning $(DEBS)
	@ls -l $(DEBS)
else ifeq ($(ARCH),arm64)
	@Tests/install-packages.sh $(CROSS_PACKAGES)
	debian/cross/deb.sh $(VERSION)$(BUILD) $(FILES)
else
	@echo 'make deb ARCH=$(ARCH): packages are built for arm64, and for a machine itself' >&2; exit 1
endif

# Installs the packages on a fresh Debian 12 and 13 with a real systemd. SUITES_TESTED="trixie" is only Debian 13. With ARCH=arm64
# on an amd64 machine, the programs run under emulation and on an emulated machine; PARTS="programs times suites machine" selects
# parts of that.
EMULATION_PACKAGES := qemu-user-static qemu-system-arm qemu-utils cpio kmod xz-utils e2fsprogs libasound2-dev
PARTS ?=
ifeq ($(ARCH),$(OWN_ARCH))
deb-test: deb ## Test the packages on fresh Debian systems
	@Tests/install-packages.sh mmdebstrap systemd-container gcc libc6-dev
	Tests/package/run.sh
else
deb-test: build deb
	@Tests/install-packages.sh $(CROSS_PACKAGES) $(EMULATION_PACKAGES)
	Tests/arm64/run.sh $(RELEASE) $(PARTS)
endif

# Plays the first evening and day of Ramadan at a mosque with a timetable, in a container whose clock is set ahead.
ramadan-rig: deb film ## Test Ramadan at a mosque: its first day in a container, and filmed on the screen
	@Tests/install-packages.sh mmdebstrap systemd-container gcc libc6-dev libasound2-dev
	Tests/package/ramadan.sh

# Takes fifteen minutes. KEEP=FOLDER keeps the frames.
film: build browser ## Film Ramadan and both Eids on the screen of a real adhand, second by second
	@Tests/install-packages.sh gcc libc6-dev libasound2-dev
	Tests/display/film.py $(RELEASE) $(if $(KEEP),--keep $(KEEP))

# `make image [ARCH=arm64] [DISPLAY=1]` makes dist/adhan-box_VERSION_ARCHITECTURE.img for a Raspberry Pi, or with ARCH=amd64 for
# a PC, from the packages of that architecture in dist. It downloads 150 to 480 MB once, and keeps them in .build-image. For a
# Raspberry Pi it also makes a compressed image, and the list with which Raspberry Pi Imager offers it. IMAGE_URL is the address
# of the folder where both will be published.

IMAGE_ARCH := $(if $(filter command environment,$(firstword $(origin ARCH))),$(ARCH),arm64)
IMAGE_PACKAGES := mmdebstrap squashfs-tools mtools dosfstools e2fsprogs fdisk xz-utils device-tree-compiler
image: ## Make the card image of a box in dist; ARCH=arm64 or amd64, DISPLAY=1 with the screen
	@Tests/install-packages.sh $(IMAGE_PACKAGES) \
	    $(if $(filter $(shell dpkg --print-architecture),$(IMAGE_ARCH)),,qemu-user-static arch-test)
	IMAGE_URL="$(IMAGE_URL)" image/make.sh $(IMAGE_ARCH) $(if $(filter 1,$(DISPLAY)),display)

# Runs the image under QEMU: configured through its FAT partition, it calls on time, and its power is cut CUTS times at random
# moments. Results are kept in .build-image, and an interrupted run continues. DISPLAY=1 tests the image with the screen, and
# takes pictures of it.
CUTS ?= 50
image-test: ## Test the card image under QEMU, with CUTS power cuts
	@Tests/install-packages.sh $(IMAGE_PACKAGES) $(ARCHIVE_PACKAGES) python3 openssh-client iw zstd \
	    $(if $(filter arm64,$(IMAGE_ARCH)),qemu-system-arm,qemu-system-x86 qemu-utils ovmf)
	Tests/box/run.py dist/adhan-box$(if $(filter 1,$(DISPLAY)),-display)_$(VERSION)_$(IMAGE_ARCH).img --cuts $(CUTS)

# Runs 1,000 machines of every ring, wrong keys, old indices and foreign packages through the apt of Debian 12 and 13.
phase-test: ## Test the apt archive's rings, keys and indices with the apt of Debian 12 and 13
	@Tests/install-packages.sh $(ARCHIVE_PACKAGES) mmdebstrap jq
	Tests/archive/phase.py

# `make release` makes everything that is published of the last commit, in dist/release, and then the archive, if ARCHIVE_URL is
# set. IMAGE=0 leaves out the card's image. `make release-again` makes the release once more and compares the two. With RESOLVED,
# the release's Package.resolved, that works a year later as well.
RESOLVED ?=
release: ## Make everything that is published of the last commit, in dist/release, and the apt archive
	@Tests/install-packages.sh git $(DEB_PACKAGES) $(CROSS_PACKAGES)
	ARCHIVE_URL="$(ARCHIVE_URL)" IMAGE_URL="$(IMAGE_URL)" debian/release.sh dist/release $(RESOLVED)
ifeq ($(ARCHIVE_URL),)
	@echo 'There is no apt archive: to have one, set ARCHIVE_URL in the Makefile to the address where it will live' \
	    '(docs/RELEASING.md).'
else
	@$(MAKE) --no-print-directory archive
endif

release-again: ## Make the release once more and compare; RESOLVED=FILE is the Package.resolved of the release
	ARCHIVE_URL="$(ARCHIVE_URL)" IMAGE_URL="$(IMAGE_URL)" debian/release.sh dist/release-again \
	    $(or $(RESOLVED),$(wildcard dist/release/Package.resolved))
	diff -r dist/release dist/release-again && echo 'twice the same bytes'

# docs/RELEASING.md describes when to run the following targets.
archive: ## Publish the packages of dist/release in the signed apt archive, for 1 % of the machines
	@[ -n "$(ARCHIVE_URL)" ] || { echo 'ARCHIVE_URL in the Makefile is empty: set it to the address where the archive will live' \
	    '(docs/RELEASING.md)' >&2; exit 1; }
	@Tests/install-packages.sh $(ARCHIVE_PACKAGES)
	debian/archive.sh publish $(ARCHIVE) dist/release

archive-phase: ## Offer the archive's newest version to PERCENT of the machines: 10, 50, 100
	debian/archive.sh phase $(ARCHIVE) $(PERCENT)

RINGS        ?= 1 10 50 100
archive-rings: ## Make signed indices of two versions for a fleet's server; RINGS has the percentages
	debian/archive.sh rings $(ARCHIVE) $(RINGS)

archive-sign: ## Sign the archive's index again, which is needed daily
	debian/archive.sh sign $(ARCHIVE)

archive-withdraw: ## Remove the newest version from the archive, in an emergency
	debian/archive.sh withdraw $(ARCHIVE)
