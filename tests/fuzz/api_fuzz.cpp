// Whatever is asked, the reply is a JSON object that names its schema.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "json.h"
#include "meshwise/api.h"

namespace {

bool names_its_schema(const std::string& reply) {
  const auto json = meshwise::parse_json(reply);
  if (!json || !json->is_object()) return false;
  const auto schema = json->find("schema");
  return schema != json->end() && schema->is_string() &&
         schema->get<std::string>().starts_with("meshwise.");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size) {
  static meshwise::Engine engine;
  const std::string_view request(reinterpret_cast<const char*>(data), size);
  if (!names_its_schema(engine.call(request))) std::abort();
  return 0;
}
