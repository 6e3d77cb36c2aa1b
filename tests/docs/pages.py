# SPDX-License-Identifier: Apache-2.0
"""Fenced blocks of a page of documentation, and what they promise.

The words after the language say what a block is:

    ```sh run           commands that the check runs, from the top of the tree; they succeed
    ```sh run exit=6    the last of them exits with that code
    ```sh               commands that are only shown (set-up, builds)
    ```mlir output      an excerpt of what the last run block printed
    ```cpp of PATH      an excerpt of a file of this tree
    ```cpp sketch       an illustration, which nothing checks

An excerpt is taken line by line, leading and trailing blanks aside. A line with nothing but "…" stands
for any number of lines, "…" inside of a line for any text; all other lines are neighbours in the
original as well.
"""
import collections
import re

ELLIPSIS = "…"

Block = collections.namedtuple("Block", "line language words text")
FENCE = re.compile(r"^```([^\n`]*)\n(.*?)^```[ \t]*$", re.MULTILINE | re.DOTALL)


def blocks(text):
    """The fenced blocks of a page, in order; `line` is that of the opening fence."""
    found = []
    for match in FENCE.finditer(text):
        words = match.group(1).split()
        found.append(Block(text.count("\n", 0, match.start()) + 1, words[0] if words else "", words[1:],
                           match.group(2)))
    return found


def kind(block):
    """"run", "shown", "output", "of" or "sketch"; None for a block that promises nothing."""
    if block.language == "sh":
        return "run" if block.words[:1] == ["run"] else None if block.words else "shown"
    first = block.words[0] if block.words else ""
    if first == "of":
        return "of" if len(block.words) == 2 else None
    return first if first in ("output", "sketch") and len(block.words) == 1 else None


def exit_code(block):
    """The exit code that a run block promises."""
    for word in block.words[1:]:
        match = re.fullmatch(r"exit=(\d+)", word)
        if match:
            return int(match.group(1))
    return 0


def line_matches(pattern, line):
    if ELLIPSIS not in pattern:
        return pattern == line
    return re.fullmatch(".*".join(re.escape(part.strip()) for part in pattern.split(ELLIPSIS)), line) is not None


def runs_of(excerpt):
    """The pieces of an excerpt that are contiguous in the original, each a list of lines."""
    runs = [[]]
    for line in excerpt.splitlines():
        if line.strip() == ELLIPSIS:
            runs.append([])
        elif line.strip():
            runs[-1].append(line.strip())
    return [run for run in runs if run]


def difference(excerpt, original):
    """None if `excerpt` is one of `original`, else the first line of the excerpt that has no place."""
    lines = [line.strip() for line in original.splitlines() if line.strip()]
    at = 0
    for run in runs_of(excerpt):
        best = 0
        for start in range(at, len(lines) + 1):
            length = 0
            while (length < len(run) and start + length < len(lines)
                   and line_matches(run[length], lines[start + length])):
                length += 1
            if length == len(run):
                at = start + length
                break
            best = max(best, length)
        else:
            return run[best]
    return None
