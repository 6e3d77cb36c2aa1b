// SPDX-License-Identifier: Apache-2.0

#include "tools/tilewright/Mutations.h"

#include "compiler/Compiler.h"
#include "compiler/mutation/Mutation.h"

#include <charconv>

namespace tilewright::cli {

void MutateOption::addTo(CLI::App &command) {
  command
      .add_option("--mutate", text,
                  "with --emulate: put this fault into the kernel first; 'list' prints the kinds")
      ->type_name("KIND[:SITE]");
}

Report MutateOption::list() {
  Report report;
  report.json["kinds"] = Json::array();
  for (const mutation::Kind *kind : mutation::allKinds()) {
    report.text += kind->name.str() + "\n";
    report.json["kinds"].push_back({{"name", kind->name.str()},
                                    {"class", faultClassName(kind->faultClass).str()},
                                    {"sentence", kind->sentence.str()},
                                    {"reason", kind->reason.str()},
                                    {"findings", kind->findings.str()}});
  }
  return report;
}

Expected<Plan> MutateOption::compile(mlir::ModuleOp module, std::string &where) const {
  const size_t colon = text.find(':');
  const std::string kind = text.substr(0, colon);
  unsigned site = 0;
  if (colon != std::string::npos) {
    const char *end = text.data() + text.size();
    auto [last, error] = std::from_chars(text.data() + colon + 1, end, site);
    if (error != std::errc() || last != end)
      return Status::invalidArgument("--mutate: expected KIND:SITE with a number, found '" + text +
                                     "'");
  }
  const mutation::Kind *found = mutation::findKind(kind);
  if (!found)
    return Status::invalidArgument("--mutate: '" + kind +
                                   "' is no kind of fault; --mutate list prints them");
  return compileToPlan(module, [&](mlir::ModuleOp lowered) {
    const size_t sites = findSites(*found, lowered).size();
    if (site >= sites)
      return Status::invalidArgument("--mutate: this program has " + std::to_string(sites) +
                                     " sites of " + kind + ", found " + std::to_string(site));
    where = *mutation::mutate(lowered, kind, site);
    return Status::ok();
  });
}

} // namespace tilewright::cli
