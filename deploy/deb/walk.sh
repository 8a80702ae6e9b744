#!/bin/bash
# What deploy/deb/test.sh does inside of a clean Debian: install, run, upgrade, remove, purge. Each line that matters is checked;
# the first that is wrong ends it.
set -euo pipefail
export DEBIAN_FRONTEND=noninteractive

say() { echo "deb-test: $*"; }
fail() { say "FAILED: $*"; exit 1; }
check() { "$@" > /tmp/out 2>&1 || { cat /tmp/out; fail "$*"; }; }
# Waits for a fact, ten seconds at most.
await() {
  for _ in $(seq 100); do if "$@" > /tmp/out 2>&1; then return 0; fi; sleep 0.1; done
  cat /tmp/out; fail "in vain: $*"
}
ours() { find / -xdev \( -path /proc -o -path /sys -o -path /tmp \) -prune -o -iname '*motion[cd-]*' -print | grep -vE '^/(python3-)?motiond.deb$' || true; }

[ -z "$(ours)" ] || fail "something of motiond is there already: $(ours)"

say "install"
check apt-get -q update
check apt-get -q install --yes --no-install-recommends /motiond.deb
for file in /usr/bin/motiond /usr/bin/motionctl /etc/motiond/motiond.yaml /usr/lib/systemd/system/motiond.service \
  /usr/lib/motiond/plugins/{tween/plugin.json,gesture/plugin.json,osc/plugin.json,dmx/plugin.json} /usr/share/man/man8/motiond.8.gz \
  /usr/share/man/man1/motionctl.1.gz /usr/share/man/man5/motiond.yaml.5.gz /usr/share/zsh/site-functions/_motionctl \
  /usr/share/bash-completion/completions/motionctl /usr/share/fish/vendor_completions.d/motionctl.fish \
  /usr/share/motiond/motion.proto /usr/share/doc/motiond/examples/{README.md,show-1-rise.json,toss.jsonl}; do
  [ -s "$file" ] || fail "$file is not there"
done
[ "$(stat -c '%U:%G %a' /var/lib/motiond /run/motiond | sort -u)" = "motiond:motiond 700" ] || fail "the directories"
[ -L /etc/systemd/system/multi-user.target.wants/motiond.service ] || fail "the service is not enabled"
getent passwd motiond | grep -q ':/nonexistent:/usr/sbin/nologin$' || fail "the user"

say "run, as the unit has it"
# Each of them becomes the next: the process that is started is motiond in the end.
unit=(setpriv --reuid=motiond --regid=motiond --clear-groups --no-new-privs --bounding-set=-all --inh-caps=-all
  env -i PATH=/usr/bin:/bin HOME=/nonexistent LANG=C.UTF-8
  MOTIOND_RUNTIME_DIR=/run/motiond MOTIOND_STATE_DIR=/var/lib/motiond)
as_motiond() { "${unit[@]}" "$@"; }
check as_motiond motiond --check
grep -q 'configuration  /etc/motiond/motiond.yaml' /tmp/out || fail "the configuration is not read"
start() {
  "${unit[@]}" motiond > /tmp/log 2>&1 &
  daemon=$!
  await as_motiond motionctl status
}
stop() { kill "$daemon"; wait "$daemon" || { cat /tmp/log; fail "motiond did not end well"; }; }
start

# A spring, which the daemon moves, and a tween, which a worker does.
check as_motiond motionctl add SpringTo --to ball property=position destination=100,50
check as_motiond motionctl add Tween --to lamp property=opacity to=0.25 duration=200ms
is_at() { as_motiond motionctl list properties "$1" --json | tr -d ' \n' | grep -q "\"value\":\[$2\]"; }
await is_at ball 100,50
await is_at lamp 0.25
check as_motiond motionctl list plugins
for plugin in tween gesture osc dmx; do grep -q "$plugin" /tmp/out || fail "the plugin $plugin is not there"; done
printf 'ball.level ~ 7\nlist plugins\n' > /tmp/script
check as_motiond motionctl shell /tmp/script
examples=/usr/share/doc/motiond/examples
check as_motiond motionctl commit --dry-run $examples/*.json
check apt-get -q install --yes --no-install-recommends python3-zmq python3-protobuf protobuf-compiler
check as_motiond $examples/clients/python/motion_client.py ball position 30 40
await is_at ball 30,40

say "Python"
check apt-get -q install --yes --no-install-recommends /python3-motiond.deb
cat > /tmp/move.py <<'EOF'
import motiond
from motiond import spring

with motiond.connect() as m:
    receipt = m.commit(spring("ball.position", (70, 10)))
    receipt.settled()
    print(m.properties("ball"))
EOF
check as_motiond python3 /tmp/move.py
await is_at ball 70,10
check as_motiond motionctl commit --dry-run - <<< '{"transaction":[{"forget":"ball"}]}'
worker=$(grep -lx tween /proc/[0-9]*/comm | cut -d/ -f3)
[ -n "$worker" ] || fail "no worker runs"
stop
if [ -e "/proc/$worker" ]; then fail "the worker outlived motiond"; fi

say "upgrade, with a changed configuration"
echo 'rate: 240' >> /etc/motiond/motiond.yaml
check dpkg --install /motiond.deb
tail -1 /etc/motiond/motiond.yaml | grep -q 'rate: 240' || fail "the configuration was not kept"
start
as_motiond motionctl status --json | tr -d ' \n' | grep -q '"rate":240\|ratePerSecond":240' || fail "the rate"
stop

say "remove"
check apt-get -q purge --yes python3-motiond
check apt-get -q remove --yes motiond
[ ! -e /usr/bin/motiond ] || fail "a program is left"
[ -e /etc/motiond/motiond.yaml ] || fail "the configuration went with the programs"
[ -d /var/lib/motiond ] || fail "what motiond keeps went with the programs"

say "purge"
check apt-get -q purge --yes motiond
[ -z "$(ours)" ] || fail "the purge has left $(ours)"
if getent passwd motiond || getent group motiond; then fail "the purge has left the user"; fi
say "passed"
