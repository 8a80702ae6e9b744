#!/usr/bin/env python3
"""Viewers that misbehave, by PyPI websockets and plain sockets: abuse.py URL KIND

Each kind prints lines of JSON about what the server did.
"""
import asyncio, json, os, socket, struct, sys, time
from urllib.parse import urlsplit

import websockets


def show(**event):
    print(json.dumps(event), flush=True)


class Raw:
    """A plain connection."""

    def __init__(self, url, receive_buffer=None):
        parts = urlsplit(url)
        self.host, self.path = parts.netloc, f"{parts.path}?{parts.query}"
        self.socket = socket.socket()
        if receive_buffer:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        self.socket.connect((parts.hostname, parts.port))

    def head(self, *lines, host=None):
        return "\r\n".join([f"GET {self.path} HTTP/1.1", f"Host: {host or self.host}", *lines]).encode() + b"\r\n"

    def upgrade(self, *lines, host=None):
        self.socket.sendall(
            self.head(
                "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13",
                "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==", "Sec-WebSocket-Protocol: foxglove.sdk.v1", *lines,
                host=host) + b"\r\n")
        head = b""
        while b"\r\n\r\n" not in head:
            part = self.socket.recv(1)
            if not part:
                break
            head += part
        return int(head.split()[1]) if head else None

    def send(self, text, opcode=1, masked=True):
        data = text if isinstance(text, bytes) else text.encode()
        length = bytes([len(data)]) if len(data) < 126 else b"\x7e" + struct.pack(">H", len(data))
        if masked:
            length = bytes([length[0] | 0x80]) + length[1:] + b"\0\0\0\0"
        self.socket.sendall(bytes([0x80 | opcode]) + length + data)

    def closed_after(self, limit):
        """The seconds until the server closes; None if it does not."""
        start = time.monotonic()
        self.socket.settimeout(limit)
        try:
            while self.socket.recv(65536):
                if time.monotonic() - start > limit:
                    return None
        except TimeoutError:
            return None
        except OSError:
            pass
        return time.monotonic() - start


def slow(url):
    """Half of a request, half of an upgrade, and nothing at all."""
    silent, half, drop = Raw(url), Raw(url), Raw(url)
    half.socket.sendall(half.head("Upgrade: websocket"))
    drop.socket.sendall(b"G")
    show(kind="silent", closed=silent.closed_after(15))
    show(kind="half", closed=half.closed_after(15))
    show(kind="byte", closed=drop.closed_after(15))


def long(url):
    """A head that has no end."""
    raw = Raw(url)
    try:
        raw.socket.sendall(raw.head(*[f"X-{number}: {'a' * 1000}" for number in range(100)]))
    except OSError:
        pass
    show(kind="head", closed=raw.closed_after(3))


async def frames(url):
    """A frame of 10 MB, as many fragments, a frame without a mask, and one of an unknown kind."""
    async with websockets.connect(url, subprotocols=["foxglove.sdk.v1"], max_size=None) as connection:
        try:
            await connection.send("a" * 10_000_000)
            await connection.wait_closed()
        except websockets.ConnectionClosed:
            pass
        show(kind="frame", code=connection.close_code)
    async with websockets.connect(url, subprotocols=["foxglove.sdk.v1"], max_size=None) as connection:
        try:
            await connection.send(["a" * 100_000] * 100)
            await connection.wait_closed()
        except websockets.ConnectionClosed:
            pass
        show(kind="fragments", closed=True)
    for kind, opcode, masked in [("unmasked", 1, False), ("reserved", 5, True)]:
        raw = Raw(url)
        raw.upgrade()
        raw.send("{}", opcode, masked)
        show(kind=kind, closed=raw.closed_after(5))


def origins(url):
    """Sites that are not on the list, and names that are not the server's."""
    for origin in ["https://evil.example", "null", "https://viewer.example"]:
        show(kind="origin", origin=origin, status=Raw(url).upgrade(f"Origin: {origin}"))
    for host in ["evil.example", "localhost"]:
        show(kind="host", host=host, status=Raw(url).upgrade(host=host))
    bare = url.partition("?")[0]
    show(kind="token", status=Raw(bare).upgrade())
    show(kind="token", status=Raw(bare + "?token=" + "0" * 64).upgrade())


def flood(url):
    """More connections than the server takes."""
    connections = [Raw(url) for _ in range(550)]
    time.sleep(0.5)
    open_ones = 0
    for raw in connections:
        raw.socket.setblocking(False)
        try:
            open_ones += raw.socket.recv(1) != b""
        except BlockingIOError:
            open_ones += 1
        except OSError:
            pass
    show(kind="flood", open=open_ones)


def many(url):
    """More viewers than the server takes, all with a token."""
    viewers = [Raw(url) for _ in range(70)]
    for raw in viewers:
        raw.upgrade()
    show(kind="many", open=sum(raw.closed_after(0.02) is None for raw in viewers))


def deaf(url):
    """Requests ever more, and reads nothing."""
    raw = Raw(url, receive_buffer=4096)
    raw.upgrade()
    start, number = time.monotonic(), 0
    raw.socket.settimeout(20)
    try:
        while number < 100_000:
            number += 1
            pattern = "none*" if number % 2 else "*"
            message = {"op": "setParameters", "parameters": [{"name": "/studio/channels", "value": pattern}]}
            raw.send(json.dumps(message))
    except OSError:
        pass
    show(kind="deaf", closed=time.monotonic() - start, requests=number)


def nonsense(url):
    """Messages that break the protocol, each on the same connection."""
    raw = Raw(url)
    raw.upgrade()
    for text in ["", "{", "[]", "null", '{"op":1}', '{"op":"subscribe"}', '{"op":"subscribe","subscriptions":[{"id":1,"channelId":4000000000}]}',
                 '{"op":"setParameters","parameters":[{"name":"","value":null}]}', "[" * 60_000, '{"op":"unsubscribe","subscriptionIds":[1e99]}']:
        raw.send(text)
    for data in [b"", b"\x00", b"\x02", b"\x02" + b"\xff" * 12, b"\xff" * 100, os.urandom(1000)]:
        raw.send(data, opcode=2)
    raw.send("", opcode=9)
    raw.socket.settimeout(5)
    received = b""
    while b"\x8a" not in received:
        received += raw.socket.recv(65536)
    show(kind="nonsense", answered=True)

def page(url):
    """The page as a browser loads it: the file, the exchange of its token for a cookie, and a WebSocket with it."""
    parts = urlsplit(url)
    token = parts.query.partition("=")[2]
    own = f"http://{parts.netloc}"

    def ask(head, body=b""):
        raw = Raw(url)
        raw.socket.sendall(head.encode() + body)
        answer = b""
        while part := raw.socket.recv(65536):
            answer += part
        head, _, body = answer.partition(b"\r\n\r\n")
        lines = head.decode().split("\r\n")
        return int(lines[0].split()[1]), dict(line.lower().split(": ", 1) for line in lines[1:]), body.decode()

    status, fields, body = ask(f"GET / HTTP/1.1\r\nHost: {parts.netloc}\r\n\r\n")
    show(kind="file", status=status, policy=fields["content-security-policy"], frame=fields["x-content-type-options"], body=body)
    for name in ["app.js", "missing.js", "../viewers", "%2e%2e/viewers"]:
        status, fields, body = ask(f"GET /{name} HTTP/1.1\r\nHost: {parts.netloc}\r\n\r\n")
        show(kind="file", status=status, type=fields["content-type"], body=body)

    def exchange(token, origin):
        head = f"POST /session HTTP/1.1\r\nHost: {parts.netloc}\r\nOrigin: {origin}\r\nContent-Length: {len(token)}\r\n\r\n"
        return ask(head, token.encode())

    show(kind="exchange", status=exchange(token, "https://evil.example")[0])
    show(kind="exchange", status=exchange("0" * 64, own)[0])
    status, fields, _ = exchange(token, own)
    show(kind="exchange", status=status, cookie=fields["set-cookie"].partition("; ")[2])
    cookie = "Cookie: " + fields["set-cookie"].partition(";")[0]
    bare = url.partition("?")[0]
    show(kind="upgrade", status=Raw(bare).upgrade(cookie, f"Origin: {own}"))
    show(kind="upgrade", status=Raw(bare).upgrade(cookie, "Origin: https://viewer.example"))
    show(kind="upgrade", status=Raw(bare).upgrade(cookie))


url, kind = sys.argv[1:3]
result = globals()[kind](url)
if asyncio.iscoroutine(result):
    asyncio.run(result)
