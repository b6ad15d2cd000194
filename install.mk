# Part of the Makefile: installation on this machine, or into the tree of a package.
# `make install [PREFIX=/usr/local] [DESTDIR=]`: with DESTDIR, the files go into that tree, and the machine stays as it is.

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
# The command that runs programs of another architecture, when their completions are written.
EMULATOR    ?=
# Empty if another step installs the file of the programs, as the Debian packages do.
WITH_FILE   ?= install-programs
SOUNDS      := signal.mp3 $(wildcard Resources/audio/standard/*.mp3 Resources/audio/standard-ar/*.mp3)
SOUNDS      := $(patsubst Resources/audio/%,%,$(SOUNDS)) LICENSE README.md SHA256SUMS
INSTALLED    = $(BINDIR)/adhand $(BINDIR)/adhanctl \
	$(UNITDIR)/adhand.service $(UNITDIR)/adhand.socket $(UNITDIR)/adhand-again.timer \
	$(USERUNITDIR)/adhand.service $(USERUNITDIR)/adhand.socket $(USERUNITDIR)/adhand-again.timer \
	$(SYSUSERSDIR)/adhand.conf $(TMPFILESDIR)/adhand.conf $(CATALOGDIR)/adhand.catalog \
	$(MANDIR)/man8/adhand.8 $(MANDIR)/man1/adhanctl.1 $(MANDIR)/man5/adhand.toml.5 \
	$(foreach p,adhand adhanctl,$(BASHDIR)/$p $(ZSHDIR)/_$p $(FISHDIR)/$p.fish)


# $(call again,SERVICE,PAGE,DIRECTORY) writes the timer that restarts SERVICE after it found an invalid file.
again = sed -e 's|@SERVICE@|$(1)|g' -e 's|@PAGE@|$(2)|g' systemd/again.timer > "$(DESTDIR)$(3)/$(1)-again.timer" && \
	chmod 644 "$(DESTDIR)$(3)/$(1)-again.timer"

# $(call install_links,FOLDER,NAMES) links NAMES in FOLDER to the file of the programs.
define install_links
	$(INSTALL) -d -m 755 "$(DESTDIR)$(1)"
	@for n in $(2); do ln -srfn "$(DESTDIR)$(PROGRAMDIR)/adhan-programs" "$(DESTDIR)$(1)/$$n" || exit 1; done
endef

# $(call install_unit,FOLDER,FILE,NAME) installs a unit, with the folders of the programs and of their data filled in.
define install_unit
	sed -e 's|@BINDIR@|$(BINDIR)|g' -e 's|@LIBEXECDIR@|$(LIBEXECDIR)|g' -e 's|@DATADIR@|$(DATADIR)|g' \
	    "systemd/$(2)" > "$(DESTDIR)$(1)/$(3)"
	@chmod 644 "$(DESTDIR)$(1)/$(3)"
endef
define line


endef
# $(call install_units,FILES) installs system units.
install_units = $(foreach u,$(1),$(call install_unit,$(UNITDIR),$(u),$(u))$(line))

# $(call install_completions,PROGRAMS) installs the completions that each program prints for three shells.
define install_completions
	@$(INSTALL) -d -m 755 "$(DESTDIR)$(BASHDIR)" "$(DESTDIR)$(ZSHDIR)" "$(DESTDIR)$(FISHDIR)"
	@for p in $(1); do \
	    $(EMULATOR) $(RELEASE)/$$p --generate-completion-script bash | sed '1{/^#!/d}' > "$(DESTDIR)$(BASHDIR)/$$p" && \
	    $(EMULATOR) $(RELEASE)/$$p --generate-completion-script zsh > "$(DESTDIR)$(ZSHDIR)/_$$p" && \
	    $(EMULATOR) $(RELEASE)/$$p --generate-completion-script fish > "$(DESTDIR)$(FISHDIR)/$$p.fish" || exit 1; done
endef

COMPANION_INSTALLED = $(BINDIR)/adhan-companion $(BINDIR)/prayed $(USERUNITDIR)/adhan-companion.service \
	$(USERUNITDIR)/adhan-companion-again.timer \
	$(MANDIR)/man1/adhan-companion.1 $(MANDIR)/man1/prayed.1 \
	$(BASHDIR)/adhan-companion $(ZSHDIR)/_adhan-companion $(FISHDIR)/adhan-companion.fish

DISPLAYED    = $(BINDIR)/adhan-display $(UNITDIR)/adhan-display.service $(UNITDIR)/adhan-display.socket \
	$(UNITDIR)/adhan-display-lan.socket $(UNITDIR)/adhan-display-again.timer $(SYSUSERSDIR)/adhan-display.conf \
	$(MANDIR)/man8/adhan-display.8 \
	$(LIBEXECDIR)/adhan-kiosk $(UNITDIR)/adhan-kiosk.service $(MANDIR)/man8/adhan-kiosk.8 \
	$(LIBEXECDIR)/adhan-touch $(UNITDIR)/adhan-touch.socket $(UNITDIR)/adhan-touch@.service $(MANDIR)/man8/adhan-touch.8

# These files come from `make build`, which the owner of the checkout runs. Under sudo, `make install` only copies, so Swift need
# not be on root's path.
$(RELEASE)/adhand $(RELEASE)/adhanctl $(RELEASE)/adhan-programs:
	@test -x $@ || { echo 'make install: $@ is not there; run "make build" first' >&2; exit 1; }

install-programs: $(RELEASE)/adhan-programs
install-programs: ## Install the file that contains the other programs; the following targets do so as well
	$(INSTALL) -D -m 755 $(RELEASE)/adhan-programs "$(DESTDIR)$(PROGRAMDIR)/adhan-programs"

install: $(RELEASE)/adhand $(RELEASE)/adhanctl ## Install adhand and adhanctl under PREFIX (/usr/local); DESTDIR for a package
	$(INSTALL) -D -m 755 $(RELEASE)/adhand "$(DESTDIR)$(BINDIR)/adhand"
	ln -sf adhand "$(DESTDIR)$(BINDIR)/adhanctl"
	@for f in $(SOUNDS); do \
	    $(INSTALL) -D -m 644 "Resources/audio/$$f" "$(DESTDIR)$(DATADIR)/adhand/audio/$$f" || exit 1; done
	$(INSTALL) -d -m 755 "$(DESTDIR)$(UNITDIR)"
	$(call install_units,adhand.service)
	$(INSTALL) -m 644 systemd/adhand.socket "$(DESTDIR)$(UNITDIR)/adhand.socket"
	@$(call again,adhand,adhand(8),$(UNITDIR))
	$(INSTALL) -d -m 755 "$(DESTDIR)$(USERUNITDIR)"
	$(call install_unit,$(USERUNITDIR),adhand-user.service,adhand.service)
	$(INSTALL) -m 644 systemd/adhand-user.socket "$(DESTDIR)$(USERUNITDIR)/adhand.socket"
	@$(call again,adhand,adhand(8),$(USERUNITDIR))
	$(INSTALL) -D -m 644 systemd/adhand.sysusers "$(DESTDIR)$(SYSUSERSDIR)/adhand.conf"
	$(INSTALL) -D -m 644 systemd/adhand.tmpfiles "$(DESTDIR)$(TMPFILESDIR)/adhand.conf"
	$(INSTALL) -D -m 644 systemd/adhand.catalog "$(DESTDIR)$(CATALOGDIR)/adhand.catalog"
	$(INSTALL) -D -m 644 docs/man/adhand.8 "$(DESTDIR)$(MANDIR)/man8/adhand.8"
	$(INSTALL) -D -m 644 docs/man/adhanctl.1 "$(DESTDIR)$(MANDIR)/man1/adhanctl.1"
	$(INSTALL) -D -m 644 docs/man/adhand.toml.5 "$(DESTDIR)$(MANDIR)/man5/adhand.toml.5"
	$(call install_completions,adhand adhanctl)
	@for f in README.md CONTRIBUTING.md CHANGELOG.md $(wildcard docs/*.md); do \
	    $(INSTALL) -D -m 644 "$$f" "$(DESTDIR)$(DOCDIR)/$$f" || exit 1; done
	@$(INSTALL) -D -m 644 Resources/adhand.toml "$(DESTDIR)$(DATADIR)/adhand/adhand.toml"
ifeq ($(DESTDIR),)
	@systemd/register.sh "$(SYSUSERSDIR)/adhand.conf" "$(TMPFILESDIR)/adhand.conf" "$(UNITDIR)/adhand.service"
endif

# The companion needs no file of the daemon's installation.
install-companion: $(WITH_FILE) ## Install the companion for a desktop
	$(call install_links,$(BINDIR),adhan-companion)
	ln -sf adhan-companion "$(DESTDIR)$(BINDIR)/prayed"
	$(INSTALL) -d -m 755 "$(DESTDIR)$(USERUNITDIR)"
	$(call install_unit,$(USERUNITDIR),adhan-companion.service,adhan-companion.service)
	@$(call again,adhan-companion,adhan-companion(1),$(USERUNITDIR))
	$(INSTALL) -D -m 644 docs/man/adhan-companion.1 "$(DESTDIR)$(MANDIR)/man1/adhan-companion.1"
	ln -sf adhan-companion.1 "$(DESTDIR)$(MANDIR)/man1/prayed.1"
	$(call install_completions,adhan-companion)

# The file of the programs stays if another program is still linked to it.
uninstall-companion: ## Remove the companion
	@for f in $(COMPANION_INSTALLED); do rm -fv "$(DESTDIR)$$f"; done
	@for p in $(OTHERS); do [ ! -e "$(DESTDIR)$(BINDIR)/$$p" ] || exit 0; done; rm -fv "$(DESTDIR)$(PROGRAMDIR)/adhan-programs"

# The prayer screen for browsers is a program of its own.
install-display: $(WITH_FILE) ## Install the screen
	$(call install_links,$(BINDIR),adhan-display)
	$(call install_links,$(LIBEXECDIR),adhan-kiosk adhan-touch)
	@cd Resources/display/page && for f in *.html *.css *.js *.svg *.webmanifest languages/*.json; do \
	    $(INSTALL) -D -m 644 "$$f" "$(DESTDIR)$(DATADIR)/adhand/display/$$f" || exit 1; done
	$(INSTALL) -D -m 644 Resources/display/kiosk.json "$(DESTDIR)$(DATADIR)/adhand/kiosk/adhand.json"
# The folder stays empty here: only adhan-kiosk.service sees the browser's policy in it.
	$(INSTALL) -d -m 755 "$(DESTDIR)/etc/chromium/policies/managed"
	$(INSTALL) -d -m 755 "$(DESTDIR)$(UNITDIR)"
	$(call install_units,adhan-display.service adhan-kiosk.service adhan-touch@.service)
	@$(call again,adhan-display,adhan-display(8),$(UNITDIR))
	$(INSTALL) -m 644 systemd/adhan-display.socket systemd/adhan-display-lan.socket systemd/adhan-touch.socket \
	    "$(DESTDIR)$(UNITDIR)/"
	$(INSTALL) -D -m 644 systemd/adhan-display.sysusers "$(DESTDIR)$(SYSUSERSDIR)/adhan-display.conf"
	$(INSTALL) -D -m 644 docs/man/adhan-display.8 "$(DESTDIR)$(MANDIR)/man8/adhan-display.8"
	$(INSTALL) -D -m 644 docs/man/adhan-kiosk.8 "$(DESTDIR)$(MANDIR)/man8/adhan-kiosk.8"
	$(INSTALL) -D -m 644 docs/man/adhan-touch.8 "$(DESTDIR)$(MANDIR)/man8/adhan-touch.8"
ifeq ($(DESTDIR),)
	@if command -v systemd-sysusers >/dev/null; then systemd-sysusers "$(SYSUSERSDIR)/adhan-display.conf"; fi
	@if [ -d /run/systemd/system ]; then systemctl daemon-reload; fi
	@echo 'Installed. Start it, now and with the machine:  sudo systemctl enable --now adhan-display'
endif

REMOTE       = $(BINDIR)/adhan-remote $(LIBEXECDIR)/adhan-hotspot-dns \
	$(UNITDIR)/adhan-remote.service $(UNITDIR)/adhan-remote.socket \
	$(UNITDIR)/adhan-remote-pairing.socket $(UNITDIR)/adhan-remote-again.timer $(UNITDIR)/adhan-intake.socket \
	$(UNITDIR)/adhan-intake@.service $(UNITDIR)/adhan-remote-setup.socket $(UNITDIR)/adhan-hotspot-dns.socket \
	$(UNITDIR)/adhan-hotspot-dns.service $(SYSUSERSDIR)/adhan-remote.conf $(TMPFILESDIR)/adhan-remote.conf \
	$(DATADIR)/adhand/adhan-remote.dnssd $(MANDIR)/man8/adhan-remote.8 $(MANDIR)/man8/adhan-hotspot-dns.8

# The phone page is a program of its own, and disabled by default.
install-remote: $(WITH_FILE) ## Install the phone page
	$(call install_links,$(BINDIR),adhan-remote)
	$(call install_links,$(LIBEXECDIR),adhan-hotspot-dns)
	$(INSTALL) -d -m 755 "$(DESTDIR)$(UNITDIR)"
	$(call install_units,adhan-remote.service adhan-intake@.service adhan-hotspot-dns.service)
	@$(call again,adhan-remote,adhan-remote(8),$(UNITDIR))
	$(INSTALL) -m 644 systemd/adhan-remote.socket systemd/adhan-remote-pairing.socket systemd/adhan-remote-setup.socket \
	    systemd/adhan-intake.socket \
	    systemd/adhan-hotspot-dns.socket "$(DESTDIR)$(UNITDIR)/"
	$(INSTALL) -D -m 644 systemd/adhan-remote.sysusers "$(DESTDIR)$(SYSUSERSDIR)/adhan-remote.conf"
	$(INSTALL) -D -m 644 systemd/adhan-remote.tmpfiles "$(DESTDIR)$(TMPFILESDIR)/adhan-remote.conf"
	$(INSTALL) -D -m 644 systemd/adhan-remote.dnssd "$(DESTDIR)$(DATADIR)/adhand/adhan-remote.dnssd"
	$(INSTALL) -D -m 644 docs/man/adhan-remote.8 "$(DESTDIR)$(MANDIR)/man8/adhan-remote.8"
	$(INSTALL) -D -m 644 docs/man/adhan-hotspot-dns.8 "$(DESTDIR)$(MANDIR)/man8/adhan-hotspot-dns.8"
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

# The bridge for MQTT, Home Assistant and alerts is a program of its own, and does nothing until its file exists.
install-bridge: $(WITH_FILE) ## Install the bridge for MQTT, Home Assistant and alerts
	$(call install_links,$(BINDIR),adhan-bridge)
	$(INSTALL) -d -m 755 "$(DESTDIR)$(UNITDIR)"
	$(call install_units,adhan-bridge.service adhan-messages.socket adhan-messages.path adhan-messages@.service)
	@$(call again,adhan-bridge,adhan-bridge(8),$(UNITDIR))
	$(INSTALL) -D -m 644 systemd/adhan-bridge.sysusers "$(DESTDIR)$(SYSUSERSDIR)/adhan-bridge.conf"
	$(INSTALL) -D -m 644 docs/man/adhan-bridge.8 "$(DESTDIR)$(MANDIR)/man8/adhan-bridge.8"
	$(INSTALL) -D -m 644 systemd/adhan-bridge-mail.conf "$(DESTDIR)$(DATADIR)/adhand/bridge/mail.conf"
	@for f in $(notdir $(wildcard Resources/homeassistant/*.yaml)); do \
	    $(INSTALL) -D -m 644 "Resources/homeassistant/$$f" \
	        "$(DESTDIR)$(DATADIR)/adhand/homeassistant/blueprints/automation/adhand/$$f" || exit 1; done
	$(call install_completions,adhan-bridge)
ifeq ($(DESTDIR),)
	@if command -v systemd-sysusers >/dev/null; then systemd-sysusers "$(SYSUSERSDIR)/adhan-bridge.conf"; fi
	@if [ -d /run/systemd/system ]; then systemctl daemon-reload; fi
	@echo 'Installed. Write /etc/adhand/bridge.toml (docs/HOME.md), then:  sudo systemctl enable --now adhan-bridge'
	@echo 'For messages that are set on the phone page:                   ' \
	    'sudo systemctl enable --now adhan-messages.socket adhan-messages.path'
endif

HOOKS        = $(BINDIR)/adhan-hooks $(UNITDIR)/adhan-hooks.service $(UNITDIR)/adhan-hooks-again.timer \
	$(SYSUSERSDIR)/adhan-hooks.conf $(RULESDIR)/70-adhan-hooks.rules $(MANDIR)/man8/adhan-hooks.8 \
	$(BASHDIR)/adhan-hooks $(ZSHDIR)/_adhan-hooks $(FISHDIR)/adhan-hooks.fish

# The hooks, for programs and relays, are a program of their own, and do nothing until their file exists.
install-hooks: $(WITH_FILE) ## Install the hooks, which run programs and switch amplifiers for the adhan
	$(call install_links,$(BINDIR),adhan-hooks)
	$(INSTALL) -d -m 755 "$(DESTDIR)$(UNITDIR)"
	$(call install_units,adhan-hooks.service)
	@$(call again,adhan-hooks,adhan-hooks(8),$(UNITDIR))
	$(INSTALL) -D -m 644 systemd/adhan-hooks.sysusers "$(DESTDIR)$(SYSUSERSDIR)/adhan-hooks.conf"
	$(INSTALL) -D -m 644 systemd/adhan-hooks.rules "$(DESTDIR)$(RULESDIR)/70-adhan-hooks.rules"
	$(INSTALL) -D -m 644 docs/man/adhan-hooks.8 "$(DESTDIR)$(MANDIR)/man8/adhan-hooks.8"
	$(call install_completions,adhan-hooks)
ifeq ($(DESTDIR),)
	@if command -v systemd-sysusers >/dev/null; then systemd-sysusers "$(SYSUSERSDIR)/adhan-hooks.conf"; fi
	@if [ -d /run/udev ]; then touch -c "$(RULESDIR)/70-adhan-hooks.rules"; udevadm control --reload; \
	    udevadm trigger --action=change --subsystem-match=gpio --subsystem-match=input; fi
	@if [ -d /run/systemd/system ]; then systemctl daemon-reload; fi
	@echo 'Installed. Write /etc/adhand/hooks.toml (docs/HOME.md), then:  sudo systemctl enable --now adhan-hooks'
endif

FLEET        = $(BINDIR)/adhan-fleet \
	$(foreach u,adhan-fleet.service adhan-fleet-again.timer adhan-fleet-reload.path adhan-fleet-reload.service,$(UNITDIR)/$u) \
	$(SYSUSERSDIR)/adhan-fleet.conf $(TMPFILESDIR)/adhan-fleet.conf $(MANDIR)/man1/adhan-fleet.1 \
	$(BASHDIR)/adhan-fleet $(ZSHDIR)/_adhan-fleet $(FISHDIR)/adhan-fleet.fish

# For the two machines from which many boxes are managed: the one with the keys, and the server.
install-fleet: $(WITH_FILE) ## Install keys, signatures and the watch for a fleet of boxes
	$(call install_links,$(BINDIR),adhan-fleet)
	$(INSTALL) -d -m 755 "$(DESTDIR)$(UNITDIR)"
	$(call install_units,adhan-fleet.service)
	$(INSTALL) -m 644 systemd/adhan-fleet-reload.path systemd/adhan-fleet-reload.service "$(DESTDIR)$(UNITDIR)/"
	@$(call again,adhan-fleet,adhan-fleet(1),$(UNITDIR))
	$(INSTALL) -D -m 644 systemd/adhan-fleet.sysusers "$(DESTDIR)$(SYSUSERSDIR)/adhan-fleet.conf"
	$(INSTALL) -D -m 644 systemd/adhan-fleet.tmpfiles "$(DESTDIR)$(TMPFILESDIR)/adhan-fleet.conf"
	$(INSTALL) -D -m 644 docs/man/adhan-fleet.1 "$(DESTDIR)$(MANDIR)/man1/adhan-fleet.1"
	$(call install_completions,adhan-fleet)
ifeq ($(DESTDIR),)
	@if command -v systemd-sysusers >/dev/null; then systemd-sysusers "$(SYSUSERSDIR)/adhan-fleet.conf"; \
	    systemd-tmpfiles --create "$(TMPFILESDIR)/adhan-fleet.conf"; fi
	@if [ -d /run/systemd/system ]; then systemctl daemon-reload; fi
	@echo 'Installed. On the server:  sudo adhan-fleet init --org NAME --broker URL, then:  sudo systemctl enable --now adhan-fleet'
endif

# Installs the archive's keys, its address, and the preferences that limit which packages apt may take from it.
install-keyring: ## Install keys, source and preferences of the apt archive; DESTDIR for a package
	@[ -n "$(ARCHIVE_URL)" ] || { echo 'ARCHIVE_URL in the Makefile is empty: set it to the address where the archive will live' \
	    '(docs/RELEASING.md)' >&2; exit 1; }
	$(INSTALL) -d -m 755 "$(DESTDIR)/usr/share/keyrings" "$(DESTDIR)/etc/apt/sources.list.d" "$(DESTDIR)/etc/apt/preferences.d"
	debian/archive.sh keyring "$(DESTDIR)/usr/share/keyrings/adhand-archive-keyring.pgp"
	sed 's|@ARCHIVE_URL@|$(ARCHIVE_URL)|' debian/archive-files/adhand.sources > "$(DESTDIR)/etc/apt/sources.list.d/adhand.sources"
	$(INSTALL) -m 644 debian/archive-files/adhand.preferences "$(DESTDIR)/etc/apt/preferences.d/adhand"
	@chmod 644 "$(DESTDIR)/usr/share/keyrings/adhand-archive-keyring.pgp" "$(DESTDIR)/etc/apt/sources.list.d/adhand.sources"

# Makes a Debian system a box that is flashed, configured by its card, and may lose its power at any time.
BOX          = $(DESTDIR)/usr/lib/adhand-box
# The units to which a box adds settings.
BOX_DROP_INS = adhand.service adhan-remote.service adhan-remote.socket adhan-remote-setup.socket adhan-remote-pairing.socket \
	adhan-touch@.service adhan-kiosk.service adhan-display.service \
	adhan-hooks.service wpa_supplicant@wlan0.service
install-box: ## Install what makes a Debian system a flashed box
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
	@if [ -d /run/systemd/system ]; then \
	    systemctl disable --now $(filter-out %@.service,$(notdir $(wildcard box/units/*))) || true; fi
endif
	@for f in $(BOX_INSTALLED); do rm -fv "$(DESTDIR)$$f"; done
	@for u in $(BOX_DROP_INS); do rmdir "$(DESTDIR)$(UNITDIR)/$$u.d" 2>/dev/null || true; done
	rm -rf "$(BOX)" "$(DESTDIR)/usr/share/adhand-box"
ifeq ($(DESTDIR),)
	@if [ -d /run/systemd/system ]; then systemctl daemon-reload; fi
endif

# These stay: the configuration in /etc/adhand, the added sounds and the history in /var/lib/adhand, and the user that owns them.
uninstall: ## Remove adhand and all its programs; settings and history stay
ifeq ($(DESTDIR),)
	@if [ -d /run/systemd/system ]; then systemctl disable --now adhan-fleet-reload.path adhan-fleet.service adhan-hooks.service \
	    adhan-messages.socket adhan-messages.path adhan-bridge.service adhan-remote.socket adhan-remote-pairing.socket \
	    adhan-intake.socket adhan-remote.service adhan-kiosk.service adhan-touch.socket adhan-display-lan.socket \
	    adhan-display.socket adhan-display.service adhand.socket adhand.service || true; fi
endif
	@for f in $(INSTALLED) $(DISPLAYED) $(REMOTE) $(BRIDGE) $(HOOKS) $(FLEET) $(COMPANION_INSTALLED) \
	    $(PROGRAMDIR)/adhan-programs; do rm -fv "$(DESTDIR)$$f"; done
	@rmdir "$(DESTDIR)$(PROGRAMDIR)" 2>/dev/null || true
	rm -rf "$(DESTDIR)$(DATADIR)/adhand" "$(DESTDIR)$(DOCDIR)"
	@rm -fv "$(DESTDIR)$(SYSCONFDIR)/systemd/dnssd/adhan-remote.dnssd"
	@rmdir "$(DESTDIR)$(SYSCONFDIR)/adhand" 2>/dev/null || true
	@rmdir -p "$(DESTDIR)/etc/chromium/policies/managed" 2>/dev/null || true
ifeq ($(DESTDIR),)
	@if [ -d /run/systemd/system ]; then systemctl daemon-reload; journalctl --update-catalog; fi
	@echo 'Kept: /etc/adhand (configuration) and /var/lib/adhand (added sounds, history). Remove them yourself if you want to.'
endif
