#include "meshwise/api.h"

#include "api_parts.h"

namespace meshwise {

struct Engine::State {
  Result<Catalog> catalog = Catalog::load();
  Result<GradingData> grading = load_grading_data();
  GraderCache cache;
  VariantShelf shelf;
};

Engine::Engine() : state_(std::make_unique<State>()) {}
Engine::~Engine() = default;
Engine::Engine(Engine&&) noexcept = default;
Engine& Engine::operator=(Engine&&) noexcept = default;

std::string_view version() { return MESHWISE_VERSION; }

namespace {

api::Reply version_reply(api::Call& call) {
  if (auto problem = api::finish(call)) return *problem;
  Json out = api::reply_of("version");
  set(out, "version", std::string(version()));
  return out;
}

using Handler = api::Reply (*)(api::Call&);
struct Kind {
  const char* name;
  Handler handler;
};
constexpr Kind kKinds[] = {
    {"memory", api::memory},       {"collective", api::collective},
    {"plan", api::plan},           {"decode", api::decode},
    {"threshold", api::threshold}, {"scenario", api::scenario},
    {"catalog", api::catalog},     {"sheet", api::sheet},
    {"grade", api::grade},         {"version", version_reply},
};

Result<Handler> handler_of(Reader& reader) {
  std::vector<std::string> names;
  for (const Kind& kind : kKinds) names.emplace_back(kind.name);
  std::string schema;
  if (reader.text("schema", schema) && schema != "meshwise.request/1") {
    reader.fail("schema", Code::kUnknownName,
                "the schema is no meshwise.request/1", "meshwise.request/1");
  }
  std::size_t index = 0;
  if (reader.choice("kind", index, names) && reader.problems().empty()) {
    return kKinds[index].handler;
  }
  if (reader.problems().empty()) {
    reader.fail("kind", Code::kMissing, "the request has no kind",
                "memory, collective, plan, decode, threshold, scenario, "
                "sheet, grade, catalog or version");
  }
  return reader.problems().front();
}

api::Reply answer(const Json& request, const Catalog& catalog,
                  const GradingData& grading, GraderCache& cache,
                  VariantShelf& shelf) {
  if (!request.is_object()) {
    return Problem{Code::kWrongType, "", "a request is a JSON object", ""};
  }
  std::vector<Problem> problems;
  api::Call call{
      request, Reader(request, "", problems), catalog, grading, cache, shelf};
  const Result<Handler> handler = handler_of(call.reader);
  if (!handler) return handler.problem();
  return (*handler)(call);
}

}  // namespace

std::string Engine::call(std::string_view text) {
  if (!state_->catalog) {
    return dump_json(api::error_reply(state_->catalog.problem()));
  }
  if (!state_->grading) {
    return dump_json(api::error_reply(state_->grading.problem()));
  }
  const Result<Json> request = parse_json(text);
  if (!request) return dump_json(api::error_reply(request.problem()));
  const api::Reply reply = answer(*request, *state_->catalog, *state_->grading,
                                  state_->cache, state_->shelf);
  return dump_json(reply ? *reply : api::error_reply(reply.problem()));
}

namespace {

struct Column {
  const char* name;
  const char* unit;
};
constexpr Column kColumns[] = {{"dp", ""},
                               {"tp", ""},
                               {"pp", ""},
                               {"cp", ""},
                               {"ep", ""},
                               {"zero", ""},
                               {"recompute", ""},
                               {"micro_batch", ""},
                               {"micro_batches", ""},
                               {"reasons", ""},
                               {"step_s", "s"},
                               {"tokens_per_s", "tokens/s"},
                               {"total_bytes", "B"},
                               {"compute_s", "s"},
                               {"tp_s", "s"},
                               {"cp_s", "s"},
                               {"ep_s", "s"},
                               {"pp_bubble_s", "s"},
                               {"pp_transfer_s", "s"},
                               {"dp_s", "s"},
                               {"optimizer_s", "s"}};

void add_row(std::vector<double>& rows, const Evaluation& e) {
  const Plan& p = e.plan;
  const StepTime& t = e.time;
  const double row[] = {static_cast<double>(p.dp),
                        static_cast<double>(p.tp),
                        static_cast<double>(p.pp),
                        static_cast<double>(p.cp),
                        static_cast<double>(p.ep),
                        static_cast<double>(p.zero),
                        static_cast<double>(p.recompute),
                        static_cast<double>(p.micro_batch),
                        static_cast<double>(e.micro_batches),
                        static_cast<double>(e.reasons.bits()),
                        t.step.base(),
                        e.throughput.tokens_per_s,
                        e.peak.memory.total().base(),
                        t.compute.base(),
                        t.tp.base(),
                        t.cp.base(),
                        t.ep.base(),
                        t.pp_bubble.base(),
                        t.pp_transfer.base(),
                        t.dp.base(),
                        t.optimizer.base()};
  static_assert(std::size(row) == std::size(kColumns));
  rows.insert(rows.end(), std::begin(row), std::end(row));
}

}  // namespace

std::vector<double> Engine::search(std::string_view text) {
  std::vector<double> rows;
  const Result<Json> request = parse_json(text);
  if (!state_->catalog || !request || !request->is_object()) return rows;
  std::vector<Problem> problems;
  Reader reader(*request, "", problems);
  const RequestScenario asked =
      read_request_scenario(reader, *state_->catalog, state_->shelf);
  if (!problems.empty() || !asked.has_model) return rows;
  std::int64_t max_micro_batch = SearchOptions{}.max_micro_batch;
  if (auto options = reader.object("options")) {
    options->integer("max_micro_batch", max_micro_batch, std::int64_t{1},
                     std::int64_t{4096});
  }
  if (count_plans(asked.scenario, max_micro_batch, api::kMaxKeptPlans + 1) >
      api::kMaxKeptPlans) {
    return rows;
  }
  for_each_plan(asked.scenario, max_micro_batch,
                [&](const Evaluation& e) { add_row(rows, e); });
  return rows;
}

std::string Engine::search_columns() {
  Json out = Json::array();
  for (const Column& column : kColumns) {
    Json each = Json::object();
    set(each, "name", column.name);
    set(each, "unit", column.unit);
    out.push_back(each);
  }
  return dump_json(out);
}

}  // namespace meshwise
