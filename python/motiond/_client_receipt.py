"""The receipt of a transaction, and the wait for the end of its plans."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from typing import TYPE_CHECKING, Generic, TypeVar

from ._arguments import timeout_of
from ._client_calls import Face
from ._client_outcomes import EndedPlan, Outcome, Settlement
from ._client_plan import Plan, is_selector
from ._client_transaction import Step
from ._errors import MotionError, Refusal, Timeout
from ._io import boot_now
from ._proto import motion_pb2 as pb
from ._types_values import Seconds

if TYPE_CHECKING:
    from ._client_core import Core

#: The targets whose plans are asked for one by one; of more, all plans are asked for.
MOST_TARGETS = 4
#: How long to wait for outcomes before asking whether the plans still exist; it doubles up to the longest.
FIRST_WAIT, LONGEST_WAIT = 1.0, 16.0
#: How long before the end of a timeout to ask for the last time.
LAST_LOOK = 0.1


class CoreReceipt:
    """The receipt, and what follows."""

    def __init__(self, core: Core, message: pb.Receipt, settlement: Settlement, steps: Sequence[Step]) -> None:
        self.message = message
        self._core = core
        self._settlement = settlement
        self._steps = steps
        core.applied_by = message.frame or core.applied_by

    @property
    def ended(self) -> list[EndedPlan]:
        """The plans that have ended so far."""
        return list(self._settlement.ended.values())

    async def settled(self, timeout: Seconds | None = None) -> list[EndedPlan]:
        """Waits until all plans of the transaction have ended, and returns how: at rest, displaced, failed or removed.

        Standing plans end when they are removed: use a `timeout` (seconds), or do not wait for them. A plan that is
        removed publishes nothing; that it is gone is noticed within some seconds, or shortly before the timeout, by a
        query. While motiond does not answer it waits on. The plans are in the order of their operations; of several by
        a selector, those that were removed have no target, and come last. Raises `Timeout`; the plans go on then.
        """
        if not self._core.follows_outcomes:
            raise MotionError(
                "this client does not follow outcomes", "Connect without outcomes=False.", code="outcomes"
            )
        settlement = self._settlement
        deadline = inf if timeout is None else boot_now() + timeout_of(timeout)
        wait = 0.0 if self.message.repeated_commit else FIRST_WAIT
        is_last = False
        while not settlement.is_over:
            had_gap = settlement.has_gap
            left = min(wait, deadline - boot_now() - (0 if is_last else LAST_LOOK))
            if left > 0:
                await self._core.link.wait_for(settlement, left)
            if settlement.is_over:
                break
            if boot_now() >= deadline:
                raise Timeout("the plans have not ended in time", "They go on: wait longer, or remove them.")
            is_last = boot_now() >= deadline - LAST_LOOK
            wait = FIRST_WAIT if settlement.has_gap and not had_gap else min(max(wait, FIRST_WAIT) * 2, LONGEST_WAIT)
            try:
                await self._look(deadline)
            except Timeout:
                # motiond is away: its successor goes on with the plans.
                continue
            except Refusal as refusal:
                if refusal.code != "stopping":
                    raise
        return self._result()

    async def cancel(self, *, timeout: Seconds | None = None) -> pb.ClockState:
        """Cancels the transaction while it waits for its `at`. Raises `Refusal` (`not-found`) if it does not wait."""
        return await self._core.cancel(self.message.sequence, timeout=timeout)

    # ----------------------------------------------------------------------------------------------------------- steps

    async def _look(self, deadline: float) -> None:
        """Asks whether plans of the transaction exist. First for those that wait: what is not there has been
        applied. Raises `Timeout` at the deadline, or if motiond does not answer."""

        def patience() -> float:
            return max(0.0, min(self._core.timeout, deadline - boot_now()))

        sequence = self.message.sequence
        had_gap = self._settlement.has_gap or self.message.repeated_commit
        try:
            waiting = await self._core.waiting(timeout=patience())
        except Refusal as refusal:
            if refusal.code == "stopping":
                raise
            # A gateway that is restricted to targets tells nothing of what waits.
            waiting = []
        if any(row.sequence == sequence for row in waiting):
            return
        for target in _targets(self._steps) or [None]:
            try:
                rows = await self._core.intentions(target, timeout=patience())
            except MotionError as error:
                if error.code != "not-found":
                    raise
                continue
            for row in rows:
                is_own = row.identity.sequence == sequence and not row.identity.path
                if is_own and row.state != pb.IntentionRow.STATE_FAILED:
                    return
        # Outcomes that were published before these answers arrive before the barrier.
        arrival = self._core.link.follow_outcomes()
        await (arrival if deadline == inf else self._core.link.first(arrival, deadline))
        if not arrival.done():
            return
        arrival.result()
        if not self._settlement.is_over:
            self._settlement.has_gap = had_gap
            self._settlement.end()

    def _result(self) -> list[EndedPlan]:
        ended = dict(self._settlement.ended)
        missing = (self._settlement.expected or 0) - len(ended)
        lost = self._settlement.has_gap or self.message.repeated_commit
        outcome = Outcome.UNKNOWN if lost else Outcome.REMOVED
        for operation, step in enumerate(self._steps if missing > 0 else []):
            if isinstance(step, Plan) and not is_selector(step.target) and (operation, step.target) not in ended:
                ended[operation, step.target] = EndedPlan(outcome, step.target, step.type, step.name, operation)
                missing -= 1
        plans = [plan for _, plan in sorted(ended.items(), key=lambda item: item[0][0])]
        return plans + [EndedPlan(outcome)] * missing


def _targets(steps: Sequence[Step]) -> list[str]:
    """The targets of the plans of a transaction; empty if they are not known before the receipt."""
    targets = {step.target for step in steps if isinstance(step, Plan)}
    if (
        len(targets) > MOST_TARGETS
        or any(map(is_selector, targets))
        or not all(isinstance(step, Plan) for step in steps)
    ):
        return []
    return sorted(targets)


R = TypeVar("R", bound=CoreReceipt)


class ReceiptFields(Face[R], Generic[R]):
    """A transaction is accepted: it is valid, it has its place in the order of all, and it will be applied."""

    @property
    def message(self) -> pb.Receipt:
        """The receipt as motiond sent it, with `counts`, `displaced`, `limited`, `addressed` and `cues`."""
        return self.core.message

    @property
    def sequence(self) -> int:
        """Its place in the order of all transactions, from 1."""
        return self.message.sequence

    @property
    def frame(self) -> int | None:
        """The frame that applies it; None while it waits for its `at`."""
        return self.message.frame if self.message.HasField("frame") else None

    @property
    def at(self) -> float | None:
        """The simulated time that it waits for, if it does."""
        return self.message.at if self.message.HasField("at") else None

    @property
    def overdue(self) -> float | None:
        """How many simulated seconds after its `at` it was accepted, if it was late."""
        return self.message.overdue if self.message.HasField("overdue") else None

    @property
    def is_repeated(self) -> bool:
        """Whether the id was committed before, so that this commit did nothing."""
        return self.message.repeated_commit

    @property
    def ended(self) -> list[EndedPlan]:
        """The plans of the transaction that have ended so far."""
        return self.core.ended

    def __repr__(self) -> str:
        place = f"frame {self.frame}" if self.frame is not None else f"at {self.at} s"
        return f"<Receipt {self.sequence}, {place}>"
