# SPDX-License-Identifier: Apache-2.0
"""Each check of documentation, on pages that keep their promises and on pages that do not."""
import os
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import check  # noqa: E402
import pages  # noqa: E402


class CheckTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def write(self, path, text):
        full = os.path.join(self.folder.name, path)
        os.makedirs(os.path.dirname(full), exist_ok=True)
        with open(full, "w", encoding="utf-8") as file:
            file.write(text)

    def expect(self, findings, *parts):
        """There are as many findings as parts, and the n-th holds the n-th part."""
        self.assertEqual(len(findings), len(parts), findings)
        for finding, part in zip(findings, parts):
            self.assertIn(part, finding)


class Pages(CheckTest):
    def check(self, text):
        self.write("docs/page.md", text)
        return check.check_page(self.folder.name, "docs/page.md", "build/dev")

    def test_commands_and_their_output(self):
        self.expect(self.check("```sh run\nprintf 'one\\ntwo\\nthree\\n'\n```\n\n```text output\none\n…\nthree\n```\n"))

    def test_a_failing_command(self):
        self.expect(self.check("text\n\n```sh run\ntrue\nfalse\n```\n"), "docs/page.md:3: expected exit code 0, found 1")

    def test_an_expected_exit_code(self):
        self.expect(self.check("```sh run exit=6\nexit 6\n```\n"))
        self.expect(self.check("```sh run exit=6\nexit 5\n```\n"), "expected exit code 6, found 5")

    def test_commands_that_are_only_shown(self):
        self.expect(self.check("```sh\nfalse\n```\n"))

    def test_output_that_is_not_printed(self):
        self.expect(self.check("```sh run\necho one\n```\n\n```text output\ntwo\n```\n"), "do not print, there: two")

    def test_output_without_commands(self):
        self.expect(self.check("```text output\ntwo\n```\n"), "an output without commands")

    def test_an_excerpt_of_a_file(self):
        self.write("support/A.h", "int a;\n\n  int b;\n")
        self.expect(self.check("```cpp of support/A.h\nint b;\n```\n"))
        self.expect(self.check("```cpp of support/A.h\nint c;\n```\n"), "support/A.h does not say, there: int c;")
        self.expect(self.check("```cpp of support/B.h\nint c;\n```\n"), "no file support/B.h")

    def test_a_block_that_promises_nothing(self):
        self.expect(self.check("```cpp\nint a;\n```\n\n```cpp sketch\nint a;\n```\n"), "docs/page.md:1: the block 'cpp'")

    def test_programs_come_from_the_build_folder(self):
        program = os.path.join(self.folder.name, "other/bin/program")
        self.write("other/bin/program", "#!/bin/sh\necho mine\n")
        os.chmod(program, 0o755)
        self.write("docs/page.md", "```sh run\nbuild/release/bin/program && program\n```\n\n```text output\nmine\nmine\n```\n")
        self.expect(check.check_page(self.folder.name, "docs/page.md", os.path.join(self.folder.name, "other")))


class Excerpts(unittest.TestCase):
    ORIGINAL = "a(1, 2)\n  b\n\nc\nd\nc\ne\n"

    def test_lines_are_neighbours_in_order(self):
        self.assertIsNone(pages.difference("b\nc\nd\n", self.ORIGINAL))
        self.assertEqual(pages.difference("b\nd\n", self.ORIGINAL), "d")
        self.assertEqual(pages.difference("d\n…\nb\n", self.ORIGINAL), "b")

    def test_ellipsis_stands_for_lines_and_text(self):
        self.assertIsNone(pages.difference("a(…)\n…\ne\n", self.ORIGINAL))
        self.assertEqual(pages.difference("a[…]\n", self.ORIGINAL), "a[…]")

    def test_a_piece_may_begin_at_a_later_match(self):
        self.assertIsNone(pages.difference("c\ne\n", self.ORIGINAL))


class EnvVars(CheckTest):
    HEADER = ('kEnvVariables = {{\n {EnvKey::log, "LOG", EnvKind::level, "warning",\n  "least "\n  "severe"},\n'
              ' {EnvKey::home, "HOME", EnvKind::path, "", "the folder"},\n}};\n')
    ROWS = "| `LOG` | `warning` | least severe |\n| `HOME` |  | the folder |\n"

    def check(self, rows):
        self.write("support/Env.h", self.HEADER)
        self.write("docs/env-vars.md", rows)
        return check.check_env_vars(self.folder.name)

    def test_the_same_table(self):
        self.expect(self.check(self.ROWS))

    def test_differences(self):
        self.expect(self.check(self.ROWS.replace("severe", "bad")), "expected the row | `LOG` | `warning` | least severe |")
        self.expect(self.check(self.ROWS + "| `MORE` |  | x |\n"), "MORE is not in the table")
        self.expect(self.check("".join(reversed(self.ROWS.splitlines(True)))), "another order")


class Unlowered(CheckTest):
    def check(self, ops):
        self.write("compiler/passes/tosm90/Structure.cpp", ".Case([&](tile::DotWaitOp o) { return x; })\n")
        self.write("docs/rationale-tile.md", f"`tile.dot_wait`\n## Said, but not lowered yet\n\n{ops}\n\n## More\n`tile.dot_wait`\n")
        return check.check_unlowered(self.folder.name)

    def test_ops_without_and_with_a_lowering(self):
        self.expect(self.check("`tile.gather`, `tile.any`"))
        self.expect(self.check("`tile.gather`, `tile.dot_wait`"), "tile.dot_wait stands among")


if __name__ == "__main__":
    unittest.main()
