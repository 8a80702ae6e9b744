"""Listens to Open Sound Control with liblo, and prints what it hears: a line of JSON for each thing.

The first line says the port, which is the first argument or any that is free; then there is one for each message: when
it came and the time of its bundle (seconds since 1970), how many bundles there were before, the address, the types of
the arguments, and the arguments.
"""

import json
import sys
import time

import liblo

# Seconds from the beginning of 1900, which liblo counts from, to that of 1970.
BEFORE_1970 = 2208988800


class Listener:
    def __init__(self):
        self.bundles = 0
        self.tag = None

    def begin(self, tag, _):
        # liblo keeps the messages of a bundle whose time is ahead, here by a few milliseconds, until then; that is before
        # the next bundle comes, so that they belong to the last.
        self.bundles += 1
        self.tag = tag - BEFORE_1970

    def hear(self, address, arguments, types):
        say(time=time.time(), tag=self.tag, bundle=self.bundles, address=address, types=types, arguments=arguments)


def say(**line):
    sys.stdout.write(json.dumps(line) + "\n")
    sys.stdout.flush()


listener = Listener()
server = liblo.Server(*(int(port) for port in sys.argv[1:2]))
server.add_bundle_handlers(listener.begin, lambda _: None)
server.add_method(None, None, listener.hear)
say(port=server.port)
while True:
    server.recv()
