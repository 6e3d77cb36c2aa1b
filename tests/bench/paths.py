# SPDX-License-Identifier: Apache-2.0
"""Puts the measuring programs and the Python package where tests can import them."""
import os
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path[:0] = [os.path.join(ROOT, "bench"), os.path.join(ROOT, "python")]
