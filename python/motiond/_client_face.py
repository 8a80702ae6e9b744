"""What both faces of a client have that needs no waiting."""

from __future__ import annotations

from ._arguments import timeout_of
from ._client_calls import Face
from ._client_core import Core
from ._client_types import Types
from ._proto import motion_pb2 as pb


class ClientFace(Face[Core]):
    """The state of a connection."""

    @property
    def types(self) -> Types:
        """The types of plans that motiond has, as constructors: `m.types.Breathe("lamp", …)`."""
        return Types(self.core.catalog)

    @property
    def timeout(self) -> float:
        """How long a call without a timeout waits, in seconds; may be set."""
        return self.core.timeout

    @timeout.setter
    def timeout(self, seconds: float) -> None:
        self.core.timeout = timeout_of(seconds)

    @property
    def epoch(self) -> int:
        """The number of the start of motiond that answered last."""
        return self.core.link.epoch

    @property
    def service(self) -> pb.Service:
        """motiond's description of itself in its last answer to a greeting: frames per second, clock."""
        return self.core.link.service or pb.Service()

    @property
    def moment(self) -> pb.Moment | None:
        """motiond's clocks when it answered last: simulated time in seconds, and nanoseconds since 1970."""
        return self.core.link.moment

    @property
    def unkept(self) -> str:
        """Why a restart would undo the last stop or clock command, and the remedy; empty if that is kept."""
        return self.core.unkept

    @property
    def is_open(self) -> bool:
        """Whether it can be used in this process."""
        return self.core.link.is_open

    def close(self) -> None:
        """Closes the connection. Calls that wait raise `Closed`. Harmless if it is closed."""
        self.core.link.close()
