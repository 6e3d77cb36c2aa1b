// SPDX-License-Identifier: Apache-2.0
// A shared library that looks like an NVRTC of version FAKE_MAJOR.FAKE_MINOR. Every compile fails
// as one without its builtins library does.
#include <stddef.h>
#include <string.h>

#define TEXT(x) TEXT_(x)
#define TEXT_(x) #x
#define VERSION TEXT(FAKE_MAJOR) "." TEXT(FAKE_MINOR)

static const char kLog[] =
    "nvrtc: error: failed to open libnvrtc-builtins.so." VERSION ".\n"
    "  Make sure that libnvrtc-builtins.so." VERSION " is installed correctly.";

int nvrtcVersion(int *major, int *minor) {
  *major = FAKE_MAJOR;
  *minor = FAKE_MINOR;
  return 0;
}
const char *nvrtcGetErrorString(int result) {
  return result == 7 ? "NVRTC_ERROR_BUILTIN_OPERATION_FAILURE" : "NVRTC_ERROR_UNKNOWN";
}
int nvrtcCreateProgram(void **program, const char *text, const char *name, int count,
                       const char *const *headers, const char *const *names) {
  (void)text, (void)name, (void)count, (void)headers, (void)names;
  *program = (void *)kLog;
  return 0;
}
int nvrtcDestroyProgram(void **program) {
  *program = NULL;
  return 0;
}
int nvrtcCompileProgram(void *program, int count, const char *const *options) {
  (void)program, (void)count, (void)options;
  return 7;
}
int nvrtcGetProgramLogSize(void *program, size_t *size) {
  (void)program;
  *size = sizeof kLog;
  return 0;
}
int nvrtcGetProgramLog(void *program, char *log) {
  (void)program;
  memcpy(log, kLog, sizeof kLog);
  return 0;
}
static int none(size_t *size) {
  *size = 0;
  return 0;
}
int nvrtcGetPTXSize(void *program, size_t *size) { return (void)program, none(size); }
int nvrtcGetPTX(void *program, char *ptx) { return (void)program, (void)ptx, 0; }
int nvrtcGetCUBINSize(void *program, size_t *size) { return (void)program, none(size); }
int nvrtcGetCUBIN(void *program, char *cubin) { return (void)program, (void)cubin, 0; }
