#!/usr/bin/env python3
"""A viewer that plays the past, by PyPI websockets: player.py URL [reference]

Prints a line of JSON for each message, and takes commands from standard input, one a line:
subscribe TOPIC · play SPEED [SEEK] · pause [SEEK] · send JSON · quit
A SEEK is in seconds after the beginning. `reference` compares the answers with those of PyPI foxglove-sdk instead.
"""
import asyncio, json, socket, struct, sys

import websockets
from peers import compare, decode, shape, show

STATUS = ["playing", "paused", "buffering", "ended"]


def request(command, speed, seek, name):
    name = name.encode()
    return struct.pack("<BBfBQI", 3, command, speed, seek is not None, seek or 0, len(name)) + name


def state(data):
    status, time, speed, did_seek, length = struct.unpack_from("<BQfBI", data, 1)
    return {"status": STATUS[status], "time": time, "speed": speed, "seek": bool(did_seek), "id": data[19:19 + length].decode()}


def nanoseconds(time):
    return time["sec"] * 1_000_000_000 + time["nsec"]


class Player:
    def __init__(self, connection):
        self.connection, self.channels, self.subscribed, self.start, self.number = connection, {}, {}, 0, 0
        self.topics = set()

    async def receive(self):
        try:
            async for message in self.connection:
                await self.text(json.loads(message)) if isinstance(message, str) else self.binary(message)
        except websockets.ConnectionClosed:
            pass
        show(event="closed")

    async def subscribe(self, channel):
        self.number += 1
        self.subscribed[self.number] = channel["id"]
        rows = [{"id": self.number, "channelId": channel["id"]}]
        await self.connection.send(json.dumps({"op": "subscribe", "subscriptions": rows}))

    async def text(self, message):
        if message["op"] == "serverInfo":
            self.start = nanoseconds(message["dataStartTime"])
            show(event="info", name=message["name"], capabilities=message["capabilities"], start=self.start,
                 end=nanoseconds(message["dataEndTime"]))
        elif message["op"] == "advertise":
            for channel in message["channels"]:
                self.channels[channel["id"]] = channel
                show(event="channel", topic=channel["topic"])
                # As viewers do: a topic may come and go.
                if channel["topic"] in self.topics:
                    await self.subscribe(channel)
        elif message["op"] == "unadvertise":
            for id in message["channelIds"]:
                show(event="gone", topic=self.channels.pop(id)["topic"])
        else:
            show(event=message["op"], message=message.get("message", ""))

    def binary(self, data):
        if data[0] == 1:
            subscription, time = struct.unpack_from("<IQ", data, 1)
            channel = self.channels.get(self.subscribed[subscription])
            if channel is None:
                return show(event="stray")
            show(event="message", topic=channel["topic"], time=(time - self.start) / 1e9, message=decode(channel, data[13:]))
        elif data[0] == 2:
            show(event="time", time=(struct.unpack_from("<Q", data, 1)[0] - self.start) / 1e9)
        elif data[0] == 5:
            found = state(data)
            show(event="state", **found, at=(found["time"] - self.start) / 1e9)

    async def command(self, line):
        word, *rest = line.split(maxsplit=1)
        words = line.split()[1:]
        seek = lambda index: self.start + round(float(words[index]) * 1e9) if len(words) > index else None
        if word == "subscribe":
            self.topics.add(rest[0])
            for channel in list(self.channels.values()):
                if channel["topic"] == rest[0]:
                    await self.subscribe(channel)
        elif word == "play":
            await self.connection.send(request(0, float(words[0]), seek(1), line))
        elif word == "pause":
            await self.connection.send(request(1, 1, seek(0), line))
        elif word == "send":
            await self.connection.send(rest[0])

    async def run(self):
        receiving = asyncio.create_task(self.receive())
        loop = asyncio.get_running_loop()
        while (line := (await loop.run_in_executor(None, sys.stdin.readline)).strip()) and line != "quit":
            await self.command(line)
        receiving.cancel()


async def answers(url):
    """The first message of a server, and the state after each of three requests."""
    async with websockets.connect(url, subprotocols=["foxglove.sdk.v1"], max_size=None) as connection:
        info = json.loads(await connection.recv())
        start = nanoseconds(info["dataStartTime"])
        found = [info]
        for command, speed, seek, name in [(1, 1, None, "a"), (0, 2, start + 1, "b"), (1, 0.5, start, "")]:
            await connection.send(request(command, speed, seek, name))
            while True:
                message = await connection.recv()
                if isinstance(message, bytes) and message[0] == 5 and (not name or message.endswith(name.encode())):
                    # Times differ.
                    found.append(message[:2] + message[10:])
                    break
        return found


async def reference(url):
    import foxglove
    from foxglove.websocket import Capability, PlaybackCommand, PlaybackState, PlaybackStatus, ServerListener

    class Listener(ServerListener):
        def on_playback_control_request(self, request):
            plays = request.playback_command == PlaybackCommand.Play
            return PlaybackState(
                PlaybackStatus.Playing if plays else PlaybackStatus.Paused, request.seek_time or 0, request.playback_speed,
                request.seek_time is not None, request.request_id)

    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = foxglove.start_server(
        name="a", port=port, server_listener=Listener(), playback_time_range=(1, 10_000_000_000),
        capabilities=[Capability.Time, Capability.PlaybackControl])
    ours, theirs = await answers(url), await answers(f"ws://127.0.0.1:{port}")
    for difference in compare("serverInfo", shape(ours[0]), shape(theirs[0])):
        show(difference=difference)
    if sorted(ours[0]["capabilities"]) != sorted(theirs[0]["capabilities"]):
        show(difference=f"capabilities: {ours[0]['capabilities']} instead of {theirs[0]['capabilities']}")
    for one, other in zip(ours[1:], theirs[1:], strict=True):
        if one != other:
            show(difference=f"{one.hex()} instead of {other.hex()}")
    show(compared=len(ours))
    server.stop()


async def main(url):
    async with websockets.connect(url, subprotocols=["foxglove.sdk.v1"], max_size=None) as connection:
        await Player(connection).run()


asyncio.run(reference(sys.argv[1]) if len(sys.argv) > 2 else main(sys.argv[1]))
