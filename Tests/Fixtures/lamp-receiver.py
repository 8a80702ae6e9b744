"""Receives DMX levels by sACN (the package sacn) or as a node of Art-Net (aioartnet), and prints a line of JSON for each packet.

    lamp-receiver.py sacn ADDRESS UNIVERSE...
    lamp-receiver.py artnet INTERFACE PORT-ADDRESS...

ADDRESS is that of the interface by which it joins the multicasts. The first line says that it listens. Levels are those
that the receiver would show: of sACN it shows those that have changed, of the highest priority and in sequence.
"""

import asyncio
import json
import sys
import time


def say(**line):
    sys.stdout.write(json.dumps(line) + "\n")
    sys.stdout.flush()


def hear_sacn(address, universes):
    import sacn
    from sacn.messages.data_packet import DataPacket

    receiver = sacn.sACNreceiver(bind_address=address)
    handler = receiver._handler
    judge = handler.on_data

    def on_data(data, now):
        try:
            packet = DataPacket.make_data_packet(data)
        except TypeError:
            return say(other=len(data), time=time.time())
        say(
            packet=packet.universe, time=time.time(), sequence=packet.sequence, priority=packet.priority,
            source=packet.sourceName, cid=bytes(packet.cid).hex(), synchronization=packet.syncAddr,
            last=packet.option_StreamTerminated)
        judge(data, now)

    handler.on_data = on_data
    receiver.register_listener("availability", lambda universe, changed: say(universe=universe, availability=changed, time=time.time()))
    for universe in universes:
        receiver.register_listener(
            "universe", lambda packet: say(universe=packet.universe, time=time.time(), levels=bytes(packet.dmxData).hex()),
            universe=universe)
        receiver.join_multicast(universe)
    receiver.start()
    say(listens=True)
    while True:
        time.sleep(60)


async def hear_artnet(interface, universes):
    from aioartnet import ArtNetClient
    from aioartnet.events import UniverseDMX

    client = ArtNetClient(interface=interface)
    for universe in universes:
        client.set_port_config(universe, is_output=True)
    await client.connect()
    say(listens=True)
    async for event in client.events():
        if isinstance(event, UniverseDMX):
            say(universe=event.universe.portaddress, time=time.time(), levels=bytes(event.data).hex())
        else:
            say(event=type(event).__name__, text=str(event), time=time.time())


if sys.argv[1] == "sacn":
    hear_sacn(sys.argv[2], [int(word) for word in sys.argv[3:]])
else:
    asyncio.run(hear_artnet(sys.argv[2], [int(word) for word in sys.argv[3:]]))
