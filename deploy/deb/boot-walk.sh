#!/bin/bash
# What deploy/deb/boot.sh does in a Debian that runs systemd: the service as its users get it. Each line that matters is checked.
set -euo pipefail

say() { echo "boot-test: $*"; }
fail() {
  say "FAILED: $*"
  systemctl status motiond --no-pager --lines=0 || true
  journalctl -u motiond --no-pager | tail -30
  exit 1
}
check() { "$@" > /tmp/out 2>&1 || { cat /tmp/out; fail "$*"; }; }
# Waits for a fact, thirty seconds at most: the watchdog takes ten.
await() {
  for _ in $(seq 300); do if "$@" > /tmp/out 2>&1; then return 0; fi; sleep 0.1; done
  cat /tmp/out; fail "in vain: $*"
}
is() { [ "$(systemctl show motiond -P "$1")" = "$2" ] || { systemctl show motiond -P "$1"; return 1; }; }
ctl() { motionctl "$@" --runtime-dir /run/motiond; }
at() { ctl list properties "$1" --json | tr -d ' \n' | grep -q "\"value\":\[$2\]"; }
logged() { [ -n "$(journalctl -u motiond --no-pager -q -o cat "$@")" ]; }

say "install: it runs at once, in its sandbox"
check apt-get -q install --yes --no-install-recommends /motiond.deb
await is SubState running
check ctl status
main=$(systemctl show motiond -P MainPID)
grep -q '^Seccomp:.*2$' "/proc/$main/status" || fail "no filter of system calls"
grep -q '^NoNewPrivs:.*1$' "/proc/$main/status" || fail "it may get new rights"
grep -q '^CapEff:\s*0*$' "/proc/$main/status" || fail "it has capabilities"
[ "$(ps -o user= -p "$main")" = motiond ] || fail "it runs as $(ps -o user= -p "$main")"

say "a spring, and a tween in a worker"
check ctl add SpringTo --to ball property=position destination=100,50
check ctl add Tween --to lamp property=opacity to=0.25 duration=200ms
await at ball 100,50
await at lamp 0.25
is_up() { ctl list plugins --json | tr -d ' \n' | grep -q '"state":"ready"'; }
await is_up

say "the log has fields"
await logged MOTIOND_PLUGIN=tween MOTIOND_INSTANCE=0
await logged MOTIOND_EPOCH=1 PRIORITY=6
if logged MOTIOND_PLUGIN=osc; then fail "lines of a plugin that never ran"; fi

say "reload: what moves goes on"
check systemctl reload motiond
await is SubState running
is MainPID "$main" || fail "a reload has restarted it"
is NRestarts 0 || fail "it was started again"

say "metrics"
mkdir -p /etc/systemd/system/motiond.service.d
printf '[Service]\nEnvironment=MOTIOND_METRICS=127.0.0.1:9464\n' > /etc/systemd/system/motiond.service.d/metrics.conf
check systemctl daemon-reload
check systemctl restart motiond
check curl --silent --fail http://127.0.0.1:9464/metrics
grep -q '^motiond_epoch 2$' /tmp/out || fail "the metrics: $(cat /tmp/out)"

say "real-time priority by the drop-in"
cp /realtime.conf /etc/systemd/system/motiond.service.d/
check systemctl daemon-reload
if systemctl restart motiond; then
  check ctl status
  for thread in /proc/"$(systemctl show motiond -P MainPID)"/task/*; do
    chrt -p "${thread##*/}" | grep -q 'SCHED_RR' || fail "$(cat "$thread/comm") has no real-time priority"
  done
else
  # 214: systemd could not set it. A kernel with real-time groups gives none to a service of cgroups 1: the drop-in says so.
  is ExecMainStatus 214 > /dev/null || fail "it does not start with real-time priority"
  say "  (the kernel gives the service no real-time here)"
fi
rm /etc/systemd/system/motiond.service.d/realtime.conf
check systemctl daemon-reload
check systemctl reset-failed motiond
check systemctl restart motiond

say "killed, it is back"
kill -KILL "$(systemctl show motiond -P MainPID)"
await is NRestarts 1
await ctl status

say "hung, it is killed and back: the watchdog"
kill -STOP "$(systemctl show motiond -P MainPID)"
await is NRestarts 2
await ctl status
await logged --grep 'Watchdog timeout'

say "stop, and purge: nothing is left"
check ctl add Tween --to lamp property=opacity to=0 duration=60s
await pgrep -x tween
check systemctl stop motiond
is Result success || fail "it did not end well"
for program in motiond tween gesture osc dmx; do
  if pgrep -x "$program"; then fail "$program is left"; fi
done
check apt-get -q purge --yes motiond
if systemctl cat motiond > /dev/null 2>&1 && [ ! -d /etc/systemd/system/motiond.service.d ]; then fail "the unit is left"; fi
if getent passwd motiond || [ -e /var/lib/motiond ] || [ -e /run/motiond ]; then fail "the purge has left something"; fi
say "passed"
