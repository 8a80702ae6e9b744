#!/usr/bin/python3
"""Drags a target 100 to the right, as a finger would, and lets it go: drag.py TARGET"""
import sys, time
from motion_client import RUNTIME_DIRECTORY, Client, motion

target = sys.argv[1]
client = Client(RUNTIME_DIRECTORY)
receipt = client.commit({"intention": {"type": "Draggable"}, "named": "drag", "to": target})
ready = {plugin.plugin for plugin in receipt.plugins if plugin.state == motion.PluginReadiness.STATE_READY}
while not ready:  # its worker is on the way up, and nobody waits for a finger
    plugins = client.ask(query=motion.Query(subject=motion.Query.SUBJECT_PLUGINS)).answer.plugins.rows
    workers = [worker for plugin in plugins for worker in plugin.workers]
    ready = {worker.address.plugin for worker in workers if worker.state == motion.WorkerRow.STATE_READY}
    time.sleep(0.02)


def say(phase, x):
    event = motion.PointerEvent(id=1, phase=phase, x=x, y=0)  # no time: now
    client.ask(input=motion.Input(target=target, device="finger", events=[event]))
    time.sleep(1 / 60)


say(motion.PointerEvent.PHASE_DOWN, 0)
for step in range(1, 11):
    say(motion.PointerEvent.PHASE_MOVE, 10 * step)
say(motion.PointerEvent.PHASE_UP, 100)
