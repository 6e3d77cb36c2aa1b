# SPDX-License-Identifier: Apache-2.0
"""bench/cases.py: the suite as cases, what a case costs, candidates of configs."""
import dataclasses
import os
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from paths import ROOT  # noqa: E402

import cases  # noqa: E402

SUITE = cases.load_suite(os.path.join(ROOT, "bench/suites/gemm.json"))


def find(name, dtype="bf16"):
    return next(case for case in SUITE if (case.name, case.dtype) == (name, dtype))


class Suite(unittest.TestCase):
    def test_each_case_in_each_type(self):
        labels = [case.label for case in SUITE]
        self.assertEqual(len(labels), len(set(labels)))
        self.assertIn("sq4k fp8_row", labels)
        self.assertEqual(find("sq4k").m, 4096)

    def test_result_types(self):
        self.assertEqual(find("sq4k", "fp16").d, "fp16")
        self.assertEqual(find("sq4k", "fp8").d, "bf16")
        self.assertEqual(find("sq4k", "int8").d, "int32")
        self.assertEqual(find("lmhead").d, "fp32")
        self.assertEqual(find("sq1k", "tf32").d, "fp32")

    def test_select_takes_patterns(self):
        self.assertEqual([case.label for case in cases.select(SUITE, "sq4k,sq8k", "bf16")], ["sq4k bf16", "sq8k bf16"])
        self.assertEqual({case.name for case in cases.select(SUITE, "odd?")}, {"odd1", "odd2", "odd3", "odd4"})
        self.assertEqual(len(cases.select(SUITE)), len(SUITE))

    def test_a_pattern_that_fits_nothing_is_named(self):
        with self.assertRaisesRegex(ValueError, "no case has the name 'sq3k'; there are sq1k, sq2k"):
            cases.select(SUITE, "sq4k,sq3k")
        with self.assertRaisesRegex(ValueError, "dtype 'fp64'"):
            cases.select(SUITE, "sq4k", "fp64")

    def test_what_no_request_can_say(self):
        self.assertIn("grouped", cases.obstacle(find("moe-contig")))
        self.assertIn("one scale per tensor", cases.obstacle(find("sq4k", "fp8")))
        self.assertIsNone(cases.obstacle(find("sq4k")))
        self.assertIsNone(cases.obstacle(find("batched")))  # the library itself says what it does not build


class Costs(unittest.TestCase):
    def test_flops_and_bytes(self):
        case = find("sq4k")
        self.assertEqual(case.flops, 2 * 4096**3)
        self.assertEqual(case.compulsory_bytes, 3 * 2 * 4096**2)

    def test_epilogue_operands_are_read_once(self):
        plain = cases.Case("x", "bf16", 100, 200, 300)
        def extra(epilogue):
            return cases.Case("x", "bf16", 100, 200, 300, epilogue=epilogue).compulsory_bytes - plain.compulsory_bytes
        self.assertEqual(extra("bias,gelu"), 2 * 200)
        self.assertEqual(extra("bias_row"), 2 * 100)
        self.assertEqual(extra("scale_col,scale_row"), 4 * 300)
        self.assertEqual(extra("residual"), 2 * 100 * 200)
        self.assertEqual(extra("accumulate"), 2 * 100 * 200)
        self.assertEqual(extra("swiglu"), -2 * 100 * 100)

    def test_the_bound_is_the_longer_of_both_times(self):
        card = cases.CARDS["h200"]
        self.assertAlmostEqual(card.bound_us(find("sq8k")), 2 * 8192**3 / 989.4e6, 3)
        self.assertAlmostEqual(card.bound_us(find("decode1")), find("decode1").compulsory_bytes / 4.8e6, 3)


class Configs(unittest.TestCase):
    FOLDER = os.path.join(ROOT, "bench/configs")

    def test_every_candidate_is_of_a_case_and_well_formed(self):
        names = {case.name for case in SUITE}
        configs = cases.load_configs(os.path.join(self.FOLDER, name) for name in os.listdir(self.FOLDER))
        self.assertTrue(configs)
        for key, candidates in configs.items():
            self.assertIn(key.partition("/")[0].partition("+")[0], names)
            for text in candidates:
                self.assertRegex(text, r"^bm=\d+,bn=\d+,bk=\d+(,\w+=\w+)*$")

    def test_lists_of_several_files_are_joined(self):
        with tempfile.TemporaryDirectory() as folder:
            paths = [os.path.join(folder, name) for name in "ab"]
            for path, text in zip(paths, ('{"cases": {"sq4k": ["x"]}}', '{"cases": {"sq4k": ["y"], "sq8k": []}}')):
                with open(path, "w", encoding="utf-8") as file:
                    file.write(text)
            self.assertEqual(cases.load_configs(paths), {"sq4k": ["x", "y"], "sq8k": []})
        self.assertEqual(cases.load_configs([]), {})

    def test_a_type_may_have_its_own(self):
        configs = {"sq4k": ["x"], "sq4k/fp16": ["y"]}
        self.assertEqual(cases.candidates(configs, find("sq4k")), ["x"])
        self.assertEqual(cases.candidates(configs, find("sq4k", "fp16")), ["y"])
        self.assertEqual(cases.candidates(configs, find("sq8k")), [])

    def test_a_case_with_another_epilogue_has_those_of_the_case(self):
        fused = dataclasses.replace(find("sq4k"), name="sq4k+bias,gelu")
        self.assertEqual(cases.candidates({"sq4k": ["x"]}, fused), ["x"])
        self.assertEqual(cases.candidates({"sq4k": ["x"], "sq4k+bias,gelu": ["y"]}, fused), ["y"])


if __name__ == "__main__":
    unittest.main()
