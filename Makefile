# Two commands: `make site` and `make test`. Both install what is missing, and say what they do.
SHELL := /bin/bash
PREFIX ?= /usr/local
DESTDIR ?=
BINARY := .build/release/stillfeed
SECONDS ?= 60

.PHONY: help site serve test checks torture torture-long fuzz release reproduce lint format bench build setup install clean

help: ## print this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { sub(/\$$\(DESTDIR\)\$$\(PREFIX\)/, "$(PREFIX)"); printf "  make %-9s %s\n", $$1, $$2 }' Makefile

setup: ## install the Debian packages that a build needs (without root: print the command)
	@Scripts/setup.sh

build: setup ## build the command: .build/release/stillfeed
	@echo "== building stillfeed (the first time takes a few minutes)"
	@swift build -c release --product stillfeed

site: build ## build the sample archive of this repository into Site/
	@echo "== building the sample archive into Site/"
	@$(BINARY) build -C . -o Site
	@echo "Look at it: 'make serve' shows it at an address of this machine."
	@echo "To open Site/index.html from the disk: $(BINARY) build --links explicit"

serve: build ## show the sample archive in a browser, and follow changes
	@$(BINARY) serve -C .

test: setup ## run every test of the sources (ARGUMENTS="--filter JSONTests": some)
	@Scripts/test.sh $(ARGUMENTS)

checks: build ## judge the built sample by standards (installs what the checks need)
	@Scripts/checks.sh $(BINARY)

torture: build ## break builds, edits and the preview off, crowd and overload them, some minutes of it
	@Scripts/torture.sh $(BINARY)

fuzz: setup ## feed each parser what libFuzzer makes of the fixtures (SECONDS=60 each)
	@Scripts/fuzz.sh $(SECONDS)

torture-long: build ## the same at full length
	@Scripts/torture.sh $(BINARY) --long

release: setup ## build the archive that is handed out, into dist/
	@Scripts/release.sh

reproduce: setup ## build that archive twice in fresh containers, compare the bytes, try it (root, fifteen minutes)
	@Scripts/reproduce-release.sh

lint: ## look at layout and style, without building
	@Scripts/lint.sh

format: ## lay the Swift sources out
	@swift format --in-place --parallel --recursive Sources Tests Package.swift

bench: build ## time builds of generated archives and the hot paths (needs python3)
	@swift build -c release --product micro
	@Benchmarks/run.sh $(BINARY)

install: ## put the command into $(DESTDIR)$(PREFIX)/bin
	@test -x $(BINARY) || $(MAKE) build
	@install -D -m 755 $(BINARY) "$(DESTDIR)$(PREFIX)/bin/stillfeed"
	@echo "Installed $(DESTDIR)$(PREFIX)/bin/stillfeed"

clean: ## remove what was built
	@rm -rf .build Site .stillfeed dist
