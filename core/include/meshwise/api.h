// The one door: a request as JSON text in, a reply as JSON text out. The
// command, the WebAssembly module and the tests all go through it. The
// contract is docs/api.md.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace meshwise {

class Engine {
 public:
  // Reads the embedded data. Data that does not pass its own checks makes
  // every call answer with that error.
  Engine();
  ~Engine();
  Engine(Engine&&) noexcept;
  Engine& operator=(Engine&&) noexcept;

  // Never fails: what is wrong with a request is an error reply. Not const:
  // the engine keeps what it worked out for earlier submissions.
  [[nodiscard]] std::string call(std::string_view request);

  // Every plan of a plan request's space, one row each, in the columns that
  // search_columns() names; empty when the request is wrong or has more than
  // 500,000 plans (call() with the same request and options.all_options says
  // why).
  [[nodiscard]] std::vector<double> search(std::string_view request);

  // JSON: [{"name", "unit"}].
  [[nodiscard]] static std::string search_columns();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// The product's version, e.g. "1.0.0".
[[nodiscard]] std::string_view version();

}  // namespace meshwise
