# The toolchain of whatever emcc is on the PATH: a distribution's package or an
# emsdk. It finds Emscripten's own toolchain file and adds what that leaves out.

if(NOT MESHWISE_EMSCRIPTEN_ROOT)
  find_program(MESHWISE_EMCC emcc PATHS $ENV{EMSDK}/upstream/emscripten
                                        $ENV{EMSCRIPTEN})
  if(NOT MESHWISE_EMCC)
    message(FATAL_ERROR "emcc is not on the PATH: install Emscripten "
                        "(Debian and Ubuntu: apt-get install emscripten).")
  endif()
  file(REAL_PATH ${MESHWISE_EMCC} emcc_path)
  get_filename_component(emcc_folder ${emcc_path} DIRECTORY)
  # A distribution may put only wrappers on the PATH; em-config knows the rest.
  find_program(MESHWISE_EM_CONFIG em-config HINTS ${emcc_folder})
  if(MESHWISE_EM_CONFIG)
    execute_process(
      COMMAND ${MESHWISE_EM_CONFIG} EMSCRIPTEN_ROOT
      OUTPUT_VARIABLE configured_root
      OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  endif()
  set(platform_file cmake/Modules/Platform/Emscripten.cmake)
  foreach(root "${configured_root}" "${emcc_folder}" "$ENV{EMSCRIPTEN}")
    if(root AND EXISTS ${root}/${platform_file})
      set(MESHWISE_EMSCRIPTEN_ROOT ${root} CACHE PATH "Emscripten's folder")
      break()
    endif()
  endforeach()
  if(NOT MESHWISE_EMSCRIPTEN_ROOT)
    message(FATAL_ERROR "${MESHWISE_EMCC} was found, but not the folder with "
                        "${platform_file}; set MESHWISE_EMSCRIPTEN_ROOT to it.")
  endif()
endif()
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES MESHWISE_EMSCRIPTEN_ROOT)

# Emscripten's default passes Node a flag that newer Nodes refuse.
if(NOT CMAKE_CROSSCOMPILING_EMULATOR)
  find_program(MESHWISE_NODE NAMES node nodejs REQUIRED)
  set(CMAKE_CROSSCOMPILING_EMULATOR ${MESHWISE_NODE} CACHE FILEPATH "")
endif()

include(${MESHWISE_EMSCRIPTEN_ROOT}/cmake/Modules/Platform/Emscripten.cmake)

# Debian keeps the JavaScript packages that the linker needs where a Node from
# elsewhere does not look.
if(EXISTS /usr/share/nodejs/acorn)
  set_property(GLOBAL PROPERTY RULE_LAUNCH_LINK
                               "${CMAKE_COMMAND} -E env NODE_PATH=/usr/share/nodejs")
endif()

set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG" CACHE STRING "")
