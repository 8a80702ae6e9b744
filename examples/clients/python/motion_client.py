#!/usr/bin/python3
"""A client of motiond in Python: springs a property to a value and watches until it is there.

    motion_client.py [--runtime-dir DIR] TARGET PROPERTY NUMBER...     motion_client.py ball position 100 50

Needs python3-zmq, python3-protobuf and, unless a generated motion_pb2.py is on PYTHONPATH, protobuf-compiler (Debian's
names). Prints a line of JSON for each frame, then how the plan ended. Exit codes are motionctl's: 0 it arrived,
1 it did not, 2 usage, 3 no daemon, 4 refused, 5 time-out. docs/protocol.md explains what happens here.
"""
import json, os, secrets, subprocess, sys, tempfile, zmq

try:
    import motion_pb2 as motion
except ImportError:
    protocol = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../Sources/MotionWire")
    with tempfile.TemporaryDirectory() as generated:
        subprocess.run(["protoc", f"-I{protocol}", f"--python_out={generated}", "motion.proto"], check=True)
        sys.path.insert(0, generated)
        import motion_pb2 as motion


class Client:
    """Asks on the control socket: one Envelope there, one back."""

    def __init__(self, runtime_dir):
        self.control = zmq.Context.instance().socket(zmq.DEALER)
        self.control.setsockopt(zmq.LINGER, 0)
        self.control.connect(f"ipc://{runtime_dir}/client/control.ipc")
        self.incarnation = secrets.randbits(63) + 1  # who this client is: random, never 0
        self.epoch = self.sequence = 0
        both = motion.VersionRange(lowest=1, highest=1)
        reply = self.ask(3, greeting=motion.Greeting(handshake_versions=both, protocol_versions=both, name="python"))
        self.epoch, self.service = reply.epoch, reply.service

    def ask(self, exit_code=5, **body):
        for _ in range(3):  # said again if no answer comes: a commit has an id, so that it is done once all the same
            self.sequence += 1
            sender = {"epoch": self.epoch, "incarnation": self.incarnation, "sequence": self.sequence}
            self.control.send(motion.Envelope(protocol=1, **sender, **body).SerializeToString())
            while self.control.poll(3000):
                reply = motion.Envelope.FromString(self.control.recv())
                if reply.reply_to != self.sequence:
                    continue  # the late answer to an earlier question
                if reply.WhichOneof("body") == "refusal":
                    leave(4, f"refused: {reply.refusal.message}. {reply.refusal.remedy}")
                return reply
        leave(exit_code, "motiond does not answer")


def leave(exit_code, message):
    print(message, file=sys.stderr)
    sys.exit(exit_code)


def receive(values):
    if not values.poll(10_000):
        leave(5, "nothing is published")
    return motion.Envelope.FromString(values.recv().partition(b"\0")[2])  # topic, zero byte, Envelope


def field(name, **value):
    return motion.Field(name=name, value=motion.FieldValue(**value))


def main(arguments):
    directory = os.environ.get("MOTIOND_RUNTIME_DIR") or os.environ.get("XDG_RUNTIME_DIR", "/run") + "/motiond"
    if arguments[:1] == ["--runtime-dir"] and len(arguments) > 1:
        directory, arguments = arguments[1], arguments[2:]
    if len(arguments) < 3:
        leave(2, __doc__)
    (target, name), numbers = arguments[:2], [float(number) for number in arguments[2:]]
    client = Client(directory)
    values = zmq.Context.instance().socket(zmq.SUB)
    values.connect(client.service.values_endpoint)
    for topic in (f"o/{target}", f"v/{target}/{name}"):
        values.subscribe(topic.encode() + b"\0")  # the zero byte, so that v/ball is not v/balloon
    while not (first := receive(values).values).complete:  # complete values: from now on nothing is missed
        pass
    destination = {"number": numbers[0]} if len(numbers) == 1 else {"vector": motion.FieldValue.Vector(lanes=numbers)}
    fields = [field("property", property=name), field("destination", **destination)]
    add = motion.Operation.Add(intention=motion.Intention(type="SpringTo", fields=fields), to=target)
    commit = motion.Commit(id_high=secrets.randbits(64), id_low=secrets.randbits(64), operations=[{"add": add}])
    receipt = client.ask(commit=commit).receipt
    end, last, value = None, first.frame, list(first.lanes)
    while end is None or (last < end.frame and value != numbers):
        message = receive(values)
        if message.HasField("values") and message.values.frame > last and message.values.handles:
            last, value = message.values.frame, list(message.values.lanes)  # the topic has this property only
            print(json.dumps({"frame": last, "time": message.values.time, "value": value}), flush=True)
        for ended in message.ended.intentions:
            end = ended if ended.identity.sequence == receipt.sequence else end
    print(json.dumps({"outcome": motion.Outcome.Name(end.outcome)[8:].lower(), "value": value}))
    return 0 if end.outcome == motion.OUTCOME_COMPLETED and value == numbers else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
