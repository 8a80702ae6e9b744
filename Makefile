# motiond: everything that is done here by hand or by a machine. `make help` lists it.
# On a fresh Debian 12 with Swift 6.2 or newer, `make demo` and `make test` need nothing before them.

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
.PHONY: help setup build man demo python test test-all simulate .build-simulation bugs bench bench-page bench-quick lint docs proto install pictures unit-test deb deb-test container-test clean faults soak fuzz corpus .build-fuzz asan tsan .environments

PREFIX ?= /usr/local
DESTDIR ?=

# Debian's names of what is needed besides Swift: libzmq, SQLite, libsodium and libedit to build and run; setpriv (util-linux) to
# start workers that die with their parent; protoc for `make proto` and for the client in Python that the tests run, which
# needs its two libraries too, as do the manual pages Python; a receiver of OSC that is not ours, for the tests;
# systemd-analyze to verify the unit; dot, to check the graphs that motionctl writes for it; ip, to join machines that are
# none; venv for Ruckig, to which the tests compare moves, for readers of MCAP, for viewers and for receivers of DMX; an emulator, to replay on other
# processors; tsc, which checks the types of the page; a browser with its driver, for the tests of the page; Wireshark, which dissects packets.
PACKAGES := libzmq3-dev libsqlite3-dev libsodium-dev libedit-dev strace util-linux protobuf-compiler python3-zmq python3-protobuf \
  python3-liblo systemd graphviz iproute2 patchelf python3-venv qemu-user node-typescript chromium chromium-driver python3-selenium \
  tshark libola1
# What only `make deb` and `make deb-test` need.
DEB_PACKAGES := dpkg-dev debootstrap lintian mandoc

# Debug builds have the modules that compute optimised, with their assertions (Package.swift).
export MOTION_OPTIMISED := 1

# The time that files get which would otherwise have that of their making: that of the sources.
export SOURCE_DATE_EPOCH ?= $(shell git log -1 --format=%ct 2> /dev/null || stat -c %Y CHANGELOG.md)

PROGRAMS := motiond motionctl motion-gateway motion-studio motion-demo tween gesture osc dmx
PLUGINS := plugins/tween plugins/gesture plugins/osc plugins/dmx

RELEASE := -c release

# $(call test_environment,PROGRAMS,PLUGINS): where the tests find the programs, the plugins, and the plugins that misbehave on purpose.
# Each configuration has its own folder of plugins: `.build/plugins` holds those of `make build` and nothing else writes there.
test_environment = MOTION_BIN=$(CURDIR)/$(1) MOTION_PLUGINS=$(CURDIR)/$(2)/plugins \
  MOTION_TEST_PLUGINS=$(CURDIR)/$(2)/test-plugins
DEBUG_PLUGINS := .build/debug-plugins

# Another solver of moves under limits (PyPI), for the tests. A version of it, because its errors are known.
RUCKIG := 0.19.4
ORACLE := .build/ruckig/installed-$(RUCKIG)

# Another reader and writer of the format of recordings (PyPI), for the tests; with the decoder of its protobuf messages.
MCAP := 1.6.0
MCAP_PROTOBUF := 0.6.0
MCAP_READER := .build/mcap/installed-$(MCAP)-$(MCAP_PROTOBUF)

# Viewers, and a server of their protocol (PyPI), for the tests; protobuf decodes messages by the schemas that they get.
VIEWER_PACKAGES := robo-ws-bridge==0.11.0 foxglove-sdk==0.30.0 websockets==17.4 protobuf==7.36.2
VIEWERS := .build/viewers/installed-$(subst ==,-,$(subst $() ,_,$(VIEWER_PACKAGES)))

# Receivers of sACN and Art-Net (PyPI), for the tests.
LAMP_PACKAGES := sacn==1.11.0 aioartnet==0.2.1
LAMPS := .build/lamps/installed-$(subst ==,-,$(subst $() ,_,$(LAMP_PACKAGES)))

# OLA, one more receiver. Its package starts a daemon of the system when it is installed, so its programs are only taken out.
OLA := .build/ola/installed

# The Python package, with what its tests need. basedpyright has a version, because each finds other things.
BASEDPYRIGHT := 1.40.2
PYTHON := .build/python/installed-$(BASEDPYRIGHT)

# One test at a time in each process; Tests/run.sh says which processes run side by side.
TEST_OPTIONS := --disable-xctest --no-parallel
OPTIMISED_TESTS := -c release --scratch-path .build-release -Xswiftc -enable-testing

# $(call assemble,SOURCES,PROGRAMS,INTO): a plugin that runs is a folder with plugin.json, its program and its data.
define assemble
@for source in $(1); do \
  name=$$(basename $$source); rm -rf $(3)/$$name; mkdir -p $(3)/$$name; \
  cp $$(find $$source -type f ! -name '*.swift') $(2)/$$name $(3)/$$name/; \
  chmod go-w $(3) $(3)/$$name $(3)/$$name/*; \
done
endef

help: ## what can be made
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

setup: ## install the Debian packages that are missing (as root or through sudo)
	@command -v swift > /dev/null || { echo "Swift 6.2 or newer is needed: https://www.swift.org/install/linux/"; exit 1; }
	@missing=; for package in $(PACKAGES); do \
	  dpkg-query -W -f '$${db:Status-Abbrev}' $$package 2> /dev/null | grep -q '^ii' || missing+=" $$package"; \
	done; \
	[ -n "$$missing" ] || exit 0; \
	echo "installing$$missing"; \
	[ "$$(id -u)" = 0 ] && root=env || root="sudo env"; \
	apt="$$root DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=120"; \
	$$apt update && $$apt install --yes --no-install-recommends $$missing

build: setup ## programs in .build/release, runnable plugins in .build/plugins, and in .build/linked what `make install` takes
	for program in $(PROGRAMS); do swift build $(RELEASE) --product $$program; done
	$(call assemble,$(PLUGINS),.build/release,.build/plugins)
	deploy/link.sh .build/linked $(filter-out motion-demo,$(PROGRAMS))
	$(MAKE) --no-print-directory man

# What the programs say of themselves, as pages.
man: ## the manual pages of what `make build` built, in .build/man
	@mkdir -p .build/man
	@render() { .build/release/$$1 --experimental-dump-help \
	  | deploy/man/render.py --section $$2 --date $(SOURCE_DATE_EPOCH) --see-also "$$3" > .build/man/$$1.$$2; }; \
	render motiond 8 "motionctl(1) motion-gateway(8) motion-studio(8) motiond.yaml(5)"; render motionctl 1 "motiond(8)"; \
	render motion-gateway 8 "motiond(8) motionctl(1)"; render motion-studio 8 "motiond(8) motionctl(1)"
	@sed "s/@DATE@/$$(date -u -d @$(SOURCE_DATE_EPOCH) +%F)/" deploy/man/motiond.yaml.5 > .build/man/motiond.yaml.5
	@if command -v mandoc > /dev/null; then mandoc -Tlint -Wwarning .build/man/*; fi

demo: build ## watch it work: a story of a minute, measured live
	.build/release/motion-demo --bin .build/release --plugins .build/plugins --dir ./.demo --svg ./.demo/demo.svg

# Random sequences of commands against the built programs, with restarts between; `make test-all` runs 500.
SEQUENCES ?= 50

# The part of their rounds that other random tests run in `make test`: a third. `make test-all` runs all of them.
DIVISOR ?= 3

# How `make test` builds. From a clean clone, `.ci/run` leaves out what only an editor and a debugger need.
TEST_BUILD ?=

$(ORACLE):
	rm -rf $(@D)
	python3 -m venv $(@D)
	$(@D)/bin/pip install --quiet --disable-pip-version-check --only-binary :all: ruckig==$(RUCKIG)
	touch $@

$(MCAP_READER):
	rm -rf $(@D)
	python3 -m venv $(@D)
	$(@D)/bin/pip install --quiet --disable-pip-version-check --only-binary :all: mcap==$(MCAP) \
	  mcap-protobuf-support==$(MCAP_PROTOBUF)
	touch $@

$(VIEWERS):
	rm -rf $(@D)
	python3 -m venv $(@D)
	$(@D)/bin/pip install --quiet --disable-pip-version-check --only-binary :all: $(VIEWER_PACKAGES)
	touch $@

$(LAMPS):
	rm -rf $(@D)
	python3 -m venv $(@D)
	$(@D)/bin/pip install --quiet --disable-pip-version-check --only-binary :all: $(LAMP_PACKAGES)
	touch $@

$(PYTHON): python/pyproject.toml
	rm -rf $(@D)
	python3 -m venv $(@D)
	$(@D)/bin/pip install --quiet --disable-pip-version-check --editable './python[test]' basedpyright==$(BASEDPYRIGHT) build
	touch $@

python: $(PYTHON) ## the Python package as wheel and sources, in .build/python-dist
	rm -rf .build/python-dist
	$(<D)/bin/python -m build --quiet --outdir .build/python-dist python
	@ls .build/python-dist

$(OLA): | setup
	rm -rf $(@D)
	mkdir -p $(@D)
	cd $(@D) && apt-get -q download ola && dpkg -x ola_*.deb .
	touch $@

# The screenshots of README and docs/studio.md. A picture has at most 200 KB; the test checks it.
pictures: setup ## the pictures of the page in docs/pictures, from a scripted session in a headless browser
	swift build --build-tests
	$(call assemble,$(PLUGINS),.build/debug,$(DEBUG_PLUGINS)/plugins)
	mkdir -p docs/pictures
	$(call test_environment,.build/debug,$(DEBUG_PLUGINS)) MOTION_PICTURES=$(CURDIR)/docs/pictures \
	  swift test --skip-build $(TEST_OPTIONS) --filter PagePictureTests

.environments: $(ORACLE) $(MCAP_READER) $(VIEWERS) $(LAMPS) $(OLA) $(PYTHON)

# What is fetched for the tests is fetched beside the build.
test: setup ## every test, with the programs built for debugging
	@$(MAKE) --no-print-directory .environments & environments=$$!; \
	swift build $(TEST_BUILD) --build-tests || { kill $$environments; exit 1; }; \
	wait $$environments
	$(call assemble,$(PLUGINS),.build/debug,$(DEBUG_PLUGINS)/plugins)
	$(call assemble,Tests/Fixtures/unruly,.build/debug,$(DEBUG_PLUGINS)/test-plugins)
	$(call test_environment,.build/debug,$(DEBUG_PLUGINS)) MOTION_SEQUENCES=$(SEQUENCES) MOTION_ROUNDS_DIVISOR=$(DIVISOR) \
	  Tests/run.sh .build/debug/motiondPackageTests.xctest $(CURDIR)/$(dir $(PYTHON))bin/python | awk -f Tests/summary.awk

# The suites that run with workers in Python, too.
PYTHON_WORKER_TESTS := Tests/(WorkerTests|RestartTests|CueTests|StandingTests|RecoveryTests|RemoteWorkerTests|WorkerGatewayTests$\
  |AdversaryTests|RoomTests|SystemCallTests|DeathTests|TrajectoryTests|WorkerNetworkTests|FrameDemandTests|TimeTests)/

test-all: lint test ## besides: the tests optimised, 100,000 schedules of the worker link in Swift and in Python, suites with workers in Python, a package of one's own, the documentation, the generated code, the installation, the unit
	swift build $(OPTIMISED_TESTS) --build-tests
	$(call assemble,$(PLUGINS),.build-release/release,.build-release/plugins)
	$(call assemble,Tests/Fixtures/unruly,.build-release/release,.build-release/test-plugins)
	$(call test_environment,.build-release/release,.build-release) MOTION_SCENARIOS=2000 MOTION_SEQUENCES=500 \
	  MOTION_MOVES=1000000 \
	  Tests/run.sh .build-release/release/motiondPackageTests.xctest $(CURDIR)/$(dir $(PYTHON))bin/python | awk -f Tests/summary.awk
	Tests/link-schedules.sh .build-release/release/motiondPackageTests.xctest $(CURDIR)/$(dir $(PYTHON))bin/python 100000
	$(call test_environment,.build-release/release,.build-release) Tests/python-workers.sh \
	  .build-release/release/motiondPackageTests.xctest $(CURDIR)/$(dir $(PYTHON))bin/python '$(PYTHON_WORKER_TESTS)'
	swift run --package-path examples/embedding
	$(MAKE) --no-print-directory docs
	$(MAKE) --no-print-directory proto
	git diff --exit-code -- Sources/MotionWire/Generated
	rm -rf .build/installed
	$(MAKE) --no-print-directory build
	$(MAKE) --no-print-directory install PREFIX=$(CURDIR)/.build/installed
	$(MAKE) --no-print-directory unit-test
	MOTION_SKIP_FAILS=1 $(MAKE) --no-print-directory deb-test
	MOTION_SKIP_FAILS=1 deploy/container-test.sh .build/deb/motiond_*.deb
	for check in motiond motionctl motion-gateway motion-studio; do .build/installed/bin/$$check --version; done
	$(MAKE) --no-print-directory bench-quick

# A number, or "forever".
SCENARIOS ?= forever
SIMULATION := MOTION_TESTS=SimulationTests

.build-simulation: setup
	$(SIMULATION) swift build $(OPTIMISED_TESTS) --product motiondPackageTests

simulate: .build-simulation ## scenarios of the simulation until you stop it, or SCENARIOS of them (docs/simulation.md)
	$(SIMULATION) MOTION_SCENARIOS=$(SCENARIOS) swift test --skip-build $(OPTIMISED_TESTS) $(TEST_OPTIONS) \
	  --filter promisesHoldInEveryScenario

bugs: setup ## make bugs on purpose, one at a time, and see that the simulation finds each
	Tests/SimulationTests/bugs.sh .build/bugs

# As root, or the network namespaces are missing.
faults: setup ## run every test that brings a fault about, and write docs/faults.md
	swift build --build-tests
	$(call assemble,$(PLUGINS),.build/debug,$(DEBUG_PLUGINS)/plugins)
	$(call assemble,Tests/Fixtures/unruly,.build/debug,$(DEBUG_PLUGINS)/test-plugins)
	@rm -f .build/faults.ndjson
	@# A file bears the name of its suite.
	$(call test_environment,.build/debug,$(DEBUG_PLUGINS)) MOTION_FAULTS_RECORD=$(CURDIR)/.build/faults.ndjson \
	  swift test --skip-build $(TEST_OPTIONS) --filter \
	  "$$(grep -rl --include='*.swift' '\.fault(' Tests/*Tests | grep -v Soundness | xargs -n1 basename -s .swift | paste -sd'|')"
	MOTION_FAULTS_UPDATE=$(CURDIR)/.build/faults.ndjson swift test --skip-build $(TEST_OPTIONS) --filter FaultTableTests

MINUTES ?= 30
SEED ?=

# As root the state is on a small disk of its own, which can be filled. All is built before it begins, so that nothing is
# built beside it. SCENARIOS=0 ends it after the minutes, for machines that have to be told.
soak: build $(if $(filter-out 0,$(SCENARIOS)),.build-simulation) ## let motiond work among faults for MINUTES (30), with those of SEED, write docs/soak.md, and simulate until you stop it
	swift build $(RELEASE) --product motion-soak
	@[ "$$(id -u)" = 0 ] && root="unshare --mount --propagation private" && disk=--small-disk || root= disk=; \
	$$root .build/release/motion-soak $$disk --bin .build/release --plugins .build/plugins --dir .soak --minutes $(MINUTES) \
	    $(if $(SEED),--seed $(SEED)) --page docs/soak.md
	@[ "$(SCENARIOS)" = 0 ] || $(MAKE) --no-print-directory simulate SCENARIOS=$(SCENARIOS)

BENCHMARKS := springs moves limits streams frame snapshots history inspect commit ticks wire journal idle input lamps faults memory
BENCH := Benchmarks/.build/release/motion-bench
# Those that start a motiond of their own have to find it.
STARTING := frame history inspect commit ticks wire idle input lamps faults memory

# $(call measure,OPTIONS,RESULTS,DOCS): every benchmark, and the page and the curves that are made of what they say.
define measure
swift build -c release --package-path Benchmarks --product motion-bench
@rm -f $(2)
@for benchmark in $(BENCHMARKS); do \
  programs=; [[ " $(STARTING) " != *" $$benchmark "* ]] || programs="--bin .build/release --plugins .build/plugins"; \
  echo "motion-bench $$benchmark $(1)"; $(BENCH) $$benchmark --json $(1) $$programs >> $(2); \
done
$(BENCH) report $(2) --remarks Benchmarks/remarks.md --output $(3)
endef

bench: build ## measure everything beside its references, a quarter of an hour, and write docs/performance.md
	$(call measure,,.build/bench.ndjson,docs)

bench-page: build $(VIEWERS) ## measure the page of motion-studio in headless Chromium, five minutes
	$(dir $(VIEWERS))bin/python Benchmarks/page.py --bin .build/release

bench-quick: build ## prove that the benchmarks work; measures nothing
	@mkdir -p .build/bench-quick
	$(call measure,--quick,.build/bench-quick/results.ndjson,.build/bench-quick)

# libFuzzer comes with the toolchain. All modules are instrumented, and run under the address sanitizer besides; its driver
# is in no library that the linker would look into by itself.
FUZZ_FLAGS := -Xswiftc -sanitize=fuzzer,address -Xcc -fsanitize=address,fuzzer-no-link -Xswiftc -use-ld=lld \
  -Xlinker --undefined=LLVMFuzzerRunDriver
FUZZ_SECONDS ?= 60
FUZZ_TARGETS ?=

.build-fuzz: setup
	swift build -c release --scratch-path .build-fuzz $(FUZZ_FLAGS) --product motion-fuzz

fuzz: .build-fuzz ## bytes from outside, made up by libFuzzer: FUZZ_SECONDS (60) for each of FUZZ_TARGETS (all)
	Fuzzing/run.sh $(FUZZ_SECONDS) $(FUZZ_TARGETS)

corpus: .build-fuzz ## take what `make fuzz` has found into the corpora of the repository, as little as does
	Fuzzing/run.sh --merge $(FUZZ_TARGETS)

# $(call sanitized,SANITIZER,SCRATCH PATH): runs the tests that were built there for a sanitizer, whose reports fail them. What Swift
# says of a crash would come in between.
sanitized = SWIFT_BACKTRACE=enable=no swift test --skip-build --sanitize=$(1) --scratch-path $(2) $(TEST_OPTIONS)

THREADED := ZeroMQTests MotionClientTests MotionCoordinatorTests MotionJournalTests MotionExecutorKitTests MotionExecutorsTests \
  MotionGatewayTests MotionLogTests
# Not under the thread sanitizer, with its reasons: its runtime makes a fork of every vfork, so that what a child says in the memory
# of its parent is not heard (PluginPlaceTests); memory is measured, of which it takes several times as much (SubscriberQueueTests);
# one thread works for minutes (oneTrajectory).
UNTHREADED := what.was.put.in.the.place.of.what.was.checked|SubscriberQueueTests|oneTrajectory

tsan: setup ## the tests of what has threads under the thread sanitizer
	MOTION_TESTS="$(THREADED)" swift build --product motiondPackageTests --sanitize=thread --scratch-path .build-thread
	MOTION_TESTS="$(THREADED)" TSAN_OPTIONS=suppressions=$(CURDIR)/Tests/thread-sanitizer.txt \
	  $(call sanitized,thread,.build-thread) --skip '$(UNTHREADED)'

# Not under the address sanitizer: what measures memory, as it keeps what was freed, and has an allocator of its own; what is started
# with little memory, of which it wants terabytes of addresses and ends at once; a flood that has to be fast.
MEASURED := SubscriberQueueTests|SpringBankMemoryTests|memoryIsBoundedByTheLimit|a.peer.that.misbehaves.at.any.socket
MEASURED := $(MEASURED)|an.endless.message|empty.parts.without.an.end|a.connection.with.too.many.subscriptions
MEASURED := $(MEASURED)|a.subscriber.that.stops.reading|a.subscriber.of.large.topics
LIMITED := motiond.without.memory|motiond.keeps.accepting.commits|a.gateway.that.exhausts|a.worker.that.exhausts
LIMITED := $(LIMITED)|a.worker.that.leaks.memory|limits.of.the.configuration|a.start.with.too.few
LIMITED := $(LIMITED)|a.worker.that.floods.motiond
ADDRESSES := .build-address
REPORTS := $(CURDIR)/$(ADDRESSES)/reports/report

asan: setup ## the tests under the address sanitizer, with the programs that the distributed ones start
	@rm -rf $(dir $(REPORTS)) && mkdir -p $(dir $(REPORTS))
	clang -c -DMOTION_REPORTS='"$(REPORTS)"' -o $(ADDRESSES)/options.o Tests/address-sanitizer.c
	swift build --build-tests --sanitize=address --scratch-path $(ADDRESSES) -Xlinker $(CURDIR)/$(ADDRESSES)/options.o
	$(call assemble,$(PLUGINS),$(ADDRESSES)/debug,$(ADDRESSES)/plugins)
	$(call assemble,Tests/Fixtures/unruly,$(ADDRESSES)/debug,$(ADDRESSES)/test-plugins)
	MOTION_SCENARIOS=200 MOTION_BIN=$(CURDIR)/$(ADDRESSES)/debug MOTION_PLUGINS=$(CURDIR)/$(ADDRESSES)/plugins \
	  MOTION_TEST_PLUGINS=$(CURDIR)/$(ADDRESSES)/test-plugins $(call sanitized,address,$(ADDRESSES)) --skip '$(MEASURED)|$(LIMITED)'
	@! cat $(REPORTS).* 2> /dev/null

lint: ## the style of every Swift file
	swift format lint --strict --parallel --recursive Package.swift Sources Tests plugins examples \
	  Benchmarks/Package.swift Benchmarks/Sources Fuzzing
	tsc --project Sources/MotionStudio/Page/tsconfig.json

# The libraries that are documented, each after those that its links lead to.
DOCUMENTED := MotionModel MotionPhysics MotionStreams MotionCore MotionExecutorKit

# With what the toolchain brings along, and no further package. A link that leads nowhere ends it.
docs: setup ## the documentation of the libraries, as web pages in .build/docs
	swift build --target MotionExecutorKit
	rm -rf .build/docs .build/docs-parts
	@dependencies=; \
	for module in $(DOCUMENTED); do \
	  parts=.build/docs-parts/$$module; mkdir -p $$parts; \
	  swift symbolgraph-extract -module-name $$module -minimum-access-level public -output-dir $$parts \
	    -target "$$(swiftc -print-target-info | sed -n 's/.*"unversionedTriple": "\(.*\)".*/\1/p')" \
	    -I .build/debug/Modules -I Sources/CZeroMQ -Xcc -fmodule-map-file=.build/debug/CLinux.build/module.modulemap \
	    -Xcc -fmodule-map-file=.build/debug/CSprings.build/module.modulemap; \
	  catalogue=Sources/$$module/$$module.docc; [ -d $$catalogue ] || catalogue=; \
	  docc convert $$catalogue --additional-symbol-graph-dir $$parts --warnings-as-errors \
	    --fallback-display-name $$module --fallback-bundle-identifier motiond.$$module --fallback-default-module-kind Library \
	    --enable-experimental-external-link-support $$dependencies --output-dir $$parts.doccarchive; \
	  dependencies+=" --dependency $$parts.doccarchive"; \
	done
	docc merge $(DOCUMENTED:%=.build/docs-parts/%.doccarchive) --synthesized-landing-page-name motiond \
	  --output-path .build/docs
	@echo "To read it: python3 -m http.server -d .build/docs, then http://localhost:8000/documentation"

proto: setup ## Swift from motion.proto: by the generator of the very library that is linked, the table of lists, and descriptions for other readers
	swift package resolve
	swift build -c release --package-path .build/checkouts/swift-protobuf --scratch-path .build/protoc \
	  --product protoc-gen-swift
	protoc --plugin=.build/protoc/release/protoc-gen-swift --proto_path=Sources/MotionWire \
	  --swift_out=Sources/MotionWire/Generated --swift_opt=Visibility=Internal,UseAccessLevelOnImports=true motion.proto
	protoc --plugin=protoc-gen-shape=Sources/MotionWire/shape.py --proto_path=Sources/MotionWire \
	  --shape_out=Sources/MotionWire/Generated motion.proto
	protoc --plugin=protoc-gen-descriptors=Sources/MotionWire/descriptors.py --proto_path=Sources/MotionWire \
	  --descriptors_out=Sources/MotionWire/Generated motion.proto

# Takes what `make build` left, and builds nothing: as root there may be no Swift, and root's files do not belong in .build.
# `install` unlinks what it replaces, so that programs that run can be replaced.
install: ## what `make build` built, into DESTDIR/PREFIX (PREFIX is /usr/local)
	@[ -x .build/linked/motiond ] || { echo "There is nothing to install yet: run make build first."; exit 1; }
	install -D --strip -t $(DESTDIR)$(PREFIX)/bin $(addprefix .build/linked/,motiond motionctl motion-gateway motion-studio)
	install -D -m 644 --strip -t $(DESTDIR)$(PREFIX)/lib/motiond .build/linked/libmotion.so
	@for name in $(notdir $(PLUGINS)); do \
	  from=.build/plugins/$$name; into=$(DESTDIR)$(PREFIX)/lib/motiond/plugins/$$name; \
	  install -D --strip -t $$into .build/linked/$$name; \
	  for file in $$(find $$from -type f ! -name $$name); do install -D -m 644 -t $$into $$file; done; \
	done
	@# What is installed runs on machines without a toolchain.
	deploy/runtime.sh $(DESTDIR)$(PREFIX)
	@unit=$$(mktemp); trap 'rm -f $$unit' EXIT; \
	for name in motiond.service motion-gateway@.service motion-studio.service; do \
	  sed 's|^ExecStart=/usr/bin/|ExecStart=$(PREFIX)/bin/|' deploy/$$name > $$unit; \
	  install -D -m 644 $$unit $(DESTDIR)$(PREFIX)/lib/systemd/system/$$name; \
	done
	install -D -m 644 deploy/motiond.sysusers $(DESTDIR)$(PREFIX)/lib/sysusers.d/motiond.conf
	install -D -m 644 deploy/motiond.tmpfiles $(DESTDIR)$(PREFIX)/lib/tmpfiles.d/motiond.conf
	install -D -m 644 -t $(DESTDIR)$(PREFIX)/share/doc/motiond/examples deploy/motiond.yaml deploy/realtime.conf deploy/shares.conf
	@# What a client in another language is made from, and what there is to try.
	install -D -m 644 -t $(DESTDIR)$(PREFIX)/share/motiond Sources/MotionWire/motion.proto
	@# The page that motion-studio serves.
	install -D -m 644 -t $(DESTDIR)$(PREFIX)/share/motiond/page $(addprefix Sources/MotionStudio/Page/,*.html *.css *.js)
	install -D -m 644 -t $(DESTDIR)$(PREFIX)/share/doc/motiond/examples examples/README.md examples/*.json examples/*.jsonl
	install -D -m 755 -t $(DESTDIR)$(PREFIX)/share/doc/motiond/examples examples/*.py
	install -D -m 644 -t $(DESTDIR)$(PREFIX)/share/doc/motiond/examples/web $(addprefix examples/web/,README.md *.html *.js)
	install -D -m 755 -t $(DESTDIR)$(PREFIX)/share/doc/motiond/examples/clients/python examples/clients/python/*.py
	@for page in .build/man/*; do install -D -m 644 -t $(DESTDIR)$(PREFIX)/share/man/man$${page##*.} $$page; done
	@into=$(DESTDIR)$(PREFIX)/share; text=$$(mktemp); trap 'rm -f $$text' EXIT; \
	put() { .build/release/$$1 --generate-completion-script $$2 | sed '1{/^#!/d}' > $$text; \
	  install -D -m 644 $$text $$into/$$3; }; \
	for name in motiond motionctl motion-gateway motion-studio; do \
	  put $$name bash bash-completion/completions/$$name; \
	  put $$name zsh zsh/site-functions/_$$name; \
	  put $$name fish fish/vendor_completions.d/$$name.fish; \
	done

# The exposure that systemd says of the unit is 1.5: it may not get worse unnoticed.
unit-test: ## verify the unit that `make install` put into .build/installed, and how closed it is
	systemd-analyze verify --man=no .build/installed/lib/systemd/system/motiond.service \
	  .build/installed/lib/systemd/system/motion-gateway@.service \
	  .build/installed/lib/systemd/system/motion-studio.service
	systemd-analyze security --offline=yes --no-pager --threshold=15 \
	  .build/installed/lib/systemd/system/motiond.service | tail -1

deb: build ## packages for Debian 12 and later, in .build/deb
	$(MAKE) --no-print-directory setup PACKAGES="$(DEB_PACKAGES)"
	rm -rf .build/deb
	deploy/deb/build.sh .build/deb
	deploy/deb/python.sh .build/deb

# Twice the same, as lintian wants it, and at work on a Debian that has nothing else.
deb-test: deb ## install, run, upgrade and purge the package on a clean Debian, and boot one with the service
	deploy/deb/build.sh .build/deb-again
	deploy/deb/python.sh .build/deb-again
	for package in .build/deb/*.deb; do cmp $$package .build/deb-again/$${package##*/} || exit 1; done
	lintian --fail-on error,warning --tag-display-limit 0 .build/deb/*.deb
	deploy/deb/test.sh .build/deb/motiond_*.deb .build/deb/python3-motiond_*.deb
	deploy/deb/boot.sh .build/deb/motiond_*.deb

container-test: deb-test ## build the image of deploy/Containerfile around the package, and run it
	deploy/container-test.sh .build/deb/motiond_*.deb

clean: ## remove what was built, and the demo's folder
	rm -rf .build .build-release .build-fuzz .build-address .build-thread .demo .soak examples/embedding/.build
