"""The errors of the client. Each says what happened, to what, and the remedy; its code is for programs."""

from __future__ import annotations

from ._proto import motion_pb2 as pb


class MotionError(Exception):
    """An error of a client of motiond.

    `code` identifies the kind for programs, `message` describes the error in a sentence, and `remedy` the fix; it may
    be empty. More codes may be added: treat an unknown one as a failure that its text explains.
    """

    def __init__(self, message: str, remedy: str = "", *, code: str) -> None:
        super().__init__(message)
        self.code: str = code
        self.message: str = message
        self.remedy: str = remedy

    def __str__(self) -> str:
        return f"{self.message}. {self.remedy}" if self.remedy else self.message

    def __reduce__(self) -> tuple[object, ...]:
        return (_restored, (type(self), self.args, self.__dict__))


def _restored(kind: type[MotionError], arguments: tuple[object, ...], state: dict[str, object]) -> MotionError:
    """Makes a pickled error again, without the signatures of the initializers."""
    error = kind.__new__(kind, *arguments)
    error.args = arguments
    error.__dict__.update(state)
    return error


def _numbered(word: str, index: int | None) -> str | None:
    return None if index is None else f"{word} {index}"


def _placed(text: str, *places: str | None) -> str:
    """The text of an error behind the places that are known."""
    place = ", ".join(filter(None, places))
    return f"{place}: {text}" if place else text


class Refusal(MotionError):
    """motiond refused a request, which therefore had no effect.

    `operation` is the index of the operation of the transaction at fault, and `field` the field of its intention;
    each is None if the refusal is not about one. docs/protocol.md lists the codes.
    """

    def __init__(
        self, code: str, message: str, remedy: str = "", *, operation: int | None = None, field: str | None = None
    ) -> None:
        super().__init__(message, remedy, code=code)
        self.operation: int | None = operation
        self.field: str | None = field

    def __str__(self) -> str:
        field = f"field {self.field}" if self.field else None
        return _placed(super().__str__(), _numbered("operation", self.operation), field)

    @classmethod
    def of(cls, message: pb.Refusal) -> Refusal:
        """The refusal in a message."""
        text, remedy = message.message or "motiond refused the request", message.remedy
        if message.code == "name" and not remedy:
            # The text has the rule for such names at its end.
            text, found, rule = text.partition(": use ")
            remedy = f"Use {rule}." if found else "Use another name."
        return cls(
            message.code or "refused",
            text,
            remedy,
            operation=message.operation if message.HasField("operation") else None,
            field=message.field if message.HasField("field") else None,
        )


class PlanError(MotionError, ValueError):
    """A plan, an operation or an argument that this client rejects before it is sent.

    `field` is the field or the argument at fault. `commit` and `commit_all` set `operation`, the index of the operation
    at fault, and `commit_all` also `transaction`, the index of its transaction; nothing of the call was sent then. Each
    is None if it does not apply.
    """

    def __init__(self, message: str, remedy: str = "", *, field: str | None = None, code: str = "value") -> None:
        super().__init__(message, remedy, code=code)
        self.field: str | None = field
        self.operation: int | None = None
        self.transaction: int | None = None

    def __str__(self) -> str:
        places = _numbered("transaction", self.transaction), _numbered("operation", self.operation)
        return _placed(super().__str__(), *places)


class Unreachable(MotionError, ConnectionError):
    """No motiond listens where it was looked for. Start one, or connect to another place."""

    def __init__(self, message: str, remedy: str = "") -> None:
        super().__init__(message, remedy, code="unreachable")


class Timeout(MotionError, TimeoutError):
    """No answer arrived in time. Whether motiond carries the request out is unknown, unless it is sent again: a commit
    has an id, so that it takes effect once."""

    def __init__(self, message: str, remedy: str = "") -> None:
        super().__init__(message, remedy, code="timeout")


class Closed(MotionError):
    """The client is closed."""

    def __init__(self, message: str = "the client is closed", remedy: str = "Connect again.") -> None:
        super().__init__(message, remedy, code="closed")


class Forked(MotionError):
    """The client belongs to another process: it was connected before a fork, and sockets do not survive that."""

    def __init__(self) -> None:
        super().__init__(
            "this client was connected in another process, before a fork",
            "Connect in each process after the fork, or start processes with the method spawn.",
            code="forked",
        )


class ProtocolError(MotionError):
    """motiond sent a message that does not fit the request."""

    def __init__(self, message: str) -> None:
        super().__init__(
            message,
            "Use a client and a daemon of the same version: compare motiond.__version__ with motiond --version.",
            code="protocol",
        )


class KeyFileError(MotionError):
    """A key that cannot be used."""

    def __init__(self, path: str, problem: str, remedy: str) -> None:
        super().__init__(f"the key file {path}: {problem}", remedy, code="key")


class RecordingError(MotionError):
    """A recording that cannot be read, or was damaged at the place that the message names."""

    def __init__(self, message: str, remedy: str = "") -> None:
        super().__init__(message, remedy, code="recording")
