"""Places to watch: names, patterns and groups, as topics."""

from __future__ import annotations

import re
from collections.abc import Callable, Coroutine, Iterable, Sequence
from functools import partial
from typing import Any

from ._arguments import text_of
from ._errors import PlanError
from ._names import PROPERTY, TARGET, TARGET_RULE
from ._proto import motion_pb2 as pb

Accepts = Callable[[str, str], bool]

#: Topics of one watch: a wider one costs less than more of them.
_MOST_TOPICS = 4096
#: Bytes of one place.
LONGEST_PLACE = 1 << 20
#: The names that braces may stand for.
_MOST_NAMES = 100_000
_BRACES = re.compile(r"\{([^{}]*)\}")
_RANGE = re.compile(r"(\d{1,9})\.\.(\d{1,9})")


async def topics_of(
    places: Sequence[str], letter: str, groups: Callable[[], Coroutine[Any, Any, list[pb.Operation.Group]]]
) -> dict[str, Accepts]:
    """The topics to subscribe to, each with what to keep of it; everything if there are no places.

    A place is a target, a property (`ball.position`, `ball/position`), a pattern of either (`lamp*`,
    `lamp{1..12}.level`), a group (`@front`, `@front.level`), or several separated by commas. Members of groups are
    those at this moment.
    """
    texts = [part for place in places for part in _parts(text_of(place, "places", LONGEST_PLACE))]
    if not texts:
        return {f"{letter}/": _everything}
    targets: set[str] = set()
    properties: set[tuple[str, str]] = set()
    patterns: list[re.Pattern[str]] = []
    members = {row.name: list(row.members) for row in await groups()} if any("@" in text for text in texts) else {}
    for name in (name for text in texts for name in _expanded(text)):
        if name.startswith("@"):
            found, property = _group(name[1:], members)
            if property is None:
                targets.update(found)
            else:
                properties.update((target, property) for target in found)
        elif "*" in name or "?" in name:
            patterns.append(_pattern(name))
        else:
            _add(name, targets, properties)
    if patterns:
        return {f"{letter}/": partial(_matches, frozenset(targets), frozenset(properties), patterns)}
    topics: dict[str, Accepts] = {f"{letter}/{target}": _everything for target in sorted(targets)}
    for target, property in sorted(properties):
        if target not in targets:
            topics[f"{letter}/{target}/{property}"] = _everything
    if len(topics) > _MOST_TOPICS:
        raise PlanError(
            f"{len(topics)} places are too many", f"Watch a pattern, or at most {_MOST_TOPICS}.", code="limit"
        )
    return topics


async def filter_of(
    places: Sequence[str], groups: Callable[[], Coroutine[Any, Any, list[pb.Operation.Group]]]
) -> Accepts:
    """Whether a property is at one of the places."""
    topics = await topics_of(places, "v", groups)

    def accepts(target: str, property: str) -> bool:
        for topic in ("v/", f"v/{target}", f"v/{target}/{property}"):
            if topic in topics:
                return topics[topic](target, property)
        return False

    return accepts


def _everything(_target: str, _property: str) -> bool:
    return True


def _matches(
    targets: frozenset[str],
    properties: frozenset[tuple[str, str]],
    patterns: list[re.Pattern[str]],
    target: str,
    property: str,
) -> bool:
    if target in targets or (target, property) in properties:
        return True
    return any(
        pattern.fullmatch(target) or ("\\." in pattern.pattern and pattern.fullmatch(f"{target}.{property}"))
        for pattern in patterns
    )


def _parts(text: str) -> Iterable[str]:
    """The parts between commas that are not in braces."""
    depth, part = 0, ""
    for character in text:
        depth += (character == "{") - (character == "}")
        if character == "," and depth <= 0:
            yield part.strip()
            part = ""
        else:
            part += character
    yield part.strip()


def _expanded(text: str) -> list[str]:
    """The names that braces stand for: `lamp{1..3}`, `{left,right}-lamp`."""
    names = [text]
    while (found := _BRACES.search(names[0])) is not None:
        inner, span = found.group(1), _RANGE.fullmatch(found.group(1))
        if span is None:
            words = inner.split(",")
        else:
            first, last = int(span.group(1)), int(span.group(2))
            width = len(span.group(1)) if span.group(1).startswith("0") else 0
            step = 1 if first <= last else -1
            words = [str(number).zfill(width) for number in range(first, last + step, step)][:_MOST_NAMES]
        names = [_BRACES.sub(word.replace("\\", r"\\"), name, count=1) for name in names for word in words]
        if len(names) >= _MOST_NAMES:
            raise PlanError(f"{text!r} stands for too many names", "Use a pattern, such as lamp*.", code="limit")
    return names


def _group(text: str, members: dict[str, list[str]]) -> tuple[list[str], str | None]:
    """The members of a group, and the property that follows its name, if one does."""
    if text in members:
        return members[text], None
    name, _, property = text.rpartition("/" if "/" in text else ".")
    if name in members and PROPERTY.fullmatch(property):
        return members[name], property
    raise PlanError(
        f"there is no group {text!r}", f"The groups are {', '.join(sorted(members)) or 'none'}.", code="not-found"
    )


def _pattern(text: str) -> re.Pattern[str]:
    parts = [".*" if part == "*" else "." if part == "?" else re.escape(part) for part in re.split(r"([*?])", text)]
    return re.compile("".join(parts).replace("/", r"\."))


def _add(text: str, targets: set[str], properties: set[tuple[str, str]]) -> None:
    if "/" in text:
        target, _, property = text.partition("/")
        if not TARGET.fullmatch(target) or not PROPERTY.fullmatch(property):
            raise PlanError(f"{text!r} names no property", 'Write "target/property".', code="name")
        properties.add((target, property))
        return
    if not TARGET.fullmatch(text):
        raise PlanError(f"{text!r} names no target", TARGET_RULE, code="name")
    targets.add(text)
    target, _, property = text.rpartition(".")
    # With a dot, it may be a property, or a target that has a dot in its name: both are watched.
    if target and PROPERTY.fullmatch(property):
        properties.add((target, property))
