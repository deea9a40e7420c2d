# Checks the data files and writes them into a C++ source as string views.
#
#   cmake -D ROOT=<data folder> -D FILES=<a.json|b/c.json|...> -D OUTPUT=<x.cpp>
#         -P embed.cmake
#
# Paths are relative to ROOT. Line breaks and indentation are left out: they
# would only be carried to every visitor of the page.

function(fail file reason)
  message(FATAL_ERROR "core/data/${file}: ${reason}")
endfunction()

# CMake's own reader forgives comments, trailing commas and text after the end;
# the core's does not. With the strings taken out all three are plain to see.
function(check_json file text)
  string(JSON type ERROR_VARIABLE error TYPE "${text}")
  if(error)
    string(REGEX REPLACE "[\r\n]+" " " error "${error}")
    fail(${file} "${error}")
  endif()
  if(NOT type STREQUAL "OBJECT")
    fail(${file} "must hold one JSON object")
  endif()
  string(REGEX REPLACE "\"([^\"\\\\]|\\\\.)*\"" "\"\"" bare "${text}")
  if(bare MATCHES "/")
    fail(${file} "JSON has no comments")
  endif()
  if(bare MATCHES ",[ \t\r\n]*[]}]")
    fail(${file} "a comma before a closing bracket")
  endif()
  if(bare MATCHES "[]}][ \t\r\n]*[^],} \t\r\n]")
    fail(${file} "text after a closing bracket")
  endif()
endfunction()

set(entries "")
string(REPLACE "|" ";" files "${FILES}")
list(LENGTH files count)
foreach(file IN LISTS files)
  file(READ "${ROOT}/${file}" text)
  check_json(${file} "${text}")
  string(REGEX REPLACE "[ \t]*\r?\n[ \t]*" "" text "${text}")
  string(FIND "${text}" ")~~~\"" clash)
  if(NOT clash EQUAL -1)
    fail(${file} "holds the mark that ends embedded text")
  endif()
  string(APPEND entries "    {\"${file}\", R\"~~~(${text})~~~\"},\n")
endforeach()

file(
  WRITE "${OUTPUT}"
  "// Written by core/cmake/embed.cmake from core/data.
#include \"embedded.h\"

#include <array>

namespace meshwise {
namespace {
constexpr std::array<EmbeddedFile, ${count}> kFiles = {{
${entries}}};
}  // namespace

std::span<const EmbeddedFile> embedded_files() { return kFiles; }

}  // namespace meshwise
")
