// SPDX-License-Identifier: Apache-2.0
//
// Where in a file a part of a module stands, for messages that leave the compiler as text.

#pragma once

#include "mlir/IR/Location.h"

#include <string>

namespace tilewright {

/// "file:line:column: " of the first place in a file that `location` leads to; "" if there is none.
inline std::string placeOf(mlir::Location location) {
  auto place = location->findInstanceOf<mlir::FileLineColLoc>();
  if (!place)
    return "";
  return place.getFilename().str() + ":" + std::to_string(place.getLine()) + ":" +
         std::to_string(place.getColumn()) + ": ";
}

} // namespace tilewright
