/* SPDX-License-Identifier: Apache-2.0 */
/* The header as C99 sees it: everything that its example does, as one function. */
#include "tilewright/tilewright.h"

#include <string.h>

/* 0, or the line at which something was not as it should be. */
int useFromC(const char *driver, const char *cacheFolder, const void *memory);

#define EXPECT(condition)                                                                          \
  do {                                                                                             \
    if (!(condition)) {                                                                            \
      line = __LINE__;                                                                             \
      goto done;                                                                                   \
    }                                                                                              \
  } while (0)

int useFromC(const char *driver, const char *cacheFolder, const void *memory) {
  int line = 0;
  twEngine *engine = NULL;
  twKernel *kernel = NULL;
  twEngineOptions options = TW_ENGINE_OPTIONS_INIT;
  twGemmProblem problem = TW_GEMM_PROBLEM_INIT;
  twRequestOptions wishes = TW_REQUEST_OPTIONS_INIT;
  twEpilogueOp ops[] = {TW_EPILOGUE_OP("bias"), TW_EPILOGUE_OP("gelu")};
  twOperand operands[4];
  twOperandInfo operand;
  twKernelInfo info;
  twDeviceInfo device;
  size_t bytes = 1;
  size_t alignment = 0;
  size_t i;

  options.driverLibrary = driver;
  options.cacheFolder = cacheFolder;
  EXPECT(twEngineCreate(&options, &engine) == TW_OK);
  memset(&device, 0, sizeof(device));
  device.structSize = sizeof(device);
  EXPECT(twEngineDevice(engine, &device) == TW_OK);
  EXPECT(device.ordinal == 0 && strcmp(device.arch, "sm_90a") == 0 && device.driverVersion > 12000);

  problem.m = 256;
  problem.n = 512;
  problem.k = 256;
  problem.epilogue = ops;
  problem.epilogueCount = 2;
  wishes.config = "bm=128,bn=128,consumers=2,stages=3,cluster=1x1,store=direct";
  EXPECT(twEngineRequestGemm(engine, &problem, &wishes, &kernel) == TW_OK);
  EXPECT(twKernelPrepare(kernel) == TW_OK);
  EXPECT(twKernelWorkspace(kernel, &bytes, &alignment) == TW_OK && bytes == 0 && alignment == 1);
  EXPECT(twKernelOperandCount(kernel) == 4);
  for (i = 0; i < 4; ++i) {
    memset(&operand, 0, sizeof(operand));
    operand.structSize = sizeof(operand);
    EXPECT(twKernelOperand(kernel, i, &operand) == TW_OK && operand.dtype == TW_BF16);
    operands[i].role = operand.role;
    operands[i].address = memory;
  }
  EXPECT(twKernelOperand(kernel, 4, &operand) == TW_NOT_FOUND);
  EXPECT(twKernelRun(kernel, operands, 4, NULL, 0, NULL) == TW_OK);
  memset(&info, 0, sizeof(info));
  info.structSize = sizeof(info);
  EXPECT(twKernelGetInfo(kernel, &info) == TW_OK);
  EXPECT(info.launchCount == 1 && strstr(info.config, "bn=128") != NULL);

done:
  twKernelRelease(kernel);
  twEngineDestroy(engine);
  return line;
}
