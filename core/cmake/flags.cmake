# Flags that all of Meshwise's own targets share. Nothing here reaches a
# project that uses meshwise::meshwise, except what it must agree on.

# A compiler newer than those that the project is kept clean for may warn of
# more: that is shown, and does not keep anybody from building.
set(warnings_are_errors ${MESHWISE_WERROR})
if((CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION
                                           VERSION_GREATER_EQUAL 13)
   OR (CMAKE_CXX_COMPILER_ID MATCHES Clang AND CMAKE_CXX_COMPILER_VERSION
                                               VERSION_GREATER_EQUAL 15))
  set(warnings_are_errors OFF)
endif()

add_library(meshwise_warnings INTERFACE)
target_compile_options(
  meshwise_warnings
  INTERFACE -Wall
            -Wextra
            -Wpedantic
            -Wconversion
            -Wsign-conversion
            -Wshadow
            $<$<BOOL:${warnings_are_errors}>:-Werror>
            # g++ 12 reports overlaps in std::string's operator+ that are none.
            $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>)

if(MESHWISE_SANITIZE)
  add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=all
                      -fno-omit-frame-pointer)
  add_link_options(-fsanitize=address,undefined)
endif()

if(MESHWISE_FUZZ)
  if(NOT CMAKE_CXX_COMPILER_ID MATCHES Clang)
    message(FATAL_ERROR "MESHWISE_FUZZ needs clang: libFuzzer is part of it.")
  endif()
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()

if(EMSCRIPTEN)
  # All three on the compile and the link line: without -fno-rtti at the link
  # Embind's type names do not match, and without -mbulk-memory -Oz links a
  # byte-wise memcpy.
  set(MESHWISE_WASM_FLAGS -fno-exceptions -fno-rtti -mbulk-memory)
  add_compile_options(${MESHWISE_WASM_FLAGS})
  add_link_options(${MESHWISE_WASM_FLAGS})
endif()
