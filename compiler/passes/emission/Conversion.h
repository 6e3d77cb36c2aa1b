// SPDX-License-Identifier: Apache-2.0
//
// The parts of sm90-to-emitc: types and the patterns by dialect.

#pragma once

#include "mlir/Transforms/DialectConversion.h"

namespace tilewright::emission {

/// i1, i32, i64, f32 stay; register arrays become emitc.array, everything else opaque types of the
/// device library. `index` and other scalars have no conversion.
class EmitcTypeConverter : public mlir::TypeConverter {
public:
  EmitcTypeConverter();
};

/// arith and math on scalars: plain operators of C++ and functions of tilewright/math.cuh.
void populateScalarPatterns(const mlir::TypeConverter &converter,
                            mlir::RewritePatternSet &patterns);

/// scf.for, keeping names and unroll directives; the other scf ops have upstream patterns.
void populateLoopPatterns(const mlir::TypeConverter &converter, mlir::RewritePatternSet &patterns);

/// Kernels, register arrays, constants, comments, and every device function call.
void populateSm90Patterns(const mlir::TypeConverter &converter, mlir::RewritePatternSet &patterns);

/// Whether the op becomes a call of a function in tilewright/math.cuh without being an sm90 op.
bool callsMathHeader(mlir::Operation *op);

} // namespace tilewright::emission
