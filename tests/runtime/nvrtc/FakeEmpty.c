// SPDX-License-Identifier: Apache-2.0
// A shared library that is no NVRTC; also stands for a builtins library.
int tilewright_fake_empty(void) { return 0; }
