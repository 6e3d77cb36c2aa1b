#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks what libtilewright.so shows to others: check_exports.py LIBRARY HEADER

It exports the functions that the header declares and nothing else, and needs the C library only.
"""
import re
import subprocess
import sys

SYSTEM = re.compile(r"^(libc|libm|libdl|libpthread|librt|libz|libzstd|ld-linux-x86-64)\.so\.\d+$")


def output(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def main(library, header):
    with open(header, encoding="utf-8") as file:
        declared = set(re.findall(r"^TW_API [^;(]*?\b(tw\w+)\(", file.read(), re.MULTILINE))
    exported = {line.split()[-1].split("@")[0] for line in output("nm", "-D", "--defined-only", library).splitlines()}
    needed = re.findall(r"\(NEEDED\).*\[([^\]]+)\]", output("readelf", "-d", library))
    findings = [f"{header} declares {name}, which {library} does not export" for name in declared - exported]
    findings += [f"{library} exports {name}, which {header} does not declare" for name in exported - declared]
    findings += [f"{library} needs {name}" for name in needed if not SYSTEM.match(name) and "asan" not in name
                 and "ubsan" not in name and not name.startswith(("libstdc++", "libgcc_s"))]
    if not declared:
        findings.append(f"{header}: found no declarations")
    print("\n".join(sorted(findings)))
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
