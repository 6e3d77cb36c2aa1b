# SPDX-License-Identifier: Apache-2.0
# The lit suite: every *.mlir and *.test under tests/. Folders named Inputs hold files that tests read.
import os

import lit.formats

config.name = "tilewright"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test"]
config.excludes = ["Inputs"]
config.test_source_root = config.source_root
config.test_exec_root = os.path.join(config.binary_root, "lit")

# Programs under test first, then FileCheck and not.
config.environment["PATH"] = os.pathsep.join(
    [config.program_dir, config.llvm_tools_dir, config.environment.get("PATH", "")])
# Where NVRTC is found, and what the sanitizers are told.
for name in ("CUDA_HOME", "LD_LIBRARY_PATH", "VIRTUAL_ENV", "HOME",
             "ASAN_OPTIONS", "LSAN_OPTIONS", "UBSAN_OPTIONS"):
    if name in os.environ:
        config.environment[name] = os.environ[name]
if config.sanitize:
    config.available_features.add("sanitize")
config.substitutions.append(("%source_root", os.path.dirname(config.source_root)))
