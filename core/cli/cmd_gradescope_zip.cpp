// The autograder archive for Gradescope: its two scripts, this program and its
// licence. Times, order and modes are fixed, so the same program gives the same
// bytes.
#include <zip.h>

#include <memory>

#include "commands.h"
#include "files.h"
#include "license.h"

namespace meshwise::cli {
namespace {

constexpr std::uintmax_t kMostProgramBytes = std::uintmax_t{256} << 20;
constexpr zip_uint16_t kDate = (2020 - 1980) << 9 | 1 << 5 | 1;  // 2020-01-01

constexpr const char* kSetup = R"SH(#!/bin/sh
# Run once, when the grader's image is built: the program needs libzip, and
# nothing else that a Debian or Ubuntu image lacks.
set -u
program=${MESHWISE_SOURCE:-/autograder/source}/meshwise
chmod +x "$program"
if ! "$program" version >/dev/null 2>&1; then
  apt-get update -qq
  for package in libzip4 libzip4t64 libzip5; do
    apt-get install -y -qq --no-install-recommends "$package" && break
  done
fi
if ! "$program" version; then
  echo "meshwise does not run on this image: build it on the image's" \
    "distribution, or choose a newer image" >&2
  exit 1
fi
)SH";

// Between the two stands the scenario's flag, or nothing.
constexpr const char* kRunBegin = R"SH(#!/bin/sh
# Grades one hand-in. results.json is written once and whole, also when nothing
# could be graded, or the grader itself failed.
set -u
root=${MESHWISE_ROOT:-/autograder}
source=${MESHWISE_SOURCE:-$root/source}
submission=${MESHWISE_SUBMISSION:-$root/submission}
results=${MESHWISE_RESULTS:-$root/results}
mkdir -p "$results"
rm -f "$results/results.json"
"$source/meshwise" grade --format gradescope)SH";
constexpr const char* kRunEnd = R"SH( \
  --out "$results/results.json" "$submission"
code=$?
if [ ! -s "$results/results.json" ]; then
  said="The grader failed (exit code $code): this is no mark of the answer."
  printf '{"score": 0, "output": "%s Tell the course."}\n' "$said" \
    >"$results/results.json.partial"
  mv "$results/results.json.partial" "$results/results.json"
fi
exit 0
)SH";

struct Part {
  const char* name;
  std::string text;
  bool program;
};

struct Discard {
  void operator()(zip_t* archive) const { zip_discard(archive); }
};

// The source that the archive is written into outlives it.
struct Free {
  void operator()(zip_source_t* source) const { zip_source_free(source); }
};

[[noreturn]] void fail(const std::string& what) {
  throw UsageError{"the archive cannot be made: " + what};
}

void add(zip_t* archive, const Part& part) {
  constexpr zip_uint32_t kRegular = 0100000;
  zip_source_t* from =
      zip_source_buffer(archive, part.text.data(), part.text.size(), 0);
  const zip_int64_t index =
      from == nullptr ? -1 : zip_file_add(archive, part.name, from, 0);
  if (index < 0) {
    if (from != nullptr) zip_source_free(from);
    fail(zip_strerror(archive));
  }
  const auto at = static_cast<zip_uint64_t>(index);
  const zip_uint32_t mode = kRegular | (part.program ? 0755u : 0644u);
  zip_file_set_dostime(archive, at, 0, kDate, 0);
  zip_file_set_external_attributes(archive, at, 0, ZIP_OPSYS_UNIX, mode << 16);
}

std::string bytes_of(zip_source_t* source) {
  zip_stat_t stat;
  if (zip_source_stat(source, &stat) != 0 || zip_source_open(source) != 0) {
    fail(zip_error_strerror(zip_source_error(source)));
  }
  std::string out(stat.size, '\0');
  const zip_int64_t count = zip_source_read(source, out.data(), out.size());
  zip_source_close(source);
  if (count != static_cast<zip_int64_t>(out.size())) fail("it is cut off");
  return out;
}

std::string zipped(const std::vector<Part>& parts) {
  zip_error_t error;
  zip_error_init(&error);
  std::unique_ptr<zip_source_t, Free> source(
      zip_source_buffer_create(nullptr, 0, 0, &error));
  if (source == nullptr) fail(zip_error_strerror(&error));
  std::unique_ptr<zip_t, Discard> archive(
      zip_open_from_source(source.get(), ZIP_TRUNCATE, &error));
  if (archive == nullptr) fail(zip_error_strerror(&error));
  // Opening took the source over; kept, to read it when the archive is closed.
  zip_source_keep(source.get());
  for (const Part& part : parts) add(archive.get(), part);
  if (zip_close(archive.get()) != 0) fail(zip_strerror(archive.get()));
  static_cast<void>(archive.release());
  return bytes_of(source.get());
}

// This program's own file.
std::string program_bytes() {
  FileText file = read_file("/proc/self/exe", kMostProgramBytes);
  if (!file.problem.empty()) {
    throw UsageError{"gradescope-zip: the program's own file: " + file.problem};
  }
  return std::move(file.text);
}

std::string run_script(Session& session, const Options& options,
                       const std::string& scenario) {
  std::string flag;
  if (!scenario.empty()) {
    Json request = Json::object();
    request["kind"] = "grade";
    request["options"] = Json::object();
    request["options"]["scenario"] = scenario;
    request["submissions"] = Json::array();
    static_cast<void>(session.ask(request, options));
    flag = " --scenario '" + scenario + "'";
  }
  return kRunBegin + flag + kRunEnd;
}

}  // namespace

Command add_gradescope_zip(CLI::App& app) {
  auto options = std::make_shared<Options>();
  auto out = std::make_shared<std::string>("autograder.zip");
  options->add(app, {"--scenario", "options", "scenario", Kind::kText,
                     "the scenario that the assignment asks for: its\n"
                     "points are the assignment's"});
  app.add_option("--out", *out, "the archive to write (autograder.zip)")
      ->type_name("FILE");
  return [=](Session& session) {
    const Json request = options->request("grade");
    const std::string scenario =
        request.contains("options")
            ? raw_text_of(request["options"], "scenario")
            : "";
    const std::vector<Part> parts = {
        {"setup.sh", kSetup, true},
        {"run_autograder", run_script(session, *options, scenario), true},
        {"meshwise", program_bytes(), true},
        {"LICENSE", std::string(license_text()), false}};
    if (const auto problem = write_file(*out, zipped(parts))) {
      throw UsageError{"--out " + *out + ": " + *problem};
    }
  };
}

}  // namespace meshwise::cli
