#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that documentation says what is: tests/docs/check.py page PATH [--build FOLDER]
                                          tests/docs/check.py env_vars | unlowered

`page` runs the commands that a page marks as runnable, with the programs of the build folder, and
compares its excerpts with what they print and with the files that they name (pages.py has the rules).
`env_vars` compares docs/env-vars.md with the table of support/Env.h; `unlowered` looks for lowerings of
the ops that docs/rationale-tile.md says have none. Prints the findings, one a line, and exits with 1 if
there are any. test_check.py shows that each check can fail.
"""
import argparse
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import pages  # noqa: E402

TIMEOUT_SECONDS = 100


def read(root, path):
    with open(os.path.join(root, path), encoding="utf-8") as file:
        return file.read()


# --- pages --------------------------------------------------------------------------------------

def run(root, build, commands, scratch):
    """(exit code, what was printed). Pages name programs by PATH or by a preset's folder; mktemp makes
    its files in `scratch`."""
    programs = os.path.join(os.path.abspath(build), "bin")
    script = re.sub(r"\bbuild/(dev|release)/bin\b", programs, commands)
    environment = dict(os.environ, PATH=programs + os.pathsep + os.environ.get("PATH", ""), TMPDIR=scratch)
    done = subprocess.run(["bash", "-euo", "pipefail", "-c", script], cwd=root, env=environment, text=True,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          timeout=TIMEOUT_SECONDS, check=False)
    return done.returncode, done.stdout


def check_page(root, path, build):
    findings = []
    printed = None
    with tempfile.TemporaryDirectory() as scratch:
        for block in pages.blocks(read(root, path)):
            place = f"{path}:{block.line}"
            kind = pages.kind(block)
            if kind is None:
                findings.append(f"{place}: the block '{' '.join([block.language, *block.words])}' promises "
                                "nothing: mark it run, output, of PATH or sketch (tests/docs/pages.py)")
            elif kind == "run":
                code, printed = run(root, build, block.text, scratch)
                if code != pages.exit_code(block):
                    findings.append(f"{place}: expected exit code {pages.exit_code(block)}, found {code}:\n"
                                    f"{printed[-2000:]}")
            elif kind == "output" and printed is None:
                findings.append(f"{place}: an output without commands before it")
            elif kind == "output":
                line = pages.difference(block.text, printed)
                if line is not None:
                    findings.append(f"{place}: the commands before do not print, there: {line}")
            elif kind == "of" and not os.path.exists(os.path.join(root, block.words[1])):
                findings.append(f"{place}: no file {block.words[1]}")
            elif kind == "of":
                line = pages.difference(block.text, read(root, block.words[1]))
                if line is not None:
                    findings.append(f"{place}: {block.words[1]} does not say, there: {line}")
    return findings


# --- environment variables ----------------------------------------------------------------------

def env_table(header):
    """(name, default, help) of each row of kEnvVariables."""
    table = header[header.index("kEnvVariables = {{"):]
    table = table[:table.index("}};")]
    rows = re.findall(r'\{EnvKey::\w+,\s*"(\w+)",\s*EnvKind::\w+,\s*"([^"]*)",\s*((?:"[^"]*"\s*)+)\}', table)
    return [(name, default, "".join(re.findall(r'"([^"]*)"', text))) for name, default, text in rows]


def documented(page):
    """(name, default, help) of each row of the page's table."""
    rows = re.findall(r"^\| `(\w+)` \| ([^|]*) \| ([^|]*) \|$", page, re.MULTILINE)
    return [(name, default.strip().strip("`"), text.strip()) for name, default, text in rows]


def check_env_vars(root):
    header, page = "support/Env.h", "docs/env-vars.md"
    expected, found = env_table(read(root, header)), documented(read(root, page))
    findings = [] if expected else [f"{header}: expected rows in kEnvVariables, found none"]
    for row in expected:
        if row not in found:
            findings.append(f"{page}: expected the row | `{row[0]}` | {f'`{row[1]}`' if row[1] else ''} | {row[2]} |")
    names = [row[0] for row in expected]
    for row in found:
        if row[0] not in names:
            findings.append(f"{page}: {row[0]} is not in the table of {header}")
    if not findings and found != expected:
        findings.append(f"{page}: rows stand in another order than in {header}")
    return findings


# --- ops without a lowering ---------------------------------------------------------------------

def check_unlowered(root):
    page, folder = "docs/rationale-tile.md", "compiler/passes/tosm90"
    texts = [read(root, os.path.join(folder, name)) for name in os.listdir(os.path.join(root, folder))]
    section = read(root, page).partition("## Said, but not lowered yet")[2].partition("\n## ")[0]
    listed = re.findall(r"`tile\.(\w+)`", section)
    lowered = re.findall(r"Case\(\[&\]\(tile::(\w+)Op\b", "".join(texts))
    findings = [] if lowered else [f"{folder}: expected lowerings of tile ops, found none"]
    for name in listed:
        if "".join(part.capitalize() for part in name.split("_")) in lowered:
            findings.append(f"{page}: tile.{name} stands among the ops without a lowering, but has one in {folder}")
    return findings


CHECKS = {"env_vars": check_env_vars, "unlowered": check_unlowered}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("check", choices=["page", *CHECKS])
    parser.add_argument("path", nargs="?")
    parser.add_argument("--build", default="build/dev")
    parser.add_argument("--root", default=os.getcwd())
    arguments = parser.parse_args()
    if (arguments.check == "page") != (arguments.path is not None):
        parser.error("expected a PATH for page, and for nothing else")
    if arguments.check == "page":
        findings = check_page(arguments.root, arguments.path, arguments.build)
    else:
        findings = CHECKS[arguments.check](arguments.root)
    for finding in findings:
        print(finding)
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
