// SPDX-License-Identifier: Apache-2.0
#include "runtime/capi/Problem.h"

#include "runtime/capi/Structs.h"
#include "tilewright/Epilogue.h"

#include <cstring>
#include <optional>
#include <string>
#include <string_view>

namespace tilewright::capi {

namespace {

static_assert(toC(DType::bf16) == TW_BF16 && toC(DType::fp16) == TW_FP16 &&
              toC(DType::fp32) == TW_FP32 && toC(DType::tf32) == TW_TF32 &&
              toC(DType::e4m3) == TW_E4M3 && toC(DType::e5m2) == TW_E5M2 &&
              toC(DType::int8) == TW_INT8 && toC(DType::int32) == TW_INT32);
static_assert(static_cast<int>(GemmLayout::nt) == TW_LAYOUT_NT &&
              static_cast<int>(GemmLayout::nn) == TW_LAYOUT_NN &&
              static_cast<int>(GemmLayout::tn) == TW_LAYOUT_TN &&
              static_cast<int>(GemmLayout::tt) == TW_LAYOUT_TT);

// NOTE: a struct that a caller passes in must not end with padding: what was padding for an old
// caller, of any content, would be a field of a newer version.
static_assert(sizeof(twGemmProblem) ==
              offsetof(twGemmProblem, epilogueCount) + sizeof(twGemmProblem::epilogueCount));
static_assert(sizeof(twEpilogueOp) == offsetof(twEpilogueOp, ld) + sizeof(twEpilogueOp::ld));
static_assert(sizeof(twRequestOptions) ==
              offsetof(twRequestOptions, config) + sizeof(twRequestOptions::config));

/// More ops than an epilogue can make sense with.
constexpr size_t kMaxOps = 64;

Status unknown(std::string_view field, int64_t value) {
  return Status::unsupported(std::string(field) + " is " + std::to_string(value) +
                             ", which this version does not know");
}

Expected<DType> readType(twDType type, DType defaultType, std::string_view field) {
  if (type == TW_DTYPE_DEFAULT)
    return defaultType;
  if (type < TW_BF16 || type > TW_INT32)
    return unknown(field, type);
  return static_cast<DType>(type - 1);
}

Expected<EpilogueOp> readOp(const twEpilogueOp &op, std::string_view where) {
  if (!op.name)
    return Status::invalidArgument(std::string(where) + " has no name");
  const std::string_view name = op.name;
  for (const EpilogueInfo &info : kEpilogueOps) {
    if (info.name != name)
      continue;
    EpilogueOp result{.kind = info.kind, .ld = op.ld};
    if (op.dtype != TW_DTYPE_DEFAULT) {
      Expected<DType> type = readType(op.dtype, DType::bf16, std::string(where) + ".dtype");
      if (!type)
        return type.status();
      result.dtype = *type;
    }
    return result;
  }
  // The message with the names that there are.
  Status failure = Epilogue::parse(name).status();
  return failure.isOk() ? Status::invalidArgument(std::string(where) + ": '" + std::string(name) +
                                                  "' is no op")
                        : failure;
}

Expected<Epilogue> readEpilogue(const twGemmProblem &problem) {
  Epilogue epilogue;
  if (problem.epilogueCount == 0)
    return epilogue;
  if (!problem.epilogue)
    return Status::invalidArgument("epilogue is NULL, and epilogueCount is " +
                                   std::to_string(problem.epilogueCount));
  if (problem.epilogueCount > kMaxOps)
    return Status::invalidArgument("epilogueCount is " + std::to_string(problem.epilogueCount) +
                                   "; a list has up to " + std::to_string(kMaxOps) + " ops");
  // The caller's elements may be shorter or longer than ours.
  size_t stride = 0;
  std::memcpy(&stride, problem.epilogue, sizeof(stride));
  const auto *bytes = reinterpret_cast<const unsigned char *>(problem.epilogue);
  for (size_t i = 0; i < problem.epilogueCount; ++i) {
    const std::string where = "epilogue[" + std::to_string(i) + "]";
    const auto *element = reinterpret_cast<const twEpilogueOp *>(bytes + i * stride);
    size_t size = 0;
    std::memcpy(&size, element, sizeof(size));
    if (size != stride)
      return Status::invalidArgument(where + ".structSize is " + std::to_string(size) +
                                     ", that of the first op is " + std::to_string(stride) +
                                     "; set all to sizeof(twEpilogueOp)");
    Expected<twEpilogueOp> op =
        readStruct(element, twEpilogueOp TW_EPILOGUE_OP(nullptr), "twEpilogueOp");
    if (!op)
      return op.status();
    Expected<EpilogueOp> read = readOp(*op, where);
    if (!read)
      return read.status();
    epilogue.add(*read);
  }
  return epilogue;
}

Expected<GemmProblem> readProblem(const twGemmProblem &given) {
  GemmProblem problem{.m = given.m, .n = given.n, .k = given.k};
  Expected<DType> a = readType(given.a, DType::bf16, "a");
  if (!a)
    return a.status();
  Expected<DType> b = readType(given.b, *a, "b");
  if (!b)
    return b.status();
  Expected<DType> d = readType(given.d, *a, "d");
  if (!d)
    return d.status();
  Expected<DType> c = readType(given.c, *d, "c");
  if (!c)
    return c.status();
  problem.a = *a;
  problem.b = *b;
  problem.d = *d;
  // NOTE: one problem, one form: a C that is not read, or is as D, is not named.
  if (given.beta != 0.0F && *c != *d)
    problem.c = *c;
  if (given.layout < TW_LAYOUT_NT || given.layout > TW_LAYOUT_TT)
    return unknown("layout", given.layout);
  problem.layout = static_cast<GemmLayout>(given.layout);
  problem.alpha = given.alpha;
  problem.beta = given.beta;
  problem.batch = given.batch == 0 ? 1 : given.batch;
  problem.lda = given.lda;
  problem.ldb = given.ldb;
  problem.ldc = given.ldc;
  problem.ldd = given.ldd;
  Expected<Epilogue> epilogue = readEpilogue(given);
  if (!epilogue)
    return epilogue.status();
  problem.epilogue = *std::move(epilogue);
  return problem;
}

} // namespace

Expected<ReadRequest> readRequest(const twGemmProblem *problem, const twRequestOptions *options) {
  if (Status status = requirePointer(problem, "problem"); !status.isOk())
    return status;
  Expected<twGemmProblem> given =
      readStruct(problem, twGemmProblem TW_GEMM_PROBLEM_INIT, "twGemmProblem");
  if (!given)
    return given.status();
  Expected<twRequestOptions> wishes =
      readStruct(options, twRequestOptions TW_REQUEST_OPTIONS_INIT, "twRequestOptions");
  if (!wishes)
    return wishes.status();
  Expected<GemmProblem> read = readProblem(*given);
  if (!read)
    return read.status();

  ReadRequest result;
  result.request.problem = *std::move(read);
  if (wishes->policy != TW_POLICY_HEURISTIC && wishes->policy != TW_POLICY_CACHED_ONLY)
    return unknown("policy", wishes->policy);
  result.mayCompile = wishes->policy == TW_POLICY_HEURISTIC;
  constexpr uint32_t kFlags =
      TW_REQUEST_DETERMINISTIC | TW_REQUEST_BATCH_INVARIANT | TW_REQUEST_NO_PDL;
  if ((wishes->flags & ~kFlags) != 0)
    return unknown("flags", wishes->flags);
  if (wishes->accumulate != TW_ACCUMULATE_FP32)
    return unknown("accumulate", wishes->accumulate);
  RequestFlags &flags = result.request.flags;
  flags.deterministic = (wishes->flags & TW_REQUEST_DETERMINISTIC) != 0;
  flags.batchInvariant = (wishes->flags & TW_REQUEST_BATCH_INVARIANT) != 0;
  flags.pdl = (wishes->flags & TW_REQUEST_NO_PDL) == 0;
  flags.smCap = wishes->smCap;
  if (wishes->pointerAlignment != 0)
    flags.pointerAlignment = wishes->pointerAlignment;
  if (wishes->config)
    result.request.config = wishes->config;
  return result;
}

} // namespace tilewright::capi
