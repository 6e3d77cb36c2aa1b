# SPDX-License-Identifier: Apache-2.0
"""tilewright.operands and tilewright.gemm: every mismatch is an error that says what was expected."""
import gc
import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import paths  # noqa: E402,F401
from tensors import ArrayInterface, DataPtr, DLPack  # noqa: E402

from tilewright import Gemm, InvalidArgumentError, Operand, UnsupportedError  # noqa: E402
from tilewright.gemm import parse_epilogue  # noqa: E402
from tilewright.operands import check_overlap, dtype_name, view  # noqa: E402


class Views(unittest.TestCase):
    def test_data_ptr(self):
        found = view("a", DataPtr(4096, "bf16", (8, 16), (32, 1), index=1))
        self.assertEqual((found.address, found.dtype, found.shape, found.strides, found.device),
                         (4096, "bf16", (8, 16), (32, 1), 1))
        self.assertFalse(found.is_torch)

    def test_a_tensor_on_the_host(self):
        with self.assertRaisesRegex(InvalidArgumentError, "a is on device '.*cpu.*'; move it to the GPU first"):
            view("a", DataPtr(4096, "bf16", (8, 16), device="cpu"))

    def test_a_sparse_tensor(self):
        with self.assertRaisesRegex(InvalidArgumentError, "torch.sparse_csr; pass a strided"):
            view("a", DataPtr(4096, "bf16", (8, 16), layout="torch.sparse_csr"))

    def test_dlpack(self):
        tensor = DLPack(4096, "bf16", (8, 16), strides=(32, 1), byte_offset=64)
        found = view("a", tensor, 77)
        self.assertEqual((found.address, found.dtype, found.shape, found.strides, found.device),
                         (4160, "bf16", (8, 16), (32, 1), 0))
        self.assertEqual((tensor.streams, tensor.freed), ([77], 0))
        del found
        gc.collect()
        self.assertEqual(tensor.freed, 1)

    def test_dlpack_writes_the_legacy_stream_as_1(self):
        tensor = DLPack(4096, "fp16", (8, 16))
        self.assertEqual(view("a", tensor, 0).strides, (16, 1))
        self.assertEqual(tensor.streams, [1])

    def test_dlpack_on_the_host_and_of_another_type(self):
        with self.assertRaisesRegex(InvalidArgumentError, "a is on a device of DLPack's type 1; move it"):
            view("a", DLPack(4096, "bf16", (8, 16), device_type=1))
        with self.assertRaisesRegex(InvalidArgumentError, r"element type \(code 2, 64 bits"):
            view("a", DLPack(4096, "fp64", (8, 16)))

    def test_array_interface(self):
        found = view("d", ArrayInterface(typestr="<f2", shape=(8, 16), data=(4096, True), strides=(64, 2)))
        self.assertEqual((found.dtype, found.strides, found.is_readonly, found.device), ("fp16", (32, 1), True, None))
        with self.assertRaisesRegex(InvalidArgumentError, "element type '<V2'.*use DLPack"):
            view("d", ArrayInterface(typestr="<V2", shape=(8, 16), data=(4096, False)))
        with self.assertRaisesRegex(InvalidArgumentError, "strides of .* bytes"):
            view("d", ArrayInterface(typestr="<f4", shape=(8,), data=(4096, False), strides=(6,)))

    def test_array_interface_on_another_stream(self):
        tensor = ArrayInterface(typestr="<f2", shape=(8,), data=(4096, False), stream=0x20)
        self.assertEqual(view("a", tensor, 0x20).dtype, "fp16")
        with self.assertRaisesRegex(UnsupportedError, "made on stream 0x20 and the launch is on 0x1"):
            view("a", tensor, 0)

    def test_what_is_no_tensor(self):
        with self.assertRaisesRegex(InvalidArgumentError, "a is a list; pass something with data_ptr"):
            view("a", [1, 2])
        with self.assertRaisesRegex(InvalidArgumentError, "a is None"):
            view("a", None)

    def test_an_address(self):
        operand = Operand(4096, "bfloat16", (8, 16))
        self.assertIs(view("a", operand), operand)
        self.assertEqual((operand.dtype, operand.strides, operand.extent_bytes), ("bf16", (16, 1), 256))
        self.assertEqual(Operand(1, "fp32", (2, 3), (8, 1)).extent_bytes, 44)
        with self.assertRaisesRegex(InvalidArgumentError, "one stride for each extent"):
            Operand(4096, "bf16", (8, 16), (16,))
        for address in (-16, 1 << 64, "x", None):
            with self.assertRaisesRegex(InvalidArgumentError, "is no address; pass an integer of 64 bits"):
                Operand(address, "bf16", (8, 16))

    def test_type_names(self):
        self.assertEqual([dtype_name(text) for text in ("bf16", "float16", "torch.float32")], ["bf16", "fp16", "fp32"])
        with self.assertRaisesRegex(InvalidArgumentError, "'float64' is no element type; use one of bf16"):
            dtype_name("float64")


class Slots(unittest.TestCase):
    def check(self, role, operand, device=0, **problem):
        Gemm(**{"m": 8, "n": 16, "k": 24, **problem}).slots()[role].check(operand, device)

    def refuse(self, expected, role, operand, device=0, **problem):
        with self.assertRaisesRegex(InvalidArgumentError, expected):
            self.check(role, operand, device, **problem)

    def test_shapes_by_layout(self):
        for layout, a, b in (("nt", (8, 24), (16, 24)), ("nn", (8, 24), (24, 16)), ("tn", (24, 8), (24, 16)),
                             ("tt", (24, 8), (16, 24))):
            self.check("a", Operand(1, "bf16", a), layout=layout)
            self.check("b", Operand(1, "bf16", b), layout=layout)
        self.refuse(r"b has shape \(24, 16\), a transposed one: .*takes \(16, 24\)", "b", Operand(1, "bf16", (24, 16)))
        self.refuse(r"a has shape \(8, 25\); this kernel takes \(8, 24\)", "a", Operand(1, "bf16", (8, 25)))
        self.refuse(r"a has shape \(192,\)", "a", Operand(1, "bf16", (192,)))

    def test_types(self):
        self.refuse("a is fp16; this kernel takes bf16: convert it", "a", Operand(1, "fp16", (8, 24)))
        self.check("a", Operand(1, "fp32", (8, 24)), a="tf32")

    def test_rows(self):
        self.check("a", Operand(1, "bf16", (8, 24), (32, 1)), lda=32)
        self.refuse("a has 32 elements from one row to the next; this kernel takes 24: request it with lda=32", "a",
                    Operand(1, "bf16", (8, 24), (32, 1)))
        self.refuse("a has 8 elements from one column to the next; rows must be contiguous", "a",
                    Operand(1, "bf16", (8, 24), (1, 8)))
        self.check("a", Operand(1, "bf16", (1, 24), (999, 1)), m=1)  # the pitch of a single row is of no meaning
        self.check("d", Operand(1, "bf16", (8, 1), (1, 999)), n=1)

    def test_vectors(self):
        for shape in ((16,), (1, 16), (16, 1)):
            self.check("bias", Operand(1, "bf16", shape), epilogue=parse_epilogue("bias"))
        self.refuse(r"bias has shape \(8,\); this kernel takes \(16,\)", "bias", Operand(1, "bf16", (8,)),
                    epilogue=parse_epilogue("bias"))
        self.refuse("bias has 2 elements from one value to the next", "bias", Operand(1, "bf16", (16,), (2,)),
                    epilogue=parse_epilogue("bias"))
        self.check("scale_row", Operand(1, "fp32", (8,)), epilogue=parse_epilogue("scale_row"))
        self.refuse("bias is bf16; this kernel takes fp32", "bias", Operand(1, "bf16", (16,)),
                    epilogue=parse_epilogue("bias:fp32"))

    def test_matrix_operands(self):
        ops = parse_epilogue("residual:ld32")
        self.check("residual", Operand(1, "bf16", (8, 16), (32, 1)), epilogue=ops)
        self.refuse("request it with the epilogue op residual:ld40", "residual", Operand(1, "bf16", (8, 16), (40, 1)),
                    epilogue=ops)
        self.check("d", Operand(1, "bf16", (8, 8)), epilogue=parse_epilogue("swiglu"))
        self.assertEqual(list(Gemm(8, 16, 24, beta=0.5).slots()), ["a", "b", "c", "d"])

    def test_place(self):
        self.refuse("a is on device 1; this kernel's engine is on device 0", "a", Operand(1, "bf16", (8, 24), device=1))
        self.check("a", Operand(1, "bf16", (8, 24), device=None))
        self.refuse("d is read-only; the kernel writes it", "d", Operand(1, "bf16", (8, 16), is_readonly=True))
        self.check("a", Operand(1, "bf16", (8, 24), is_readonly=True))
        self.refuse("a has the address 0", "a", Operand(0, "bf16", (8, 24)))
        self.check("a", Operand(0, "bf16", (8, 0)), k=0)


class Overlap(unittest.TestCase):
    def check(self, epilogue="", **addresses):
        slots = Gemm(8, 16, 24, epilogue=parse_epilogue(epilogue)).slots()
        check_overlap(slots, {role: Operand(addresses[role], "bf16", slot.shape) for role, slot in slots.items()}, "d")

    def test_a_result_within_an_input(self):
        self.check(a=1000, b=3000, d=5000)
        for d in (1000, 1000 + 8 * 24 * 2 - 2, 1000 - 8 * 16 * 2 + 2):
            with self.assertRaisesRegex(InvalidArgumentError, "d overlaps a in memory"):
                self.check(a=1000, b=3000, d=d)
        self.check(a=1000, b=3000, d=1000 + 8 * 24 * 2)
        self.check(a=1000, b=3000, d=1000 - 8 * 16 * 2)

    def test_a_result_in_other_columns_of_the_same_rows(self):
        slots = Gemm(8, 16, 24, lda=64, ldd=64).slots()
        def check(column, pitch=64):
            check_overlap(slots, {"a": Operand(1024, "bf16", (8, 24), (64, 1)), "b": Operand(8192, "bf16", (16, 24)),
                                  "d": Operand(1024 + 2 * column, "bf16", (8, 16), (pitch, 1))}, "d")
        for column in (24, 48, 24 - 64, -16, 24 + 64):
            check(column)
        for column, pitch in ((23, 64), (49, 64), (-15, 64), (24, 48), (24, 8)):
            with self.assertRaisesRegex(InvalidArgumentError, "d overlaps a"):
                check(column, pitch)

    def test_a_residual_may_be_replaced_in_place(self):
        self.check("residual", a=1000, b=3000, d=5000, residual=5000)
        with self.assertRaisesRegex(InvalidArgumentError, "d overlaps residual"):
            self.check("residual", a=1000, b=3000, d=5000, residual=5002)
        with self.assertRaisesRegex(InvalidArgumentError, "d overlaps bias"):
            self.check("bias", a=1000, b=3000, d=5000, bias=5000)


class Problems(unittest.TestCase):
    def test_epilogues(self):
        self.assertEqual([(op.name, op.dtype, op.ld) for op in parse_epilogue("bias:fp32,gelu,residual:bf16:ld8192")],
                         [("bias", "fp32", 0), ("gelu", None, 0), ("residual", "bf16", 8192)])
        self.assertEqual(parse_epilogue(["bias", "gelu"]), parse_epilogue("bias,gelu"))
        self.assertEqual(parse_epilogue(""), ())
        with self.assertRaisesRegex(InvalidArgumentError, "ld takes a positive number"):
            parse_epilogue("residual:ld0")
        with self.assertRaisesRegex(InvalidArgumentError, "'fp99' is no element type"):
            parse_epilogue("bias:fp99")

    def test_numbers(self):
        for value in (1.5, "8", None, True):
            with self.assertRaisesRegex(InvalidArgumentError, "m is .*; pass an integer"):
                Gemm(value, 8, 8)
        class Eight:  # as NumPy's integers
            def __index__(self):
                return 8
        self.assertEqual(Gemm(Eight(), 8, 8), Gemm(8, 8, 8))
        with self.assertRaisesRegex(InvalidArgumentError, "alpha is 'x'; pass a number"):
            Gemm(8, 8, 8, alpha="x")
        with self.assertRaisesRegex(InvalidArgumentError, "has to fit into 64 bits"):
            Gemm(8, 1 << 63, 8)
        with self.assertRaisesRegex(InvalidArgumentError, "ld is .* has to fit into 64 bits"):
            parse_epilogue(f"residual:ld{(1 << 64) + 64}")
        with self.assertRaisesRegex(InvalidArgumentError, "'tx' is no layout"):
            Gemm(8, 8, 8, layout="tx")


if __name__ == "__main__":
    unittest.main()
