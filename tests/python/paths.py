# SPDX-License-Identifier: Apache-2.0
"""Puts the Python package where tests can import it."""
import os
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "python"))
