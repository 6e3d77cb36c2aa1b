# SPDX-License-Identifier: Apache-2.0
"""tilewright.Engine and Kernel over the built library, NVRTC, and a fake driver:

    TILEWRIGHT_LIBRARY=... TILEWRIGHT_DRIVER=.../libcuda_fake.so python3 tests/python/test_engine.py
"""
import ctypes
import os
import subprocess
import sys
import tempfile
import threading
import types
import unittest
from unittest import mock

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import paths  # noqa: E402
from fake_cuda import FakeCuda  # noqa: E402
from tensors import DataPtr, DLPack  # noqa: E402

import tilewright  # noqa: E402
from tilewright import InvalidArgumentError, Operand, UnsupportedError  # noqa: E402

SCRATCH = tempfile.TemporaryDirectory()
os.environ["TILEWRIGHT_CACHE_DIR"] = os.path.join(SCRATCH.name, "cache")
LOG = os.environ["TW_FAKE_LOG"] = os.path.join(SCRATCH.name, "launches")
CUDA = FakeCuda(os.environ["TILEWRIGHT_DRIVER"], LOG)
SIZES = (256, 512, 128)
CONFIG = "bm=128,bn=128,bk=64,consumers=2,stages=4,cluster=1x1"


def in_new_process(code, **environment):
    """What a process prints that runs `code` with the package imported."""
    done = subprocess.run([sys.executable, "-c", "import tilewright\n" + code], capture_output=True, text=True,
                          check=False, env={**os.environ, "PYTHONPATH": os.path.join(paths.ROOT, "python"), **environment})
    return done.stdout + done.stderr


class WithEngine(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.engine = tilewright.Engine()
        cls.plain = cls.engine.gemm(*SIZES, config=CONFIG)
        cls.fused = cls.engine.gemm(*SIZES, epilogue="bias,gelu,residual", config=CONFIG)

    @classmethod
    def tearDownClass(cls):
        cls.engine.close()

    def launched(self, kernel, **arguments):
        before = len(CUDA.launches())
        kernel(**arguments)
        return CUDA.launches()[before:]


class Requests(WithEngine):
    def test_the_device(self):
        device = self.engine.device
        self.assertEqual((device.ordinal, device.arch, device.sm_count), (0, "sm_90a", 132))
        self.assertRegex(device.driver_version, r"^1\d\.\d$")
        self.assertRegex(self.engine.library_version, r"^0\.1\.0 \([0-9a-f]{12}\)$")

    def test_what_a_kernel_is(self):
        info = self.plain.info
        self.assertIn(CONFIG.replace(",cluster=1x1", ""), info.config)
        self.assertIn(info.source, ("config", "disk"))
        self.assertGreater(info.registers, 0)
        self.assertGreater(info.shared_bytes, 0)
        self.assertEqual((info.spill_bytes, info.launch_count), (0, 1))
        self.assertRegex(info.nvrtc_version, r"^1\d\.\d$")
        self.assertEqual(self.plain.workspace_bytes, 0)

    def test_the_same_request_is_the_same_kernel(self):
        before = self.engine.counters
        self.assertIs(self.engine.gemm(*SIZES, dtype="bfloat16", config=CONFIG), self.plain)
        self.assertEqual(self.engine.counters, before)
        self.assertIsNot(self.engine.gemm(*SIZES, alpha=1.0, epilogue="bias,gelu,residual", config=CONFIG), self.plain)

    def test_another_process_neither_compiles_nor_makes_an_mlir_context(self):
        text = in_new_process(f"info = tilewright.Engine().gemm(*{SIZES}, config='{CONFIG}').info\n"
                              "print(info.source, info.nvrtc_calls, info.mlir)")
        self.assertEqual(text.strip(), "disk 0 False")

    def test_threads_get_one_kernel(self):
        found = []
        threads = [threading.Thread(target=lambda: found.append(self.engine.gemm(256, 256, 192, config=CONFIG)))
                   for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(len(set(map(id, found))), 1)

    def test_refusals_have_the_class_of_their_status(self):
        with self.assertRaisesRegex(UnsupportedError, "epilogue op gate is not built yet"):
            self.engine.gemm(*SIZES, epilogue="gate")
        with self.assertRaisesRegex(InvalidArgumentError, "m is -4; a size is 0 or more"):
            self.engine.gemm(-4, 8, 8)
        with self.assertRaisesRegex(InvalidArgumentError, "'swish' is no op"):
            self.engine.gemm(*SIZES, epilogue="swish")
        with self.assertRaisesRegex(InvalidArgumentError, "config"):
            self.engine.gemm(*SIZES, config="bm=100")
        for name in ("sm_cap", "pointer_alignment"):
            with self.assertRaisesRegex(InvalidArgumentError, f"{name} is 4294967296; it has to fit into 32 bits"):
                self.engine.gemm(*SIZES, **{name: 1 << 32})
        with self.assertRaisesRegex(InvalidArgumentError, "zero byte"):
            self.engine.gemm(*SIZES, config="split=1\0")
        with self.assertRaisesRegex(InvalidArgumentError, "device is 'cuda:0'; pass an integer"):
            tilewright.Engine("cuda:0")
        self.assertIs(self.engine.gemm(*SIZES, deterministic=2), self.engine.gemm(*SIZES, deterministic=True))
        with self.assertRaises(tilewright.NotFoundError):
            self.engine.gemm(1024, 1024, 1024, cached_only=True)
        with self.assertRaises(NotImplementedError):
            self.engine.gemm(*SIZES, dtype="e4m3")

    def test_a_target_needs_no_device_and_launches_nothing(self):
        with tilewright.Engine(target="h200", driver="/nowhere/libcuda.so") as engine:
            self.assertEqual(engine.device.ordinal, -1)
            kernel = engine.gemm(*SIZES, config=CONFIG)
            self.assertGreater(kernel.info.registers, 0)
            with self.assertRaisesRegex(InvalidArgumentError, "built for the target .*H200.* without a device"):
                kernel(a=None, b=None, d=None)

    def test_a_closed_engine(self):
        engine = tilewright.Engine(target="h200")
        kernel = engine.gemm(*SIZES, config=CONFIG)
        engine.close()
        engine.close()
        with self.assertRaisesRegex(InvalidArgumentError, "this engine is closed"):
            engine.gemm(*SIZES)
        with self.assertRaisesRegex(InvalidArgumentError, "kernel's engine is closed"):
            kernel()

    def test_log(self):
        seen = []
        with tilewright.Engine(target="h200", disk_cache=False, log=lambda *entry: seen.append(entry),
                               log_level="trace") as engine:
            engine.gemm(128, 128, 64, config=CONFIG)
        self.assertTrue(seen)
        self.assertLessEqual({level for level, _ in seen}, {"error", "warning", "info", "debug", "trace"})
        with self.assertRaisesRegex(InvalidArgumentError, "'loud' is no log level"):
            tilewright.Engine(log_level="loud")


class Launches(WithEngine):
    def test_addresses(self):
        self.assertEqual(len(self.launched(self.plain, **CUDA.operands(self.plain))), 1)
        self.assertEqual(len(self.launched(self.fused, **CUDA.operands(self.fused), stream=0)), 1)

    def test_tensors_of_frameworks(self):
        m, n, k = SIZES
        a = DataPtr(CUDA.allocate(2 * m * k), "bf16", (m, k))
        b = DLPack(CUDA.allocate(2 * n * k), "bf16", (n, k))
        d = DataPtr(CUDA.allocate(2 * m * n), "bf16", (m, n))
        self.assertEqual(len(self.launched(self.plain, a=a, b=b, d=d)), 1)
        self.assertEqual((b.streams, b.freed), ([1], 1))

    def test_the_callers_context_stays(self):
        before = CUDA.current_context()
        self.plain(**CUDA.operands(self.plain))
        self.assertEqual(CUDA.current_context(), before)

    def test_torchs_current_stream_is_the_default(self):
        # A class whose module is torch's stands for its tensors.
        tensor = type("Tensor", (DataPtr,), {"__module__": "torch"})
        asked = []
        stream = types.SimpleNamespace(cuda_stream=0)

        def current_stream(device):
            asked.append(device)
            return stream
        fake = types.SimpleNamespace(cuda=types.SimpleNamespace(current_stream=current_stream))
        m, n, k = SIZES
        operands = {"a": tensor(CUDA.allocate(2 * m * k), "bf16", (m, k)),
                    "b": tensor(CUDA.allocate(2 * n * k), "bf16", (n, k)),
                    "d": tensor(CUDA.allocate(2 * m * n), "bf16", (m, n))}
        with mock.patch.dict(sys.modules, {"torch": fake}):
            self.assertEqual(len(self.launched(self.plain, **operands)), 1)
            self.assertEqual(asked, [0])
            self.plain(**operands, stream=0)
        self.assertEqual(asked, [0])

    def test_streams_by_any_name(self):
        operands = CUDA.operands(self.plain)
        for stream in (0, types.SimpleNamespace(cuda_stream=0), types.SimpleNamespace(ptr=0),
                       types.SimpleNamespace(__cuda_stream__=lambda: (0, 0))):
            self.assertEqual(len(self.launched(self.plain, **operands, stream=stream)), 1)
        with self.assertRaisesRegex(InvalidArgumentError, "stream is a str; pass an address"):
            self.plain(**operands, stream="0")

    def test_what_does_not_fit_is_not_launched(self):
        before = CUDA.launches()
        operands = CUDA.operands(self.fused)
        m, n, k = SIZES
        for expected, changed in (
                ("'c' is no operand; this kernel takes a, b, d, bias, residual", {"c": operands["d"]}),
                (r"a has shape \(256, 64\); this kernel takes \(256, 128\)",
                 {"a": Operand(operands["a"].address, "bf16", (m, 64))}),
                ("b is fp16; this kernel takes bf16", {"b": Operand(operands["b"].address, "fp16", (n, k))}),
                ("d overlaps a", {"d": Operand(operands["a"].address, "bf16", (m, n))}),
                ("request it with lda=256", {"a": Operand(operands["a"].address, "bf16", (m, k), (256, 1))}),
                ("is on device 3", {"bias": Operand(operands["bias"].address, "bf16", (n,), device=3)})):
            with self.assertRaisesRegex(InvalidArgumentError, expected):
                self.fused(**{**operands, **changed})
        del operands["bias"], operands["residual"]
        with self.assertRaisesRegex(InvalidArgumentError, "bias, residual are missing; this kernel takes"):
            self.fused(**operands)
        self.assertEqual(CUDA.launches(), before)

    def test_addresses_that_only_the_driver_can_judge(self):
        m, _, k = SIZES
        operands = CUDA.operands(self.plain)
        host = ctypes.create_string_buffer(2 * m * k + 256)
        aligned = (ctypes.addressof(host) + 255) // 256 * 256
        with self.assertRaisesRegex(InvalidArgumentError, r"\ba\b.*host"):
            self.plain(**{**operands, "a": Operand(aligned, "bf16", (m, k))})
        with self.assertRaisesRegex(InvalidArgumentError, r"\ba\b.*(align|multiple)"):
            self.plain(**{**operands, "a": Operand(operands["a"].address + 2, "bf16", (m, k))})

    def test_nothing_to_do_launches_nothing(self):
        for sizes in ((0, 128, 64), (128, 0, 64)):
            kernel = self.engine.gemm(*sizes)
            self.assertEqual(kernel.info.source, "none")
            self.assertEqual(self.launched(kernel, **CUDA.operands(kernel)), [])

    def test_a_workspace(self):
        kernel = self.engine.gemm(*SIZES, config=CONFIG + ",split=2")
        self.assertGreater(kernel.workspace_bytes, 0)
        operands = CUDA.operands(kernel)
        with self.assertRaisesRegex(InvalidArgumentError, f"needs a workspace of {kernel.workspace_bytes} bytes"):
            kernel(**operands)
        space = Operand(CUDA.allocate(kernel.workspace_bytes), "int8", (kernel.workspace_bytes,))
        self.assertEqual(len(self.launched(kernel, **operands, workspace=space)), kernel.info.launch_count)
        with self.assertRaisesRegex(InvalidArgumentError, "workspace"):
            kernel(**operands, workspace=Operand(space.address, "int8", (16,)))


class Machines(unittest.TestCase):
    """Other drivers, each in a process of its own."""

    def refusal(self, **environment):
        return in_new_process("try:\n    tilewright.Engine()\nexcept tilewright.TilewrightError as error:\n"
                              "    print(type(error).__name__, error)", **environment)

    def test_no_driver(self):
        self.assertRegex(self.refusal(TILEWRIGHT_DRIVER="/nowhere/libcuda.so"), "^UnavailableError .*/nowhere")

    def test_no_device(self):
        self.assertRegex(self.refusal(TW_FAKE_DEVICES="0"), "^UnavailableError ")

    def test_another_architecture(self):
        self.assertRegex(self.refusal(TW_FAKE_CAPABILITY="80"), r"^UnsupportedError .*8\.0")

    def test_an_old_driver(self):
        self.assertRegex(self.refusal(TW_FAKE_VERSION="12020"), r"^UnavailableError .*12\.2")


if __name__ == "__main__":
    unittest.main()
