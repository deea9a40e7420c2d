// The module's surface: three functions over one engine, and no logic.
#include <emscripten/bind.h>

#include <string>
#include <vector>

#include "meshwise/api.h"

namespace {

meshwise::Engine& engine() {
  static meshwise::Engine one;
  return one;
}

std::string call(const std::string& request) { return engine().call(request); }

// A copy in JavaScript's own memory: a view into the module's would be
// detached as soon as that memory grows.
emscripten::val search(const std::string& request) {
  const std::vector<double> rows = engine().search(request);
  const emscripten::val view(
      emscripten::typed_memory_view(rows.size(), rows.data()));
  return view.call<emscripten::val>("slice");
}

std::string search_columns() { return meshwise::Engine::search_columns(); }

}  // namespace

EMSCRIPTEN_BINDINGS(meshwise) {
  emscripten::function("call", &call);
  emscripten::function("search", &search);
  emscripten::function("searchColumns", &search_columns);
}
