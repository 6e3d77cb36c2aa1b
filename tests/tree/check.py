#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks a rule of the tree: tests/tree/check.py RULE [--build FOLDER] [--clang-format PROGRAM]

Each rule is a function from the top folder to a list of findings, one line each. Prints the findings
and exits with 1 if there are any. test_rules.py shows that each rule can fail.
"""
import argparse
import fnmatch
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import rooms  # noqa: E402

CXX = (".h", ".cpp", ".cuh", ".cu", ".inc", ".in")
SOURCES = (".h", ".cpp", ".cuh", ".cu", ".td", ".py", ".sh", ".cmake", ".mlir", ".sql")
SKIPPED_FOLDERS = {"build", "__pycache__", "node_modules"}
MAX_LINES = 600
LONG_FILE_NOTE = "NOTE: over 600 lines because"


def files(root, suffixes):
    """Paths relative to root, sorted, of files with one of the suffixes. Hidden folders are left out."""
    found = []
    for folder, subfolders, names in os.walk(root):
        subfolders[:] = [s for s in subfolders if s not in SKIPPED_FOLDERS and not s.startswith(".")]
        for name in names:
            if name.endswith(tuple(suffixes)) or name in suffixes:
                found.append(os.path.relpath(os.path.join(folder, name), root))
    return sorted(found)


def read(root, path):
    with open(os.path.join(root, path), encoding="utf-8") as file:
        return file.read()


# --- include directions -------------------------------------------------------------------------

INCLUDE = re.compile(r'^[ \t]*#?[ \t]*include[ \t]+([<"])([^>"]+)[>"]', re.MULTILINE)


def includes(root, path):
    """(line number, name) of each include of a file; .td files write them without '#'."""
    text = read(root, path)
    for match in INCLUDE.finditer(text):
        if path.endswith(".td") or "#" in match.group(0):
            yield text.count("\n", 0, match.start()) + 1, match.group(2)


def room_of(path):
    matching = [room for room in rooms.ROOMS if path == room or path.startswith(room + "/")]
    return max(matching, key=len, default=None)


def own_path(root, name, from_path):
    """The path inside the repository that an include names, or None for an outside header."""
    if name.startswith("tilewright/"):
        folder = "compiler/device" if from_path.endswith((".cuh", ".cu")) else "include"
        return f"{folder}/{name}"
    top = name.split("/")[0]
    if "/" in name and top in {room.split("/")[0] for room in rooms.ROOMS}:
        return name
    if os.path.exists(os.path.join(root, os.path.dirname(from_path), name)):
        return os.path.join(os.path.dirname(from_path), name)
    return None


def matches(name, patterns):
    for pattern in patterns:
        if pattern == "*" or fnmatch.fnmatchcase(name, pattern):
            return True
        if pattern == rooms.STD and re.fullmatch(r"[a-z_]+", name):
            return True
        if "*" not in pattern and name.startswith(pattern):
            return True
    return False


def allowed(room_name, name, target):
    room = rooms.ROOMS[room_name]
    if target is None:
        return matches(name, room.libraries)
    target_room = room_of(target)
    if target_room == room_name:
        return True
    if target_room in rooms.DOORS:
        return False
    return matches(name, room.may)


def reaches_mlir(root, path, seen):
    """The chain of includes from path to a header of MLIR, or None."""
    if path in seen or not os.path.exists(os.path.join(root, path)):
        return None
    seen.add(path)
    for _, name in includes(root, path):
        if name.startswith(rooms.MLIR):
            return [path, name]
        target = own_path(root, name, path)
        if target:
            chain = reaches_mlir(root, target, seen)
            if chain:
                return [path, *chain]
    return None


def include_directions(root):
    findings = []
    for path in files(root, (".h", ".cpp", ".cuh", ".cu", ".td")):
        room = room_of(path)
        if room is None:
            findings.append(f"{path}: in no room that tests/tree/rooms.py knows")
            continue
        for line, name in includes(root, path):
            target = own_path(root, name, path)
            if target and "/" not in name:
                findings.append(f'{path}:{line}: include "{name}" by its path from the top: "{target}"')
            elif not allowed(room, name, target):
                findings.append(f'{path}:{line}: the room {room} may not include "{name}" '
                                "(the table is tests/tree/rooms.py)")
        if matches(path, [p for p in rooms.MLIR_FREE if fnmatch.fnmatchcase(path, p)]):
            chain = reaches_mlir(root, path, set())
            if chain:
                findings.append(f"{path}: must not reach MLIR, but does: {' -> '.join(chain)}")
    return findings


# --- the other rules ----------------------------------------------------------------------------

LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")


def links(root):
    """Every relative link of a page names a file or folder of the tree."""
    findings = []
    for path in files(root, (".md",)):
        text = re.sub(r"```.*?```", lambda m: "\n" * m.group(0).count("\n"), read(root, path), flags=re.S)
        for match in LINK.finditer(text):
            target = match.group(1)
            if re.match(r"[a-z]+:", target) or target.startswith("#"):
                continue
            line = text.count("\n", 0, match.start()) + 1
            relative = os.path.normpath(os.path.join(os.path.dirname(path), target.split("#")[0]))
            if relative.startswith("..") or os.path.isabs(relative):
                findings.append(f"{path}:{line}: the link {target} leaves the repository")
            elif not os.path.exists(os.path.join(root, relative)):
                findings.append(f"{path}:{line}: the link {target} leads nowhere")
    return findings


def pass_tests(root):
    """Every pass of Passes.td has a lit test named after its flag."""
    table = "compiler/passes/Passes.td"
    if not os.path.exists(os.path.join(root, table)):
        return []
    flags = re.findall(r'^def\s+\w+\s*:\s*Pass<\s*"([^"]+)"', read(root, table), re.MULTILINE)
    findings = [] if flags else [f"{table}: expected passes, found none"]
    for flag in flags:
        test = os.path.join("tests/passes", flag)
        folder = os.path.join(root, test)
        in_folder = os.path.isdir(folder) and any(n.endswith(".mlir") for n in os.listdir(folder))
        if not in_folder and not os.path.exists(folder + ".mlir"):
            findings.append(f"{table}: the pass {flag} has no test: expected {test}.mlir or {test}/*.mlir")
    return findings


def op_tests(root, build):
    """Every op that mlir-tblgen generated occurs in a lit test."""
    names = set()
    for path in files(build, (".h.inc",)):
        names.update(re.findall(r'getOperationName\(\) \{\s*return ::llvm::StringLiteral\("([\w.]+)"\)',
                                read(build, path)))
    if not names:
        return [f"{build}: expected generated ops (*.h.inc), found none: build it first"]
    tested = set()
    for path in files(root, (".mlir",)):
        if path.startswith("tests/"):
            tested.update(re.findall(r"\b[a-z]\w*\.\w[\w.]*", read(root, path)))
    return [f"the op {name} occurs in no tests/**/*.mlir" for name in sorted(names - tested)]


def file_sizes(root):
    """No file is longer than 600 lines without saying why at its head."""
    findings = []
    for path in files(root, (*SOURCES, ".md", "CMakeLists.txt")):
        text = read(root, path)
        lines = text.count("\n")
        if lines > MAX_LINES and LONG_FILE_NOTE not in "\n".join(text.splitlines()[:15]):
            findings.append(f"{path}: {lines} lines; split it, or say in its first lines "
                            f"'{LONG_FILE_NOTE} ...'")
    return findings


def licences(root):
    """Every source says its licence in its first two lines (tests in .mlir need not)."""
    findings = []
    kinds = [suffix for suffix in SOURCES if suffix != ".mlir"]
    for path in files(root, (*kinds, "CMakeLists.txt")):
        if "SPDX-License-Identifier: Apache-2.0" not in "\n".join(read(root, path).splitlines()[:2]):
            findings.append(f"{path}: expected 'SPDX-License-Identifier: Apache-2.0' in the first two lines")
    return findings


# What a machine that has a driver has too: the C library, and at most the two compression libraries.
SYSTEM_LIBRARIES = re.compile(r"^(libc|libm|libdl|libpthread|librt|libz|libzstd|ld-linux-x86-64)\.so\.\d+$")


def foreign_libraries(readelf_output):
    """Shared libraries that a program needs (from readelf -d) beyond those of SYSTEM_LIBRARIES."""
    needed = re.findall(r"\(NEEDED\).*\[([^\]]+)\]", readelf_output)
    return [name for name in needed if not SYSTEM_LIBRARIES.match(name)]


def self_contained(build):
    """Programs need no LLVM, MLIR or C++ library of the machine that they run on."""
    folder = os.path.join(build, "bin")
    programs = sorted(os.listdir(folder)) if os.path.isdir(folder) else []
    findings = [] if programs else [f"{folder}: expected programs, found none: build it first"]
    for program in programs:
        done = subprocess.run(["readelf", "-d", os.path.join(folder, program)], capture_output=True,
                              text=True, check=False)
        foreign = foreign_libraries(done.stdout)
        if done.returncode or foreign:
            findings.append(f"{folder}/{program}: needs {', '.join(foreign) or done.stderr}")
    return findings


def format_findings(root, clang_format):
    """clang-format would change nothing."""
    paths = [p for p in files(root, (".h", ".cpp", ".cuh", ".cu")) if not p.endswith(".golden")]
    if not paths:
        return []
    done = subprocess.run([clang_format, "--dry-run", "-Werror", "--ferror-limit=1", *paths], cwd=root,
                          capture_output=True, text=True, check=False)
    return re.findall(r"^\S+:\d+:\d+: error: .*$", done.stderr, re.MULTILINE) or (
        [done.stderr] if done.returncode else [])


RULES = {rule.__name__: rule for rule in (include_directions, links, pass_tests, file_sizes, licences)}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("rule", choices=[*RULES, "op_tests", "self_contained", "format"])
    parser.add_argument("--build", default="build/dev", help="for op_tests and self_contained")
    parser.add_argument("--root", default=os.getcwd())
    parser.add_argument("--clang-format", default="clang-format-14")
    arguments = parser.parse_args()
    if arguments.rule == "op_tests":
        findings = op_tests(arguments.root, arguments.build)
    elif arguments.rule == "self_contained":
        findings = self_contained(arguments.build)
    elif arguments.rule != "format":
        findings = RULES[arguments.rule](arguments.root)
    elif arguments.clang_format.endswith("NOTFOUND"):
        print("skipped: no clang-format-14 on this machine")
        return 77
    else:
        findings = format_findings(arguments.root, arguments.clang_format)
    print("\n".join(findings))
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
