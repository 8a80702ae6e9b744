#!/usr/bin/env python3
"""Makes a manual page of what a program says of itself.

    motionctl --experimental-dump-help | render.py --section 1 --date 1700000000 [--see-also 'motiond(8)'] > motionctl.1

Commands, options and texts come from the argument parser; nothing is written twice. The page is in the macros of man(7).
Its date is that of the sources, so that two runs give the same bytes.
"""

import argparse
import datetime
import json
import re
import sys


def escaped(text):
    """A text as troff has it: no escapes, hyphens that can be searched for, no line that is taken for a request."""
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("…", "...").replace("~", "\\(ti").replace("^", "\\(ha")
    return "\n".join("\\&" + line if line[:1] in (".", "'") else line for line in text.split("\n"))


def flowing(text):
    """A paragraph whose lines are one: a line begins nowhere with what would be a request."""
    return escaped(" ".join(text.split()))


def discussion(text):
    """What a command says at length: paragraphs, headings in capitals, and indented lines that stay as they are."""
    out, paragraph, literal = [], [], []

    def close():
        if paragraph:
            out.append(".PP\n" + flowing(" ".join(paragraph)))
            paragraph.clear()
        while literal and not literal[-1]:
            literal.pop()
        if literal:
            out.append(".PP\n.nf\n.RS 2\n" + escaped("\n".join(literal)) + "\n.RE\n.fi")
            literal.clear()

    for line in text.split("\n"):
        if re.fullmatch(r"[A-Z][A-Z ]+", line):
            close()
            out.append(".PP\n.I " + line.capitalize())
        elif line.startswith("  "):
            if paragraph:
                close()
            literal.append(line[2:])
        elif not line:
            if literal:
                literal.append("")
            else:
                close()
        else:
            if literal:
                close()
            paragraph.append(line)
    close()
    return out


def spelled(name):
    return ("-" if name["kind"] == "short" else "-" if name["kind"] == "longWithSingleDash" else "--") + name["name"]


def named(argument):
    """An argument as it is typed."""
    if argument["kind"] == "positional":
        return "\\fI" + escaped(argument["valueName"]) + "\\fP"
    names = ", ".join("\\fB" + escaped(spelled(name)) + "\\fP" for name in argument["names"])
    return names if argument["kind"] == "flag" else names + " \\fI" + escaped(argument["valueName"]) + "\\fP"


def shown(command):
    return [a for a in command.get("arguments", []) if a["shouldDisplay"]]


def synopsis(words, command, common=()):
    """A line that shows how a command is called."""
    parts = ["\\fB" + escaped(" ".join(words)) + "\\fP"]
    own = [a for a in shown(command) if a not in common]
    if any(a["kind"] != "positional" for a in own) or len(own) < len(shown(command)):
        parts.append("[\\fIoptions\\fP]")
    for argument in own:
        if argument["kind"] == "positional":
            text = named(argument) + (" ..." if argument["isRepeating"] else "")
            parts.append("[" + text + "]" if argument["isOptional"] else text)
    if children(command):
        parts.append("\\fIcommand\\fP ...")
    return " ".join(parts)


def options(arguments):
    out = []
    for argument in arguments:
        text = argument.get("abstract", "")
        if argument.get("discussion"):
            text += " " + argument["discussion"]
        if argument.get("allValues"):
            text += " One of: " + ", ".join(argument["allValues"]) + "."
        if argument.get("defaultValue"):
            text += " Default: " + argument["defaultValue"] + "."
        out += [".TP", named(argument), flowing(text) or "\\&"]
    return out


def children(command):
    return [c for c in command.get("subcommands", []) if c["shouldDisplay"] and c["commandName"] != "help"]


def everyone(command):
    return [command] + [inner for child in children(command) for inner in everyone(child)]


def page(command, section, epoch, see_also):
    name = command["commandName"]
    leaves = [c for c in everyone(command) if not children(c)]
    # What nearly every command understands is said once.
    common = [] if len(leaves) == 1 else [
        a for a in shown(leaves[0]) if sum(a in shown(leaf) for leaf in leaves) * 2 > len(leaves)]
    day = datetime.datetime.fromtimestamp(epoch, datetime.timezone.utc).strftime("%Y-%m-%d")
    out = [f".TH {name.upper()} {section} {day} motiond \"Manual of motiond\"", ".SH NAME"]
    # In one line without a full stop: what whatis prints.
    out += [escaped(name) + " \\- " + flowing(command["abstract"]).rstrip(".")]
    out += [".SH SYNOPSIS"]
    for leaf, words in calls(command, []):
        out += [".nh", synopsis(words, leaf, common), ".br"]
    out.pop()
    out += [".hy", ".SH DESCRIPTION", flowing(command["abstract"])] + discussion(command.get("discussion", ""))
    if len(leaves) == 1:
        out += [".SH OPTIONS"] + options(shown(command))
    else:
        out += [".SH COMMANDS"]
        for leaf, words in calls(command, []):
            out += [".SS " + synopsis(words, leaf, common), flowing(leaf["abstract"])]
            out += discussion(leaf.get("discussion", "")) + options([a for a in shown(leaf) if a not in common])
        out += [".SH COMMON OPTIONS", "Nearly every command understands these."] + options(common)
    if see_also:
        out += [".SH SEE ALSO"]
        pages = [re.fullmatch(r"(.+)\((\d)\)", entry).groups() for entry in see_also.split()]
        out += [f".BR {escaped(p)} ({s})" + ("," if i + 1 < len(pages) else "") for i, (p, s) in enumerate(pages)]
    return "\n".join(out) + "\n"


def calls(command, before):
    words = before + [command["commandName"]]
    inner = children(command)
    return [pair for child in inner for pair in calls(child, words)] if inner else [(command, words)]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--section", required=True)
    parser.add_argument("--date", type=int, required=True, help="seconds since 1970")
    parser.add_argument("--see-also", default="")
    arguments = parser.parse_args()
    sys.stdout.write(
        page(json.load(sys.stdin)["command"], arguments.section, arguments.date, arguments.see_also))
