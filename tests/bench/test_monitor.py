# SPDX-License-Identifier: Apache-2.0
"""bench/monitor.py: what is read off nvidia-smi, what is made of samples, and a machine with neither."""
import os
import stat
import sys
import tempfile
import time
import unittest
from unittest import mock

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import paths  # noqa: E402,F401

import monitor  # noqa: E402

SMI = """#!/bin/sh
case "$*" in
  *driver_version*) echo "580.159.04, 1980, 700.00" ;;
  *) while :; do echo "1755, 3201, 698.53, 61, 0x0000000000000004"; sleep 0.02; done ;;
esac
"""


class Lines(unittest.TestCase):
    def test_a_line(self):
        sample = monitor.parse_line("1980, 3201, 350.22, 45, 0x0000000000000000\n")
        self.assertEqual((sample.sm_mhz, sample.memory_mhz, sample.watts, sample.celsius, sample.reasons),
                         (1980, 3201, 350.22, 45, 0))

    def test_a_line_that_lacks_a_number(self):
        self.assertIsNone(monitor.parse_line("1980, 3201, [N/A], 45, 0x0"))
        self.assertIsNone(monitor.parse_line("No devices were found"))

    def test_summary(self):
        samples = [monitor.Sample(0, 1980, 3201, 500, 50, 1), monitor.Sample(1, 1700, 3201, 700, 60, 4)]
        self.assertEqual(monitor.summarise(samples),
                         {"samples": 2, "sm_mhz": [1700, 1840, 1980], "memory_mhz": 3201, "watts": 600,
                          "celsius": 60, "throttle": ["power cap"]})
        self.assertEqual(monitor.summarise([]), {})


@mock.patch.dict(sys.modules, {"pynvml": None})
class Source(unittest.TestCase):
    def test_nvidia_smi_where_there_is_no_pynvml(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "nvidia-smi")
            with open(path, "w", encoding="utf-8") as file:
                file.write(SMI)
            os.chmod(path, stat.S_IRWXU)
            with mock.patch("shutil.which", return_value=path):
                watching = monitor.Monitor("GPU-1", period=0.02)
            try:
                self.assertEqual(watching.source, "nvidia-smi")
                self.assertEqual(watching.facts, {"driver": "580.159.04", "sm_max_mhz": 1980.0,
                                                  "power_limit_watts": 700.0})
                began = time.monotonic()
                while not watching.between(began, time.monotonic()) and time.monotonic() < began + 10:
                    time.sleep(0.01)
                self.assertEqual(watching.between(began, time.monotonic())[0].sm_mhz, 1755)
                self.assertEqual(watching.between(0, 1), [])
            finally:
                watching.close()

    def test_neither(self):
        with mock.patch("shutil.which", return_value=None):
            watching = monitor.Monitor("GPU-1")
        self.assertEqual((watching.source, watching.facts, watching.between(0, 1e9)), ("none", {}, []))
        watching.close()


if __name__ == "__main__":
    unittest.main()
