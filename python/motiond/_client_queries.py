"""Queries: each returns rows as motiond sends them (`motiond.messages`, described in motion.proto)."""

from __future__ import annotations

from ._arguments import message_of, text_of, timeout_of, whole_of
from ._client_link import Link, unexpected
from ._proto import motion_pb2 as pb
from ._types_values import Property, Seconds


class Queries:
    """The queries of a client, and its history. Each waits for its answer at most `timeout` seconds, or those of the
    client."""

    def __init__(self, link: Link, timeout: float) -> None:
        self.link = link
        #: How long a call without a timeout waits for its answer, in seconds.
        self.timeout = timeout

    async def targets(self, *, timeout: Seconds | None = None) -> list[pb.TargetRow]:
        """The targets, in order of first mention."""
        return list((await self._query(pb.Query.SUBJECT_TARGETS, timeout)).targets.rows)

    async def properties(self, target: str | None = None, *, timeout: Seconds | None = None) -> list[pb.PropertyRow]:
        """The properties of a target, or of all: state, driver, limits."""
        return list((await self._query(pb.Query.SUBJECT_PROPERTIES, timeout, target=target)).properties.rows)

    async def executors(self, target: str | None = None, *, timeout: Seconds | None = None) -> list[pb.ExecutorRow]:
        """The executors of a target, or of all."""
        return list((await self._query(pb.Query.SUBJECT_EXECUTORS, timeout, target=target)).executors.rows)

    async def intentions(self, target: str | None = None, *, timeout: Seconds | None = None) -> list[pb.IntentionRow]:
        """The plans on a target, or on all, failed ones included."""
        return list((await self._query(pb.Query.SUBJECT_INTENTIONS, timeout, target=target)).intentions.rows)

    async def tokens(self, target: str | None = None, *, timeout: Seconds | None = None) -> list[pb.TokenRow]:
        """The tokens of the executors of a target, or of all."""
        return list((await self._query(pb.Query.SUBJECT_TOKENS, timeout, target=target)).tokens.rows)

    async def plugins(self, *, timeout: Seconds | None = None) -> list[pb.PluginRow]:
        """The plugins with their workers."""
        return list((await self._query(pb.Query.SUBJECT_PLUGINS, timeout)).plugins.rows)

    async def descriptions(
        self, type: str | None = None, *, timeout: Seconds | None = None
    ) -> list[pb.IntentionDescription]:
        """The descriptions of one type of plans, or of all."""
        return list((await self._query(pb.Query.SUBJECT_TYPES, timeout, type=type)).types.rows)

    async def status(self, *, timeout: Seconds | None = None) -> pb.Status:
        """The status of motiond."""
        return (await self._query(pb.Query.SUBJECT_STATUS, timeout)).status

    async def graph(self, target: str | None = None, *, timeout: Seconds | None = None) -> pb.Graph:
        """All objects on a target, or on all, and their relations, with the streams of workers. Takes half a second at
        most."""
        return (await self._query(pb.Query.SUBJECT_GRAPH, timeout, target=target)).graph

    async def waiting(self, *, timeout: Seconds | None = None) -> list[pb.WaitingRow]:
        """The transactions that wait for their `at` or for the next frame, in the order in which they will be
        applied."""
        return list((await self._query(pb.Query.SUBJECT_WAITING, timeout)).waiting.rows)

    async def inputs(self, *, timeout: Seconds | None = None) -> list[pb.InputRow]:
        """The named input values."""
        return list((await self._query(pb.Query.SUBJECT_INPUTS, timeout)).inputs.rows)

    async def clients(self, *, timeout: Seconds | None = None) -> list[pb.ClientRow]:
        """The clients of motiond."""
        return list((await self._query(pb.Query.SUBJECT_CLIENTS, timeout)).clients.rows)

    async def groups(self, *, timeout: Seconds | None = None) -> list[pb.Operation.Group]:
        """The groups of targets, with their members."""
        return list((await self._query(pb.Query.SUBJECT_GROUPS, timeout)).groups.rows)

    async def scenes(self, scene: str | None = None, *, timeout: Seconds | None = None) -> list[pb.SceneRow]:
        """The scenes without their content, or one with it."""
        return list((await self._query(pb.Query.SUBJECT_SCENES, timeout, scene=scene)).scenes.rows)

    async def cue_lists(self, cues: str | None = None, *, timeout: Seconds | None = None) -> list[pb.CueListRow]:
        """The lists of cues without their content, or one with it."""
        return list((await self._query(pb.Query.SUBJECT_CUES, timeout, cues=cues)).cues.rows)

    async def why(self, property: str | Property, *, timeout: Seconds | None = None) -> pb.Explanation:
        """Why a property, `"target.property"`, has its value: what drives it, for whom, and what waits."""
        place = Property.of(property)
        return (await self._query(pb.Query.SUBJECT_WHY, timeout, target=place.target, property=place.property)).why

    async def snapshot(self, *, timeout: Seconds | None = None) -> pb.RecordingHeader:
        """The complete state after the last frame, as the beginning of a recording."""
        return (await self._query(pb.Query.SUBJECT_SNAPSHOT, timeout)).snapshot

    async def query(self, query: pb.Query, *, timeout: Seconds | None = None) -> pb.Answer:
        """Any query of the protocol, and its answer."""
        query = message_of(query, pb.Query, "query")
        answer = await self.ask(pb.Envelope(query=query), timeout)
        if answer.WhichOneof("body") != "answer":
            raise unexpected(answer, "query")
        return answer.answer

    # -------------------------------------------------------------------------------------------------------- history

    async def history(self, *, timeout: Seconds | None = None) -> pb.History:
        """The segments of motiond's history, the oldest first: recordings of the last minutes, each with a snapshot."""
        return await self._history(pb.HistoryRequest(segments=pb.HistoryRequest.Segments()), timeout)

    async def history_segment(self, segment: int, *, timeout: Seconds | None = None) -> bytes:
        """The file of a segment, which is a recording: `recording.read` reads it. Refused with `not-found` if it was
        dropped meanwhile."""
        parts: list[bytes] = []
        offset, number = 0, whole_of(segment, "segment", 0, 2**64 - 1)
        while True:
            request = pb.HistoryRequest(part=pb.HistoryRequest.Part(segment=number, offset=offset))
            part = (await self._history(request, timeout)).part
            if not part:
                return b"".join(parts)
            parts.append(part)
            offset += len(part)

    async def erase_history(self, *, timeout: Seconds | None = None) -> pb.ClockState:
        """Erases the history up to now."""
        body = pb.Envelope(history_request=pb.HistoryRequest(erase=pb.HistoryRequest.Erase()))
        answer = await self.ask(body, timeout)
        if answer.WhichOneof("body") != "done":
            raise unexpected(answer, "request to erase the history")
        return answer.done.clock

    # ----------------------------------------------------------------------------------------------------------- steps

    async def ask(
        self, body: pb.Envelope, timeout: Seconds | None = None, *, is_repeatable: bool = True
    ) -> pb.Envelope:
        """Sends a request, the body of an Envelope, and returns the Envelope of its answer. Raises the refusal."""
        body = message_of(body, pb.Envelope, "body")
        return await self.link.ask(body, self.patience(timeout), is_repeatable=is_repeatable)

    def patience(self, timeout: Seconds | None) -> float:
        """How long a call waits, in seconds."""
        return self.timeout if timeout is None else timeout_of(timeout)

    async def _history(self, request: pb.HistoryRequest, timeout: Seconds | None) -> pb.History:
        answer = await self.ask(pb.Envelope(history_request=request), timeout)
        if answer.WhichOneof("body") != "history":
            raise unexpected(answer, "look back")
        return answer.history

    async def _query(self, subject: pb.Query.Subject, timeout: Seconds | None, **of: str | None) -> pb.Answer:
        query = pb.Query(subject=subject)
        for name, value in of.items():
            if value is not None:
                setattr(query, name, text_of(value, name))
        return await self.query(query, timeout=timeout)
