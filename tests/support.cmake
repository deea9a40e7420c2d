# How each kind of test becomes a target.

# GoogleTest: the installed library where there is one for this platform, else
# its sources (there is no library for WebAssembly).
macro(meshwise_use_gtest)
  if(NOT EMSCRIPTEN)
    find_package(GTest QUIET)
  endif()
  if(NOT TARGET GTest::gmock_main)
    set(MESHWISE_GTEST_SOURCE /usr/src/googletest
        CACHE PATH "GoogleTest's sources")
    if(NOT EXISTS ${MESHWISE_GTEST_SOURCE}/CMakeLists.txt)
      message(FATAL_ERROR "GoogleTest is missing: install libgtest-dev and "
                          "libgmock-dev, or set MESHWISE_GTEST_SOURCE.")
    endif()
    set(INSTALL_GTEST OFF CACHE BOOL "" FORCE)
    set(gtest_disable_pthreads ${EMSCRIPTEN} CACHE BOOL "" FORCE)
    add_subdirectory(${MESHWISE_GTEST_SOURCE} ${PROJECT_BINARY_DIR}/googletest
                     EXCLUDE_FROM_ALL)
    if(NOT TARGET GTest::gmock_main)
      add_library(GTest::gmock_main ALIAS gmock_main)
    endif()
  endif()
  include(GoogleTest)
endmacro()

# What every test may use: the core, its private headers, the JSON library and
# the folder of the tests' own data.
function(meshwise_test_settings target)
  target_include_directories(
    ${target} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}
                      ${PROJECT_SOURCE_DIR}/core/src)
  target_compile_definitions(
    ${target} PRIVATE MESHWISE_TESTS_FOLDER="${CMAKE_CURRENT_SOURCE_DIR}"
                      MESHWISE_DATA_FOLDER="${PROJECT_SOURCE_DIR}/core/data")
  # The core's own rule: what a test computes must be the same bytes too.
  target_compile_options(${target} PRIVATE -ffp-contract=off)
  target_link_libraries(${target} PRIVATE meshwise meshwise_warnings)
endfunction()

# meshwise_gtest(<target> <label> <source>...)
function(meshwise_gtest target label)
  if(NOT ARGN)
    return()
  endif()
  add_executable(${target} ${ARGN})
  meshwise_test_settings(${target})
  target_link_libraries(${target} PRIVATE GTest::gmock_main)
  if(NOT EMSCRIPTEN)
    gtest_discover_tests(
      ${target}
      DISCOVERY_MODE PRE_TEST
      PROPERTIES LABELS ${label} TIMEOUT 300)
    return()
  endif()
  # One process for all: starting the module costs more than most tests. It
  # compiles at once, since Node's fetch does not read files.
  set_target_properties(${target} PROPERTIES SUFFIX .cjs)
  target_link_options(
    ${target}
    PRIVATE
    -O1
    -sENVIRONMENT=node
    -sWASM_ASYNC_COMPILATION=0
    -sEXIT_RUNTIME=1
    -sALLOW_MEMORY_GROWTH=1
    -sNODERAWFS=1)
  add_test(NAME ${target} COMMAND ${CMAKE_CROSSCOMPILING_EMULATOR}
                                  $<TARGET_FILE:${target}>)
  set_tests_properties(${target} PROPERTIES LABELS ${label} TIMEOUT 600)
endfunction()

# Two tests a file, so that a file that fails for another reason is seen.
function(meshwise_compile_fail name)
  set(command
      ${CMAKE_CXX_COMPILER} -std=c++20 -fsyntax-only -Wall -Wextra -Wconversion
      -Werror -I${PROJECT_SOURCE_DIR}/core/include
      ${CMAKE_CURRENT_SOURCE_DIR}/compile_fail/${name})
  get_filename_component(stem ${name} NAME_WE)
  add_test(NAME compile_fail.${stem}.must_fail COMMAND ${command})
  add_test(NAME compile_fail.${stem}.compiles COMMAND ${command}
                                                      -DMESHWISE_EXPECT_OK)
  set_tests_properties(compile_fail.${stem}.must_fail PROPERTIES WILL_FAIL TRUE)
  set_tests_properties(
    compile_fail.${stem}.must_fail compile_fail.${stem}.compiles
    PROPERTIES LABELS compile_fail)
endfunction()

# The fuzz target over its corpus, once, without libFuzzer.
function(meshwise_fuzz_replay name)
  get_filename_component(stem ${name} NAME_WE)
  add_executable(${stem}_replay fuzz/${name} fuzz/replay.cpp)
  meshwise_test_settings(${stem}_replay)
  add_test(NAME fuzz.${stem}.replay
           COMMAND ${stem}_replay
                   ${CMAKE_CURRENT_SOURCE_DIR}/fuzz/corpus/${stem})
  set_tests_properties(fuzz.${stem}.replay PROPERTIES LABELS fuzz)
endfunction()

function(meshwise_fuzz_target name)
  get_filename_component(stem ${name} NAME_WE)
  add_executable(${stem} fuzz/${name})
  meshwise_test_settings(${stem})
  target_link_options(${stem} PRIVATE -fsanitize=fuzzer)
endfunction()
