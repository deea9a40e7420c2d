# Turns the JSON files under DATA_DIR into one C++ source, OUTPUT, whose
# embedded_files() lists them by relative path. A file that is no JSON stops
# the build with its name and the parser's reason.
#
#   cmake -D DATA_DIR=... -D OUTPUT=... -P embed.cmake
file(GLOB_RECURSE paths RELATIVE "${DATA_DIR}" "${DATA_DIR}/*.json")
list(SORT paths)
set(entries "")
list(LENGTH paths count)
foreach(path IN LISTS paths)
  file(READ "${DATA_DIR}/${path}" text)
  string(JSON kind ERROR_VARIABLE problem TYPE "${text}")
  if(problem)
    message(FATAL_ERROR "core/data/${path} is no valid JSON: ${problem}")
  endif()
  # Indentation is for people; it would cost the module bytes.
  string(REGEX REPLACE "\n[ \t]*" "\n" text "${text}")
  string(APPEND entries
         "    EmbeddedFile{\"${path}\", R\"~~~(${text})~~~\"},\n")
endforeach()
set(source
    "#include \"embedded.h\"

#include <array>

namespace meshwise {
namespace {

constexpr std::array<EmbeddedFile, ${count}> kFiles{{
${entries}}};

}  // namespace

std::span<const EmbeddedFile> embedded_files() { return kFiles; }

}  // namespace meshwise
")
file(WRITE "${OUTPUT}" "${source}")
