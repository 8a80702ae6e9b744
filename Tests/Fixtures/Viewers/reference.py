#!/usr/bin/env python3
"""Compares the messages of a server with those of PyPI foxglove-sdk: reference.py URL

Both servers get the same messages of a viewer. Of each kind of message, the members and their types are compared.
Prints a line of JSON for each difference, and one with the kinds that were compared.
"""
import asyncio, base64, json, socket, struct, sys

import foxglove, websockets
from peers import compare, shape
from foxglove.websocket import (
    Capability, MessageSchema, Parameter, Service, ServerListener, ServiceSchema, StatusLevel,
)

TOPIC = "values/ball/position"


async def dialogue(url):
    """The messages of a server by kind, after a fixed sequence of messages of a viewer."""
    found = {}
    async with websockets.connect(url, subprotocols=["foxglove.sdk.v1"], max_size=None) as connection:
        found["subprotocol"] = connection.subprotocol

        async def collect(seconds, until):
            try:
                async with asyncio.timeout(seconds):
                    while until not in found:
                        message = await connection.recv()
                        if isinstance(message, str):
                            content = json.loads(message)
                            if content["op"] == "advertise":
                                content["channels"] = [row for row in content["channels"] if row["topic"] == TOPIC]
                                if not content["channels"]:
                                    continue
                            if content["op"] == "advertiseServices":
                                content["services"] = [row for row in content["services"] if row["name"] == "/motiond/why"]
                            found.setdefault(content["op"], content)
                        else:
                            found.setdefault(message[0], message)
            except TimeoutError:
                pass

        send = lambda **content: connection.send(json.dumps(content))
        await collect(10, "advertise")
        await collect(10, "advertiseServices")
        channel = found["advertise"]["channels"][0]["id"]
        await send(op="subscribe", subscriptions=[{"id": 77, "channelId": channel}])
        await collect(10, 1)
        await collect(5, 2)
        await send(op="getParameters", parameterNames=["/clock/speed"], id="a")
        await collect(10, "parameterValues")
        await send(op="subscribeConnectionGraph")
        await collect(10, "connectionGraphUpdate")
        service = found["advertiseServices"]["services"][0]["id"]
        request = json.dumps({"property": "ball/position"}).encode()
        await connection.send(struct.pack("<BIII", 2, service, 99, 4) + b"json" + request)
        await collect(10, 3)
        await connection.send(struct.pack("<BIII", 2, 12345, 98, 4) + b"json" + request)
        await collect(10, "serviceCallFailure")
        await send(op="unsubscribe", subscriptionIds=[12345])
        await collect(10, "status")
    return found


def start(schema):
    """A server of foxglove-sdk with the same channel, service and parameter."""
    class Listener(ServerListener):
        def on_get_parameters(self, client, names, request_id=None):
            return [Parameter("/clock/speed", value=1.0)]

    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    kind = MessageSchema(encoding="json", schema=foxglove.Schema(name="a", encoding="jsonschema", data=b"{}"))
    context = foxglove.Context()
    server = foxglove.start_server(
        name="motiond", port=port, context=context, server_listener=Listener(), supported_encodings=["json"],
        capabilities=[Capability.Time, Capability.Parameters, Capability.Services, Capability.ConnectionGraph],
        services=[Service("/motiond/why", schema=ServiceSchema("motiond/why", request=kind, response=kind), handler=lambda request: b"{}")])
    graph = foxglove.ConnectionGraph()
    graph.set_published_topic(TOPIC, ["a"])
    graph.set_subscribed_topic(TOPIC, ["b"])
    graph.set_advertised_service("/motiond/why", ["motiond"])
    server.publish_connection_graph(graph)
    channel = foxglove.Channel(
        TOPIC, message_encoding="protobuf", context=context,
        schema=foxglove.Schema(name="motion.v1.PropertySample", encoding="protobuf", data=schema))
    return (server, context, graph), channel, f"ws://127.0.0.1:{port}"


def differences(kind, ours, theirs):
    if isinstance(ours, bytes):
        # The same header: opcode, numbers; the rest depends on what is sent.
        length = {1: 5, 2: 1, 3: 17}[ours[0]]
        if ours[:length] != theirs[:length] and kind == 1:
            yield f"{ours[:length].hex()} instead of {theirs[:length].hex()}"
        if kind == 2 and len(ours) != len(theirs):
            yield f"{len(ours)} bytes instead of {len(theirs)}"
        if kind == 3 and ours[5:length] != theirs[5:length]:
            yield f"{ours[5:length].hex()} instead of {theirs[5:length].hex()}"
        return
    if isinstance(ours, str):
        if ours != theirs:
            yield f"{ours} instead of {theirs}"
        return
    yield from compare(kind, shape(ours), shape(theirs))


async def main(url):
    ours = await dialogue(url)
    (server, *_kept), channel, address = start(base64.b64decode(ours["advertise"]["channels"][0]["schema"]))

    async def feed():
        while True:
            channel.log(ours[1][13:])
            server.broadcast_time(1)
            await asyncio.sleep(0.05)

    feeding = asyncio.create_task(feed())
    theirs = await dialogue(address)
    feeding.cancel()
    for kind in sorted(set(ours) | set(theirs), key=str):
        if kind not in ours or kind not in theirs:
            print(json.dumps({"kind": kind, "difference": "only of " + ("ours" if kind in ours else "theirs")}))
            continue
        for difference in differences(kind, ours[kind], theirs[kind]):
            print(json.dumps({"kind": kind, "difference": difference}))
    print(json.dumps({"compared": sorted(set(ours) & set(theirs), key=str)}))
    server.stop()


asyncio.run(main(sys.argv[1]))
