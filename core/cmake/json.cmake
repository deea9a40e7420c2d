# meshwise_json: nlohmann/json as every part of Meshwise must see it. The
# library is built without exceptions, and two translation units that disagree
# on JSON_NOEXCEPTION would break the one-definition rule in silence.

add_library(meshwise_json INTERFACE)
target_compile_definitions(meshwise_json INTERFACE JSON_NOEXCEPTION=1
                                                   JSON_USE_IMPLICIT_CONVERSIONS=0)

if(EMSCRIPTEN)
  # A host's include folder holds the host's libc too, which must stay out of
  # the module's sight: link the one folder of headers into the build tree.
  find_path(
    MESHWISE_JSON_INCLUDE nlohmann/json.hpp
    PATHS /usr/include /usr/local/include /opt/homebrew/include
    NO_CMAKE_FIND_ROOT_PATH)
  if(NOT MESHWISE_JSON_INCLUDE)
    message(FATAL_ERROR "nlohmann/json.hpp is missing: install nlohmann-json "
                        "3.11 or newer (Debian: nlohmann-json3-dev), or set "
                        "MESHWISE_JSON_INCLUDE to the folder that holds it.")
  endif()
  set(json_include ${PROJECT_BINARY_DIR}/third_party)
  file(MAKE_DIRECTORY ${json_include})
  file(CREATE_LINK ${MESHWISE_JSON_INCLUDE}/nlohmann ${json_include}/nlohmann
       SYMBOLIC)
  target_include_directories(meshwise_json SYSTEM INTERFACE ${json_include})
else()
  find_package(nlohmann_json 3.11 REQUIRED)
  target_link_libraries(meshwise_json INTERFACE nlohmann_json::nlohmann_json)
endif()
