# Sets SPONDYL_PYTHON and FMI_HEADERS: the FMI headers come with the FMPy package.
set(SPONDYL_PYTHON ${PROJECT_SOURCE_DIR}/.venv/bin/python CACHE FILEPATH "Python with FMPy")
execute_process(COMMAND ${SPONDYL_PYTHON} -c "import fmpy, pathlib; print(pathlib.Path(fmpy.__file__).parent)"
                OUTPUT_VARIABLE fmpy OUTPUT_STRIP_TRAILING_WHITESPACE RESULT_VARIABLE failed)
if(failed)
  message(FATAL_ERROR "FMPy is not installed for ${SPONDYL_PYTHON}: run scripts/setup")
endif()
set(FMI_HEADERS ${fmpy}/c-code)
