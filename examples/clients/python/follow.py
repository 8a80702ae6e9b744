#!/usr/bin/python3
"""Prints value and velocity of each property of a target whenever they change, also of a motiond that is started again:
follow.py TARGET"""
import json, sys
from motion_client import RUNTIME_DIRECTORY, Client, motion

target = sys.argv[1]
client = Client(RUNTIME_DIRECTORY)
values = client.subscribe(f"m/{target}")
epoch, last, names = 0, 0, {}
while True:
    message = motion.Envelope.FromString(values.recv().partition(b"\0")[2])
    if message.epoch < epoch:
        continue  # a message from the past
    if message.epoch > epoch:  # motiond was started, perhaps again: handles and sequences are new
        epoch, last, names = message.epoch, message.sequence, {}
    for name in message.names.names:
        names[name.handle] = name.property.property
    update = message.values
    if update.complete or (message.HasField("values") and message.sequence != last):  # the same number: sent again
        missed = 0 if update.complete else max(0, message.sequence - last - 1)
        last, at = message.sequence, 0
        for handle, count in zip(update.handles, update.counts):
            state = {"value": list(update.lanes[at : at + count]), "velocity": list(update.velocities[at : at + count])}
            at += count
            print(json.dumps({"epoch": epoch, "property": names.get(handle), **state, "missed": missed}), flush=True)
