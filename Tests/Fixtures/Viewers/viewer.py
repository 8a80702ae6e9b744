#!/usr/bin/env python3
"""A viewer by PyPI robo-ws-bridge, which is not ours: viewer.py URL

Prints a line of JSON for each event, and takes commands from standard input, one a line:
subscribe TOPIC · unsubscribe TOPIC · call SERVICE JSON · get NAME... · set NAME JSON · graph · quit
Messages are decoded by the schemas that the server advertises.
"""
import asyncio, json, sys

from peers import decode, show
from robo_ws_bridge import WebSocketBridgeClient


class Viewer:
    def __init__(self, url):
        self.client = client = WebSocketBridgeClient(url, min_retry_delay=0.2)
        client.on_connect(lambda: show(event="connected"))
        client.on_disconnect(lambda: show(event="disconnected"))
        client.on_server_info(lambda name, capabilities, session: show(event="info", name=name, session=session))
        client.on_status(lambda level, message, id: show(event="status", level=level, message=message, id=id))
        client.on_remove_status(lambda ids: show(event="removed", ids=ids))
        client.on_time_update(lambda time: show(event="time", time=time))
        client.on_advertised_channel(lambda channel: show(event="channel", topic=channel["topic"], id=channel["id"]))
        client.on_channel_unadvertised(lambda channel: show(event="gone", topic=channel["topic"]))
        client.on_message(self.message)
        client.on_connection_graph_update(self.graph)

    def message(self, channel, time, payload):
        show(event="message", topic=channel["topic"], time=time, message=decode(channel, payload))

    def graph(self, graph):
        show(event="graph", published={row["name"]: row["publisherIds"] for row in graph.published_topics})

    async def command(self, line):
        word, _, rest = line.strip().partition(" ")
        if word == "subscribe":
            await self.client.subscribe(rest)
        elif word == "unsubscribe":
            await self.client.unsubscribe(rest)
        elif word == "graph":
            await self.client.subscribe_connection_graph()
        elif word == "get":
            show(event="parameters", values={row["name"]: row["value"] for row in await self.client.get_parameters(rest.split())})
        elif word == "set":
            name, _, value = rest.partition(" ")
            rows = await self.client.set_parameters([{"name": name, "value": json.loads(value)}])
            show(event="parameters", values={row["name"]: row["value"] for row in rows})
        elif word == "call":
            name, _, request = rest.partition(" ")
            number = next(id for id, service in self.client.services.items() if service["name"] == name)
            answer = await self.client.call_service(number, request.encode(), encoding="json")
            show(event="response", service=name, response=json.loads(answer.payload))

    async def run(self):
        await self.client.connect()
        loop = asyncio.get_running_loop()
        while (line := await loop.run_in_executor(None, sys.stdin.readline)) and line.strip() != "quit":
            try:
                await self.command(line)
            except Exception as error:
                show(event="failed", command=line.split()[0], error=str(error))
        await self.client.disconnect()


asyncio.run(Viewer(sys.argv[1]).run())
