#!/usr/bin/python3
"""A client of motiond in Python: springs a property to a value and watches until it is there.
Usage: motion_client.py TARGET PROPERTY NUMBER...          for example: motion_client.py ball position 100 50
Prints a line of JSON for each frame, then how the plan ended. Needs python3-zmq, python3-protobuf, protobuf-compiler.
Exit codes: 0 it arrived, 1 it did not, 2 usage, 3 no daemon, 4 refused, 5 time-out.
"""
import json, os, secrets, subprocess, sys, tempfile, zmq

root = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../..")  # the repository, or share/doc/motiond
protocol = root + ("/Sources/MotionWire" if os.path.exists(root + "/Sources") else "/../../motiond")
with tempfile.TemporaryDirectory() as generated:  # at each start, so that nothing has to be made before
    subprocess.run(["protoc", f"-I{protocol}", f"--python_out={generated}", "motion.proto"], check=True)
    sys.path.insert(0, generated)
    import motion_pb2 as motion

RUNTIME_DIRECTORY = os.environ.get("MOTIOND_RUNTIME_DIR") or os.environ.get("XDG_RUNTIME_DIR", "/run") + "/motiond"


class Client:
    """Asks on the control socket: one Envelope there, one back."""
    def __init__(self, runtime_dir):
        self.control = zmq.Context.instance().socket(zmq.DEALER)
        self.control.setsockopt(zmq.LINGER, 0)
        self.control.connect(f"ipc://{runtime_dir}/client/control.ipc")
        self.incarnation, self.sequence = secrets.randbits(63) + 1, 0  # who this client is: random, never 0
        self.greet()

    def greet(self):
        self.epoch, both = 0, motion.VersionRange(lowest=1, highest=1)
        greeting = motion.Greeting(handshake_versions=both, protocol_versions=both, name="python")
        reply = self.say(greeting=greeting) or leave(3, "nobody answers: is motiond running?")
        self.epoch, self.service = reply.epoch, reply.service

    def ask(self, **body):
        for _ in range(3):
            if reply := self.say(**body):
                return reply
            self.greet()  # it may have been started again; a commit has an id, so it may be sent again
        leave(5, "motiond does not answer")

    def say(self, **body):
        self.sequence += 1
        sender = {"epoch": self.epoch, "incarnation": self.incarnation, "sequence": self.sequence}
        self.control.send(motion.Envelope(protocol=1, **sender, **body).SerializeToString())
        while self.control.poll(3000):
            reply = motion.Envelope.FromString(self.control.recv())
            if reply.reply_to == self.sequence:  # and not the late answer to an earlier question
                if reply.HasField("refusal"):
                    leave(4, f"refused: {reply.refusal.message}. {reply.refusal.remedy}")
                return reply

    def commit(self, add):
        id = {"id_high": secrets.randbits(64), "id_low": secrets.randbits(64)}
        return self.ask(commit=motion.Commit(**id, client="python", operations=[motion.Operation(add=add)])).receipt

    def subscribe(self, *topics):
        values = zmq.Context.instance().socket(zmq.SUB)
        values.connect(self.service.values_endpoint)
        for topic in topics:
            values.subscribe(topic.encode() + b"\0")  # the zero byte, so that v/ball is not v/balloon
        return values


def leave(exit_code, message):
    print(message, file=sys.stderr)
    sys.exit(exit_code)


def receive(values):
    if not values.poll(10_000):
        leave(5, "nothing is published")
    return motion.Envelope.FromString(values.recv().partition(b"\0")[2])  # topic, zero byte, Envelope


def main(arguments):
    if len(arguments) < 3:
        leave(2, __doc__)
    (target, name), numbers = arguments[:2], [float(number) for number in arguments[2:]]
    client = Client(RUNTIME_DIRECTORY)
    values = client.subscribe(f"o/{target}", f"v/{target}/{name}")
    while not (first := receive(values).values).complete:  # complete values: from now on nothing is missed
        pass
    destination = {"number": numbers[0]} if len(numbers) == 1 else {"vector": {"lanes": numbers}}
    fields = [{"name": "property", "value": {"property": name}}, {"name": "destination", "value": destination}]
    receipt = client.commit({"intention": {"type": "SpringTo", "fields": fields}, "to": target})
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
