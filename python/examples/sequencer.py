"""A sequencer of eight lamps, exact to the frame: sequencer.py [RUNTIME_DIR] [BARS]

Every step is a transaction with its own simulated time. They are committed half a second ahead, so that neither the
network nor this program has to be punctual: a pause of motiond pauses the music, and half the speed is half the tempo.
"""

from __future__ import annotations

import asyncio
import sys

import motiond
from motiond import spring, tween

#: Sixteen steps of a bar: the lamps that flash.
PATTERN = ["1", "", "3", "", "5", "", "3", "", "1,8", "", "3", "", "5", "7", "6", "8"]
#: Simulated seconds of a step: 120 beats a minute in sixteenths.
STEP = 0.125
#: How far ahead steps are committed, in simulated seconds.
AHEAD = 0.5


async def main(directory: str | None, bars: int) -> None:
    """Plays some bars."""
    async with motiond.connect(directory, name="sequencer") as m:
        _ = await m.commit(*[spring(f"lamp{i}.level", 0) for i in range(1, 9)])
        begin = (await m.status()).clock.time + AHEAD
        receipts: list[motiond.AsyncReceipt] = []
        for step in range(bars * len(PATTERN)):
            lamps = PATTERN[step % len(PATTERN)]
            at = begin + step * STEP
            if not lamps:
                continue
            # Simulated time may be paused or slow: wait by that clock.
            while (left := at - AHEAD - (await m.status()).clock.time) > 0:
                await asyncio.sleep(left)
            flash = [tween(f"lamp{lamp}.level", 0, 3 * STEP, start=1, easing="ease-out") for lamp in lamps.split(",")]
            receipts.append(await m.commit(*flash, at=at, comment=f"step {step}"))
        late = [receipt for receipt in receipts if receipt.overdue is not None]
        ends = await receipts[-1].settled()
        print(f"{len(receipts)} steps, {len(late)} of them late; the last one ended {ends[0].outcome.value}")


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1] if len(sys.argv) > 1 else None, int(sys.argv[2]) if len(sys.argv) > 2 else 4))
