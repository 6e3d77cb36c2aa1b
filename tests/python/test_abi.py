# SPDX-License-Identifier: Apache-2.0
"""The declarations of tilewright.library are those of include/tilewright/tilewright.h, as a C compiler sees it."""
import ctypes
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import unittest.mock

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from paths import ROOT  # noqa: E402

from tilewright import errors, library  # noqa: E402

HEADER = os.path.join(ROOT, "include/tilewright/tilewright.h")


def text_of_header():
    with open(HEADER, encoding="utf-8") as file:
        return re.sub(r"/\*.*?\*/", "", file.read(), flags=re.S)


def ask_compiler(expressions):
    """The values of C expressions, by themselves."""
    source = "#include <stdio.h>\n#include \"tilewright/tilewright.h\"\nint main(void) {\n"
    source += "".join(f'  printf("%lld\\n", (long long)({expression}));\n' for expression in expressions)
    with tempfile.TemporaryDirectory() as folder:
        path, program = os.path.join(folder, "ask.c"), os.path.join(folder, "ask")
        with open(path, "w", encoding="utf-8") as file:
            file.write(source + "  return 0;\n}\n")
        subprocess.run([os.environ.get("CC") or shutil.which("cc") or "gcc", "-std=c99", "-I",
                        os.path.join(ROOT, "include"), path, "-o", program], check=True)
        lines = subprocess.run([program], check=True, capture_output=True, text=True).stdout.split()
    return dict(zip(expressions, map(int, lines)))


class Declarations(unittest.TestCase):
    def test_structs(self):
        expected = {}
        for name, kind in library.STRUCTS.items():
            expected[f"sizeof({name})"] = ctypes.sizeof(kind)
            for field, *_ in kind._fields_:
                expected[f"(char *)&(({name} *)0)->{field} - (char *)0"] = getattr(kind, field).offset
                expected[f"sizeof((({name} *)0)->{field})"] = getattr(kind, field).size
        self.assertEqual(ask_compiler(list(expected)), expected)

    def test_every_struct_and_field_is_declared(self):
        structs = dict(re.findall(r"typedef struct \w+ \{(.*?)\} (\w+);", text_of_header(), re.S))
        found = {name: re.findall(r"(\w+);", body) for body, name in structs.items()}
        self.assertEqual(found, {name: [field for field, *_ in kind._fields_]
                                 for name, kind in library.STRUCTS.items()})

    def test_values(self):
        expected = {f"TW_{name.upper()}": value for value, name in enumerate(library.STATUSES)}
        expected.update({f"TW_{name.upper()}": value for name, value in library.DTYPES.items()})
        expected.update({f"TW_LAYOUT_{name.upper()}": value for name, value in library.LAYOUTS.items()})
        expected.update({f"TW_POLICY_{name.upper()}": value for name, value in library.POLICIES.items()})
        expected.update({f"TW_LOG_{name.upper()}": value for name, value in library.LOG_LEVELS.items()})
        expected.update({"TW_ENGINE_NO_DISK_CACHE": library.ENGINE_NO_DISK_CACHE,
                         "TW_REQUEST_DETERMINISTIC": library.REQUEST_DETERMINISTIC,
                         "TW_REQUEST_BATCH_INVARIANT": library.REQUEST_BATCH_INVARIANT,
                         "TW_REQUEST_NO_PDL": library.REQUEST_NO_PDL, "TW_VERSION": library.HEADER_VERSION})
        self.assertEqual(ask_compiler(list(expected)), expected)

    def test_functions_are_of_the_header(self):
        declared = dict(re.findall(r"TW_API [\w *]*?(\w+)\(([^)]*)\);", text_of_header()))
        for name, (_, arguments) in library.FUNCTIONS.items():
            self.assertIn(name, declared)
            count = 0 if declared[name].strip() == "void" else declared[name].count(",") + 1
            self.assertEqual(len(arguments), count, name)

    def test_each_status_has_a_class(self):
        self.assertEqual(set(errors.BY_CODE), set(library.STATUSES) - {"ok"})


class Search(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def test_the_variable_alone_if_it_is_set(self):
        with unittest.mock.patch.dict(os.environ, {"TILEWRIGHT_LIBRARY": "/nowhere/libtilewright.so"}):
            self.assertEqual(library.candidates(), ["/nowhere/libtilewright.so"])
            with self.assertRaisesRegex(errors.UnavailableError, "expected /nowhere/libtilewright.so.*TILEWRIGHT_LIBRARY"):
                library.load()

    def test_beside_the_package_then_the_newest_build(self):
        package = os.path.join(self.folder, "python", "tilewright")
        for index, build in enumerate(("dev", "release")):
            os.makedirs(os.path.join(self.folder, "build", build, "lib"))
            path = os.path.join(self.folder, "build", build, "lib", library.FILE_NAME)
            with open(path, "w", encoding="utf-8"):
                pass
            os.utime(path, (index, index))
        environment = {name: value for name, value in os.environ.items() if name != "TILEWRIGHT_LIBRARY"}
        with unittest.mock.patch.dict(os.environ, environment, clear=True), \
                unittest.mock.patch.object(library, "__file__", os.path.join(package, "library.py")):
            self.assertEqual([os.path.relpath(path, self.folder) for path in library.candidates()],
                             ["python/tilewright/libtilewright.so", "build/release/lib/libtilewright.so",
                              "build/dev/lib/libtilewright.so"])

    def test_a_file_that_is_no_library(self):
        path = os.path.join(self.folder, library.FILE_NAME)
        with open(path, "w", encoding="utf-8") as file:
            file.write("text")
        with self.assertRaisesRegex(errors.UnavailableError, "is not a Tilewright library"):
            library.load(path)

    def test_a_library_of_another_version(self):
        source, path = os.path.join(self.folder, "other.c"), os.path.join(self.folder, library.FILE_NAME)
        with open(source, "w", encoding="utf-8") as file:
            for name in library.FUNCTIONS:
                if name not in ("twVersion", "twVersionString"):
                    file.write(f"void {name}(void) {{}}\n")
            file.write('int twVersion(void) { return 200; }\nconst char *twVersionString(void) { return "0.2.0"; }\n')
        subprocess.run([os.environ.get("CC") or "cc", "-shared", "-fPIC", source, "-o", path], check=True)
        with self.assertRaisesRegex(errors.UnavailableError, r"is Tilewright 0\.2\.0; this package needs 0\.1\.0"):
            library.load(path)


if __name__ == "__main__":
    unittest.main()
