#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Sums the test results of build folders: scripts/sum_results.py build/dev [build/asan ...]

Reads results/ctest.xml (JUnit, by ctest) and results/lit.xml (xUnit, by lit) of each folder, prints
the log of what failed and the time of each label, then the line "N passed, M failed, K skipped".
Exits with 1 if a test failed, a result file is missing, or nothing ran at all.
"""
import collections
import json
import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

Case = collections.namedtuple("Case", "name label seconds outcome text")


def ctest_labels(folder):
    """The first label of each test of a build folder, as ctest lists them."""
    listing = subprocess.run(["ctest", "--test-dir", folder, "--show-only=json-v1"],
                             capture_output=True, text=True, check=False).stdout
    start = listing.find("{")
    labels = {}
    for test in json.loads(listing[start:])["tests"] if start >= 0 else []:
        for item in test.get("properties", []):
            if item["name"] == "LABELS" and item["value"]:
                labels[test["name"]] = item["value"][0]
    return labels


def outcome_of(case):
    """passed, failed or skipped, for one <testcase> of either format."""
    if case.find("failure") is not None or case.find("error") is not None:
        return "failed"
    skipped = case.find("skipped")
    if skipped is not None and "Unable to find executable" in (skipped.get("message") or ""):
        return "failed"  # ctest's "Not Run": the program was not built
    if skipped is not None or case.get("status") == "disabled":
        return "skipped"
    return "passed"


def read_cases(path, label_of):
    cases = []
    for case in ElementTree.parse(path).getroot().iter("testcase"):
        texts = [case.findtext("failure") or "", case.findtext("system-out") or ""]
        name = case.get("name")
        cases.append(Case(name, label_of(case), float(case.get("time") or 0), outcome_of(case),
                          "\n".join(text for text in texts if text)))
    return cases


def folder_readers(folder):
    """(log, function that reads its results) of the two runners."""
    results = os.path.join(folder, "results")
    labels = ctest_labels(folder)
    yield "ctest.log", lambda: read_cases(os.path.join(results, "ctest.xml"),
                                          lambda case: labels.get(case.get("name"), "unlabelled"))
    # lit's class name is the suite and the folder, "tilewright.passes": the room is its label.
    yield "lit.log", lambda: read_cases(
        os.path.join(results, "lit.xml"),
        lambda case: "lit " + re.sub(r"^tilewright\.?", "", case.get("classname", "")))


def log_tail(folder, name, lines=30):
    path = os.path.join(folder, "results", name)
    if not os.path.exists(path):
        return f"{path} was not written"
    with open(path, encoding="utf-8", errors="replace") as log:
        return f"{path} ends with:\n" + "".join(log.readlines()[-lines:])


def main(folders):
    totals = collections.Counter()
    broken = False
    for folder in folders:
        cases = []
        for log, reader in folder_readers(folder):
            try:
                cases += reader()
            except (OSError, ElementTree.ParseError) as error:
                print(f"no results: {error}\n{log_tail(folder, log)}")
                broken = True
        seconds = collections.defaultdict(float)
        count = collections.Counter()
        for case in cases:
            totals[case.outcome] += 1
            seconds[case.label] += case.seconds
            count[case.label] += 1
            if case.outcome == "failed":
                print(f"FAILED {folder}: {case.name}\n{case.text.strip()}\n")
            elif case.outcome == "skipped":
                print(f"skipped {folder}: {case.name}")
        print(f"{folder}:")
        for label in sorted(seconds):
            print(f"  {label:<24} {count[label]:5} tests {seconds[label]:8.1f} s")
    print(f"{totals['passed']} passed, {totals['failed']} failed, {totals['skipped']} skipped")
    return 1 if broken or totals["failed"] or not totals["passed"] else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
