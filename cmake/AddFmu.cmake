# add_fmu(<Model> HEADER <header> TYPE <function>)
#
# Builds, describes and packs dist/<Model>.fmu. The header declares the function that returns the ModelType.
# Also makes fmu_<Model>_static, the same FMI functions for tests in process.
function(add_fmu model)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "HEADER;TYPE" "")
  set(entry ${CMAKE_CURRENT_BINARY_DIR}/${model}_entry.cpp)
  file(CONFIGURE OUTPUT ${entry} CONTENT "#include \"fmu/instance.h\"
#include \"@arg_HEADER@\"
const spondyl::ModelType& spondyl::fmu::model_type() { return spondyl::@arg_TYPE@(); }
" @ONLY)

  add_library(fmu_${model}_static STATIC ${entry})
  target_link_libraries(fmu_${model}_static PUBLIC spondyl_fmu)

  add_library(fmu_${model} MODULE ${entry} glibc.c)
  target_link_libraries(fmu_${model} PRIVATE spondyl_fmu fmi_functions)
  set_target_properties(fmu_${model} PROPERTIES PREFIX "" OUTPUT_NAME ${model} LIBRARY_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/${model})
  # Nothing but FMI leaves the binary, and nothing but the C library and the compiler's support library is needed.
  # libgcc stays shared: its static form needs a newer C library.
  target_link_options(fmu_${model} PRIVATE -static-libstdc++ -shared-libgcc -Wl,--version-script=${CMAKE_CURRENT_SOURCE_DIR}/fmi3.map
                      -Wl,--gc-sections -Wl,--exclude-libs,ALL -Wl,--as-needed $<$<CONFIG:Release>:-s>)
  if(NOT SPONDYL_SANITIZE)
    target_link_options(fmu_${model} PRIVATE -Wl,--no-undefined)
  endif()
  set_property(TARGET fmu_${model} APPEND PROPERTY LINK_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/fmi3.map)

  add_executable(describe_${model})
  target_link_libraries(describe_${model} PRIVATE fmu_description fmu_${model}_static)

  set(described ${CMAKE_CURRENT_BINARY_DIR}/${model}/description)
  file(MAKE_DIRECTORY ${described})
  get_filename_component(sources ${PROJECT_SOURCE_DIR}/src/${arg_HEADER} DIRECTORY)
  file(GLOB resources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/resources/${model}/*)
  file(GLOB documents CONFIGURE_DEPENDS ${sources}/*.md ${sources}/*.png)
  add_custom_command(
    OUTPUT ${described}/modelDescription.xml ${described}/terminalsAndIcons.xml
    COMMAND describe_${model} ${described}/modelDescription.xml ${described}/terminalsAndIcons.xml
    DEPENDS describe_${model}
    COMMENT "Describing ${model}" VERBATIM)
  set(packed ${CMAKE_CURRENT_BINARY_DIR}/${model}.fmu)
  add_custom_command(
    OUTPUT ${packed}
    COMMAND ${SPONDYL_PYTHON} ${CMAKE_CURRENT_SOURCE_DIR}/pack.py --model ${model} --binary $<TARGET_FILE:fmu_${model}>
            --description ${described} --resources ${PROJECT_SOURCE_DIR}/resources/${model} --documents ${sources}
            --root ${PROJECT_SOURCE_DIR} ${packed}
    DEPENDS fmu_${model} ${described}/modelDescription.xml ${described}/terminalsAndIcons.xml pack.py icon.svg icon.png
            ${resources} ${documents}
    COMMENT "Packing ${model}.fmu" VERBATIM)
  add_custom_target(pack_${model} ALL DEPENDS ${packed})
  if(CMAKE_BUILD_TYPE STREQUAL Release AND NOT SPONDYL_SANITIZE)
    add_custom_command(TARGET pack_${model} POST_BUILD
      COMMAND ${CMAKE_COMMAND} -E make_directory ${PROJECT_SOURCE_DIR}/dist
      COMMAND ${CMAKE_COMMAND} -E copy_if_different ${packed} ${PROJECT_SOURCE_DIR}/dist/${model}.fmu)
  endif()

  # The description in modelDescription/ is what reviewers see: it must be that of the binary.
  if(BUILD_TESTING)
    add_test(NAME "description of ${model} is current"
             COMMAND ${CMAKE_COMMAND} -E compare_files ${PROJECT_SOURCE_DIR}/modelDescription/${model}.xml ${described}/modelDescription.xml)
  endif()
  add_custom_target(update_description_${model}
    COMMAND ${CMAKE_COMMAND} -E copy ${described}/modelDescription.xml ${PROJECT_SOURCE_DIR}/modelDescription/${model}.xml
    DEPENDS ${described}/modelDescription.xml)
  add_dependencies(update_descriptions update_description_${model})
  add_dependencies(fmus pack_${model})
endfunction()
