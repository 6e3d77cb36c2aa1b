/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tilewright.h: the C interface of Tilewright, and all that libtilewright.so exports. C99.
 *
 *   twEngine *engine = NULL;
 *   twEngineOptions options = TW_ENGINE_OPTIONS_INIT;          // device 0
 *   if (twEngineCreate(&options, &engine) != TW_OK)
 *     fprintf(stderr, "%s\n", twLastError());
 *
 *   twGemmProblem problem = TW_GEMM_PROBLEM_INIT;              // bf16, A[M, K], B[N, K]
 *   problem.m = 4096, problem.n = 6144, problem.k = 4096;
 *   twEpilogueOp ops[] = {TW_EPILOGUE_OP("bias"), TW_EPILOGUE_OP("gelu")};
 *   problem.epilogue = ops, problem.epilogueCount = 2;
 *
 *   twKernel *kernel = NULL;
 *   twEngineRequestGemm(engine, &problem, NULL, &kernel);      // compiles, or finds it
 *   twKernelPrepare(kernel);                                   // loads it on the device
 *   twOperand operands[] = {{"a", a}, {"b", b}, {"bias", bias}, {"d", d}};
 *   twKernelRun(kernel, operands, 4, workspace, workspaceBytes, stream);
 *   …
 *   twKernelRelease(kernel);
 *   twEngineDestroy(engine);
 *
 * Errors. A function that can fail returns a twStatus; twLastError() then says, in this thread,
 * what was expected, what was found and what to change. Nothing here aborts, prints or throws.
 *
 * Threads. Every function may be called from any thread at any time, on the same objects too, but
 * an object must not be given back while another thread's call still uses it. Objects do not
 * survive fork: a child's calls that would reach the device fail with TW_UNAVAILABLE. Nor do they
 * survive a reset of the device (cudaDeviceReset): give them back first. Calls fail with
 * TW_UNAVAILABLE until someone makes its context anew; what they do then is undefined.
 *
 * Structs that begin with `structSize` may grow at their end. The caller sets structSize to its own
 * sizeof (the TW_…_INIT macros do). Fields that a caller built with an older header does not have
 * take their defaults. Of a larger struct the part that this library does not know must be zero:
 * otherwise the call fails with TW_UNSUPPORTED, for it would ignore a wish. In structs that the
 * library fills in, it writes no more than structSize bytes, and zero to what it does not know.
 *
 * Values that this header lists as "open list" may become more; unknown ones are refused by name.
 * Texts are UTF-8 and end with a zero byte.
 */
#ifndef TILEWRIGHT_TILEWRIGHT_H
#define TILEWRIGHT_TILEWRIGHT_H

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define TW_API __attribute__((visibility("default")))
#else
#define TW_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Version -------------------------------------------------------------------------------- */

/* The version of this header: major * 10000 + minor * 100 + patch. */
#define TW_VERSION 100

/* The version of the library, in the form of TW_VERSION. Within a major version (while that is 0: a
 * minor version) programs built with an older header keep working. */
TW_API int32_t twVersion(void);

/* "0.1.0". */
TW_API const char *twVersionString(void);

/* Twelve hex digits, equal for libraries that generate equal kernels. */
TW_API const char *twBuildId(void);

/* ---- Errors --------------------------------------------------------------------------------- */

/* What happened. Open list. */
typedef int32_t twStatus;
enum {
  TW_OK = 0,
  TW_INVALID_ARGUMENT = 1, /* the caller passed something that is wrong in itself */
  TW_UNSUPPORTED = 2,      /* makes sense, but this version or this device does not do it */
  TW_UNAVAILABLE = 3,      /* something is missing: a driver, a device, NVRTC */
  TW_NOT_FOUND = 4,      /* a named thing does not exist; no stored plan (TW_POLICY_CACHED_ONLY) */
  TW_COMPILE_FAILED = 5, /* the device compiler refused the text, or its result is unusable */
  TW_CHECK_FAILED = 6,   /* a result is wrong by the stated bound */
  TW_IO_ERROR = 7,       /* reading or writing outside of the process failed */
  TW_CANCELLED = 8,      /* the caller asked to stop, or a deadline passed */
  TW_OUT_OF_MEMORY = 9,  /* the device's memory is used up */
  TW_DEVICE_FAULT = 10,  /* a kernel failed on the device: its context is lost */
  TW_INTERNAL = 11       /* a fault of this library; please report it */
};

/* The stable spelling of a status: "invalid_argument"; "unknown" for what is none. */
TW_API const char *twStatusName(twStatus status);

/* The message of the last call of this thread that failed; "" if none has. Valid until the next
 * call of this thread that fails. Calls that succeed leave it alone. */
TW_API const char *twLastError(void);

/* ---- Engine --------------------------------------------------------------------------------- */

/* Where kernels come from, for one device. Give it back with twEngineDestroy. */
typedef struct twEngine twEngine;

/* How severe a log message is; as a threshold, the least severe that is let through. */
typedef int32_t twLogLevel;
enum {
  TW_LOG_OFF = 0,
  TW_LOG_ERROR = 1,
  TW_LOG_WARNING = 2,
  TW_LOG_INFO = 3,
  TW_LOG_DEBUG = 4,
  TW_LOG_TRACE = 5
};

/* Receives log messages: from any thread that calls into the engine, one at a time. It must not
 * call into the engine, and no exception may leave it. */
typedef void (*twLogCallback)(void *context, twLogLevel level, const char *message);

enum {
  /* twEngineOptions.flags: keep nothing on disk and look for nothing there. */
  TW_ENGINE_NO_DISK_CACHE = 1,
  /* Read no environment variable: what the options leave open takes the library's default. Without
   * a cacheFolder there is then no disk cache. */
  TW_ENGINE_NO_ENVIRONMENT = 2
};

typedef struct twEngineOptions {
  size_t structSize;
  /* Ordinal of the device, as the driver counts (CUDA_VISIBLE_DEVICES applies). */
  int32_t device;
  /* TW_ENGINE_… or-ed together. */
  uint32_t flags;
  /* NULL: the device. Otherwise no device is opened, and kernels are compiled for a named one
   * ("h100", "h200"); they cannot be prepared or run. */
  const char *target;
  /* Folder of the stores, absolute. NULL: TILEWRIGHT_CACHE_DIR, else the user's cache folder. */
  const char *cacheFolder;
  /* Library files. NULL: TILEWRIGHT_NVRTC and TILEWRIGHT_DRIVER, else the usual places. NVRTC is
   * looked for when a kernel must be compiled, not before. */
  const char *nvrtcLibrary;
  const char *driverLibrary;
  /* NULL: no log. It is called only within calls on the engine. */
  twLogCallback log;
  void *logContext;
  /* TW_LOG_OFF (0) stands for TW_LOG_WARNING where `log` is set. */
  twLogLevel logLevel;
  /* How many kernels the engine remembers; beyond, it forgets some that were not asked for lately.
   * Kernels that the caller holds stay valid. 0: 4096. */
  int32_t kernelCapacity;
} twEngineOptions;

#define TW_ENGINE_OPTIONS_INIT                                                                     \
  { sizeof(twEngineOptions), 0, 0, NULL, NULL, NULL, NULL, NULL, NULL, TW_LOG_OFF, 0 }

/* Makes an engine; `options` may be NULL. Retains the device's primary context, creates none.
 *   TW_UNAVAILABLE       no driver, no device, a driver older than CUDA 12.4
 *   TW_UNSUPPORTED       the device is not of compute capability 9.0
 *   TW_INVALID_ARGUMENT  no device of that ordinal; no such target; a flag that does not exist
 * On failure *engine is NULL. */
TW_API twStatus twEngineCreate(const twEngineOptions *options, twEngine **engine);

/* Gives the engine back; NULL is fine. Kernels may outlive it, and keep the device's context. */
TW_API void twEngineDestroy(twEngine *engine);

/* What an engine compiles for. */
typedef struct twDeviceInfo {
  size_t structSize;
  /* -1: a named target. */
  int32_t ordinal;
  int32_t smCount;
  /* Valid as long as the engine. */
  const char *name;
  const char *arch;
  int64_t l2Bytes;
  int64_t memoryBytes;
  /* Bytes per second by the datasheet. */
  double memoryBandwidth;
  /* CUDA version that the driver supports, as 1000 * major + 10 * minor; 0: a named target. */
  int32_t driverVersion;
} twDeviceInfo;

/* Fills *info, whose structSize the caller has set. */
TW_API twStatus twEngineDevice(const twEngine *engine, twDeviceInfo *info);

/* What an engine has done so far. */
typedef struct twEngineCounters {
  size_t structSize;
  /* Requests that succeeded, and how each was answered. */
  uint64_t requests;
  uint64_t fromMemory;
  uint64_t fromDisk;
  uint64_t compiled;
  /* Kernels handed to NVRTC, and MLIR contexts made. */
  uint64_t nvrtcCalls;
  uint64_t mlirContexts;
} twEngineCounters;

TW_API twStatus twEngineGetCounters(const twEngine *engine, twEngineCounters *counters);

/* ---- Problems ------------------------------------------------------------------------------- */

/* An element type. Open list. */
typedef int32_t twDType;
enum {
  TW_DTYPE_DEFAULT = 0, /* what the field says */
  TW_BF16 = 1,
  TW_FP16 = 2,
  TW_FP32 = 3,
  TW_TF32 = 4, /* stored as fp32; the multiplication rounds */
  TW_E4M3 = 5,
  TW_E5M2 = 6,
  TW_INT8 = 7,
  TW_INT32 = 8
};

/* How A and B lie in memory, row-major. The first letter is A's: n is A[M, K], t is A[K, M]; the
 * second B's: n is B[K, N], t is B[N, K]. Open list. */
typedef int32_t twLayout;
enum { TW_LAYOUT_NT = 0, TW_LAYOUT_NN = 1, TW_LAYOUT_TN = 2, TW_LAYOUT_TT = 3 };

/* One op of an epilogue. x is the value so far, (i, j) its row and column in D. By name, open list:
 *
 *   bias         x + bias[j]              scale_col   x * scale_col[j]
 *   bias_row     x + bias_row[i]          scale_row   x * scale_row[i]
 *   residual     x + residual[i, j]       gate        x * gate[i, j]
 *   relu, gelu (tanh form), gelu_erf, silu
 *   swiglu, geglu     join pairs of columns
 *   accumulate        x + D[i, j] as it was
 *
 * The operand of an op is bound under the op's name. What a version does not build it refuses. */
typedef struct twEpilogueOp {
  /* The caller's sizeof(twEpilogueOp); the same in all ops of a list. */
  size_t structSize;
  const char *name;
  /* Type of the operand. TW_DTYPE_DEFAULT: fp32 for scales, else the type of D. */
  twDType dtype;
  /* Elements from one row of a matrix operand to the next. 0: tight. */
  int64_t ld;
} twEpilogueOp;

#define TW_EPILOGUE_OP(name)                                                                       \
  { sizeof(twEpilogueOp), (name), TW_DTYPE_DEFAULT, 0 }

/* D[M, N] = epilogue(alpha * A·B + beta * C), sums in fp32. Start from TW_GEMM_PROBLEM_INIT.
 * m = 0 or n = 0: the kernel launches nothing. k = 0: D is the epilogue of zero. */
typedef struct twGemmProblem {
  size_t structSize;
  /* 0 to 2^31 - 1. */
  int64_t m;
  int64_t n;
  int64_t k;
  /* TW_DTYPE_DEFAULT: a is bf16, b as a, d as a, c as d. */
  twDType a;
  twDType b;
  twDType c;
  twDType d;
  twLayout layout;
  float alpha;
  /* C is read only if beta is not 0. */
  float beta;
  /* 0 stands for 1. */
  int64_t batch;
  /* Elements from one stored row to the next. 0: tight. */
  int64_t lda;
  int64_t ldb;
  int64_t ldc;
  int64_t ldd;
  /* Applied in order after alpha and beta. */
  const twEpilogueOp *epilogue;
  size_t epilogueCount;
} twGemmProblem;

#define TW_GEMM_PROBLEM_INIT                                                                       \
  {                                                                                                \
    sizeof(twGemmProblem), 0, 0, 0, TW_DTYPE_DEFAULT, TW_DTYPE_DEFAULT, TW_DTYPE_DEFAULT,          \
        TW_DTYPE_DEFAULT, TW_LAYOUT_NT, 1.0F, 0.0F, 1, 0, 0, 0, 0, NULL, 0                         \
  }

/* ---- Requests ------------------------------------------------------------------------------- */

/* How far a request may go. Open list. */
typedef int32_t twPolicy;
enum {
  /* What is stored; else compile the config that the model ranks first. */
  TW_POLICY_HEURISTIC = 0,
  /* Never compile: TW_NOT_FOUND if neither memory nor disk has it. */
  TW_POLICY_CACHED_ONLY = 1
};

enum {
  /* twRequestOptions.flags: equal inputs give equal bits, each time. */
  TW_REQUEST_DETERMINISTIC = 1,
  /* A row of D has the same bits whatever the other rows are, and however many. */
  TW_REQUEST_BATCH_INVARIANT = 2,
  /* No programmatic dependent launch. */
  TW_REQUEST_NO_PDL = 4
};

/* How products are summed. Open list. */
typedef int32_t twAccumulate;
enum { TW_ACCUMULATE_FP32 = 0 };

typedef struct twRequestOptions {
  size_t structSize;
  twPolicy policy;
  /* TW_REQUEST_… or-ed together. */
  uint32_t flags;
  /* The most SMs that the kernel may occupy, where it can be told so. 0: all. */
  int32_t smCap;
  twAccumulate accumulate;
  /* Bytes that the address of every operand is a multiple of: a promise. Each run checks as much of
   * it as the kernel relies on. A power of two, 16 or more; 0: 16. */
  int32_t pointerAlignment;
  /* NULL: the library chooses. "bm=128,bn=256,…": this schedule; knobs that are not named are those
   * of the library's choice. */
  const char *config;
} twRequestOptions;

#define TW_REQUEST_OPTIONS_INIT                                                                    \
  { sizeof(twRequestOptions), TW_POLICY_HEURISTIC, 0, 0, TW_ACCUMULATE_FP32, 0, NULL }

/* A kernel for one problem: immutable, shared between threads. */
typedef struct twKernel twKernel;

/* Asks for the kernel of a problem; `options` may be NULL. A kernel that this engine has handed out
 * before is found again in under 2 microseconds. Requests for the same kernel at the same time
 * compile it once. Touches no stream and no device memory; a first request may take a second.
 *   TW_INVALID_ARGUMENT  the problem, an option or the config is wrong in itself
 *   TW_UNSUPPORTED       this version does not build it
 *   TW_NOT_FOUND         TW_POLICY_CACHED_ONLY, and it is not stored
 *   TW_UNAVAILABLE       it must be compiled, and there is no NVRTC
 *   TW_COMPILE_FAILED    with the compiler's log
 * On failure *kernel is NULL. Give the kernel back with twKernelRelease. */
TW_API twStatus twEngineRequestGemm(twEngine *engine, const twGemmProblem *problem,
                                    const twRequestOptions *options, twKernel **kernel);

/* ---- Kernels -------------------------------------------------------------------------------- */

/* Gives the handle back; NULL is fine. Wait until the work that its runs have put on streams is
 * done, and until no graph that captured one is launched any more. */
TW_API void twKernelRelease(twKernel *kernel);

/* Loads the kernel on the engine's device and binds its scalars. Does nothing the second time. Not
 * while a stream of this device is being captured.
 *   TW_UNAVAILABLE    the engine has no device; the driver is too old for the cubin (both versions
 *                     are named); the context is gone
 *   TW_OUT_OF_MEMORY  the device has no room for it
 *   TW_DEVICE_FAULT   a kernel has failed on this context before */
TW_API twStatus twKernelPrepare(twKernel *kernel);

/* What a run needs of workspace: device memory of *bytes bytes at a multiple of *alignment. Often
 * 0. Its contents are of no meaning before and after a run; runs at the same time each need their
 * own. Either pointer may be NULL. Needs no preparation. */
TW_API twStatus twKernelWorkspace(const twKernel *kernel, size_t *bytes, size_t *alignment);

/* A device address for a role. (The layout of this struct is final.) */
typedef struct twOperand {
  const char *role;
  /* Read only, except under the role d. */
  const void *address;
} twOperand;

/* Puts the kernel on `stream` (a CUstream or cudaStream_t of the device's primary context; NULL:
 * the legacy default stream). Roles come in any order. One that is not bound counts as null, which
 * only an operand without elements may be; one that the kernel does not have is refused. A run
 * compiles, allocates and waits for nothing, is legal while the stream is being captured, and
 * leaves the thread's current context as it was.
 *   TW_INVALID_ARGUMENT  the kernel was not prepared; names the role that is null, unknown, twice
 *                        there, not aligned, in host memory that the driver does not know, or on
 *                        another device; says what the workspace lacks
 *   TW_DEVICE_FAULT      a kernel has failed on this context before
 *   TW_UNAVAILABLE       the process was forked, the context is gone */
TW_API twStatus twKernelRun(const twKernel *kernel, const twOperand *operands, size_t operandCount,
                            void *workspace, size_t workspaceBytes, void *stream);

/* What runs do with an operand. */
typedef int32_t twAccess;
enum { TW_ACCESS_READ = 0, TW_ACCESS_WRITE = 1, TW_ACCESS_READ_WRITE = 2 };

/* An operand that runs take. */
typedef struct twOperandInfo {
  size_t structSize;
  /* "a", "bias_row", …: open list. Valid as long as the kernel. */
  const char *role;
  twDType dtype;
  twAccess access;
  /* Bytes that its address must be a multiple of. */
  int32_t alignment;
  /* Bytes from its address to the end of the last element that is touched. */
  int64_t bytes;
} twOperandInfo;

/* How many operands the kernel has. */
TW_API size_t twKernelOperandCount(const twKernel *kernel);

/* Fills *info for the operand of that index. TW_NOT_FOUND if there are not so many. */
TW_API twStatus twKernelOperand(const twKernel *kernel, size_t index, twOperandInfo *info);

/* How a request was answered, and what the kernel is. Texts are valid as long as the handle. */
typedef struct twKernelInfo {
  size_t structSize;
  /* "memory", "disk", or "heuristic" (compiled now, of the library's choice) or "config" (compiled
   * now, of the caller's choice); "none" where nothing is launched. Open list. */
  const char *source;
  /* The schedule: "bm=128,bn=256,…". */
  const char *config;
  /* The canonical key of the request. */
  const char *key;
  /* What this request did: kernels handed to NVRTC; 1 if it made an MLIR context, else 0. */
  int32_t nvrtcCalls;
  int32_t mlir;
  /* Wall time of the request, seconds. */
  double requestSeconds;
  /* Wall time of the compile, in this process or the one that stored the plan, seconds. */
  double compileSeconds;
  /* The NVRTC that made the cubins, as 1000 * major + 10 * minor; 0 where there are none. */
  int32_t nvrtcVersion;
  /* Launches of a run. */
  int32_t launchCount;
  /* Of the first kernel: per thread at launch, bytes of spills per thread, dynamic shared memory.
   */
  int32_t registers;
  int32_t spillBytes;
  int32_t sharedBytes;
  /* CTAs of the first launch. */
  int64_t ctas;
} twKernelInfo;

TW_API twStatus twKernelGetInfo(const twKernel *kernel, twKernelInfo *info);

#ifdef __cplusplus
}
#endif

#endif /* TILEWRIGHT_TILEWRIGHT_H */
