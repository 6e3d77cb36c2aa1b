# SPDX-License-Identifier: Apache-2.0
"""Each rule of check.py, on a small tree with a planted violation and on one without."""
import os
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import check  # noqa: E402


class RuleTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def write(self, path, text):
        full = os.path.join(self.folder.name, path)
        os.makedirs(os.path.dirname(full), exist_ok=True)
        with open(full, "w", encoding="utf-8") as file:
            file.write(text)

    def expect(self, rule, *parts):
        """The rule has as many findings as parts, and the n-th holds the n-th part."""
        findings = check.RULES[rule](self.folder.name)
        self.assertEqual(len(findings), len(parts), findings)
        for finding, part in zip(findings, parts):
            self.assertIn(part, finding)


class IncludeDirections(RuleTest):
    def test_allowed(self):
        self.write("include/tilewright/Status.h", "#include <string>\n")
        self.write("include/tilewright/Problem.h", '#include "tilewright/Status.h"\n')
        self.write("support/Hash.cpp", '#include "support/Hash.h"\n#include <fmt/format.h>\n')
        self.write("compiler/passes/A.cpp", '#include "compiler/tile/TileOps.h"\n#include "mlir/IR/Builders.h"\n')
        self.write("compiler/tile/TileOps.td", 'include "mlir/IR/OpBase.td"\n')
        self.write("compiler/device/tilewright/tma.cuh", '#include "tilewright/types.cuh"\n')
        self.write("templates/gemm/Gemm.cpp", '#include "templates/gemm/Space.h"\n#include "mlir/IR/Builders.h"\n')
        self.write("templates/gemm/Space.h", '#include "tilewright/Problem.h"\n')
        self.write("tuner/Search.cpp", '#include "templates/gemm/Space.h"\n')
        self.write("cache/Store.cpp", "#include <sqlite3.h>\n")
        self.write("runtime/engine/Engine.cpp", '#include "compiler/Compiler.h"\n#include "cache/Store.h"\n')
        self.write("tools/tilewright/main.cpp", '#include "compiler/Compiler.h"\n#include <CLI/CLI.hpp>\n')
        self.expect("include_directions")

    def violation(self, path, include):
        self.write(path, f"#include {include}\n")
        self.expect("include_directions", f"{path}:1: the room")
        os.remove(os.path.join(self.folder.name, path))

    def test_each_forbidden_edge(self):
        self.violation("include/tilewright/Problem.h", "<fmt/format.h>")
        self.violation("include/tilewright/Problem.h", '"support/Hash.h"')
        self.violation("support/Hash.cpp", '"cache/Store.h"')
        self.violation("support/Hash.cpp", '"llvm/ADT/StringRef.h"')
        self.violation("compiler/Compiler.cpp", '"tilewright/Problem.h"')
        self.violation("compiler/Compiler.cpp", "<cuda.h>")
        self.violation("compiler/Compiler.cpp", '"runtime/nvrtc/Nvrtc.h"')
        self.violation("compiler/tile/TileOps.cpp", '"compiler/sm90/Sm90Ops.h"')
        self.violation("compiler/device/tilewright/tma.cuh", "<cstdint>")
        self.violation("templates/gemm/Gemm.cpp", '"compiler/passes/Passes.h"')
        self.violation("templates/gemm/Gemm.cpp", '"tests/Support.h"')
        self.violation("runtime/nvrtc/Nvrtc.cpp", '"compiler/Compiler.h"')
        self.violation("runtime/nvrtc/Nvrtc.cpp", '"mlir/IR/Builders.h"')
        self.violation("tuner/Search.cpp", '"templates/gemm/Gemm.h"')
        self.violation("tuner/Search.cpp", "<sqlite3.h>")
        self.violation("cache/Store.cpp", '"tuner/Search.h"')

    def test_space_must_not_reach_mlir_through_another_header(self):
        self.write("templates/gemm/Space.h", '#include "templates/Epilogue.h"\n')
        self.write("templates/Epilogue.h", '#include "mlir/IR/Value.h"\n')
        self.expect("include_directions", "templates/Epilogue.h -> mlir/IR/Value.h")

    def test_include_by_room_path(self):
        self.write("support/Hash.h", "")
        self.write("support/Hash.cpp", '#include "Hash.h"\n')
        self.expect("include_directions", "by its path from the top")

    def test_file_in_no_room(self):
        self.write("stray/A.cpp", "")
        self.expect("include_directions", "in no room")


class OtherRules(RuleTest):
    def test_links(self):
        self.write("docs/page.md", "[a](../README.md#top) [b](https://example.org) [c](gone.md)\n[d](../../x)\n")
        self.write("README.md", "```\n[in code](nowhere.md)\n```\n[page](docs/page.md)\n")
        self.expect("links", "docs/page.md:1: the link gone.md leads nowhere", "docs/page.md:2: the link ../../x leaves")

    def test_pass_tests(self):
        self.write("compiler/passes/Passes.td",
                   'def A : Pass<"tile-a"> {}\ndef B : Pass<"tile-b", "ModuleOp"> {}\ndef C : Pass<"tile-c"> {}\n')
        self.write("tests/passes/tile-a.mlir", "")
        self.write("tests/passes/tile-b/one.mlir", "")
        self.expect("pass_tests", "the pass tile-c has no test")

    def test_pass_table_that_the_rule_cannot_read(self):
        self.write("compiler/passes/Passes.td", "\n")
        self.expect("pass_tests", "expected passes, found none")

    def test_op_tests(self):
        names = "".join(f'getOperationName() {{\n return ::llvm::StringLiteral("tile.{name}");\n}}'
                        for name in ("load", "load_start", "dot"))
        build = os.path.join(self.folder.name, "build/dev")
        self.assertIn("found none", check.op_tests(self.folder.name, build)[0])
        self.write("build/dev/compiler/tile/TileOps.h.inc", names)
        self.write("tests/tile/ops.mlir", "%a = tile.load_start %b\n// CHECK: tile.dot\n")
        self.assertEqual(check.op_tests(self.folder.name, build),
                         ["the op tile.load occurs in no tests/**/*.mlir"])

    def test_self_contained(self):
        line = " 0x0000000000000001 (NEEDED)             Shared library: [{}]\n"
        self.assertEqual(check.foreign_libraries(line.format("libc.so.6") + line.format("libz.so.1")), [])
        self.assertEqual(check.foreign_libraries(line.format("libMLIR.so.22.1") + line.format("libc.so.6")),
                         ["libMLIR.so.22.1"])
        self.assertIn("found none", check.self_contained(self.folder.name)[0])

    def test_file_sizes(self):
        self.write("support/Long.cpp", "x\n" * 601)
        self.write("support/Said.cpp", "// NOTE: over 600 lines because it is a table.\n" + "x\n" * 601)
        self.write("support/Short.cpp", "x\n" * 600)
        self.expect("file_sizes", "support/Long.cpp: 601 lines")

    def test_licences(self):
        self.write("scripts/a.sh", "#!/bin/sh\n# SPDX-License-Identifier: Apache-2.0\n")
        self.write("support/A.h", "#pragma once\n")
        self.expect("licences", "support/A.h: expected 'SPDX")

    def test_build_folders_are_left_out(self):
        self.write("build/dev/A.h", "")
        self.write(".git/A.h", "")
        self.expect("licences")


if __name__ == "__main__":
    unittest.main()
