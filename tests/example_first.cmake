# SPDX-FileCopyrightText: 2026 The Lithe authors
# SPDX-License-Identifier: MIT

# cmake -DPROGRAM=... -DFOLDER=... -P example_first.cmake: a torus of 48 vertices as first.obj, and examples/first.c run on it.

# Sines of the twelfth parts of a turn, and of the quarters, in thousandths.
set(ring_sines 0 500 866 1000 866 500 0 -500 -866 -1000 -866 -500)
set(tube_sines 0 1 0 -1)
set(text "# a torus of radii 1 and 0.4, its axis upright\n")
set(faces "")
foreach(i RANGE 11)
  math(EXPR quarter "(${i} + 3) % 12")
  list(GET ring_sines ${i} sine)
  list(GET ring_sines ${quarter} cosine)
  foreach(k RANGE 3)
    math(EXPR next "(${k} + 1) % 4")
    list(GET tube_sines ${k} up)
    list(GET tube_sines ${next} out)
    math(EXPR x "(1000 + 400 * ${out}) * ${cosine}")
    math(EXPR z "(1000 + 400 * ${out}) * ${sine}")
    math(EXPR y "400 * ${up} * 1000")
    string(APPEND text "v ${x}e-6 ${y}e-6 ${z}e-6\n")
    math(EXPR a "1 + 4 * ${i} + ${k}")
    math(EXPR b "1 + 4 * ${i} + ${next}")
    math(EXPR c "1 + 4 * ((${i} + 1) % 12) + ${next}")
    math(EXPR d "1 + 4 * ((${i} + 1) % 12) + ${k}")
    string(APPEND faces "f ${a} ${b} ${c} ${d}\n")
  endforeach()
endforeach()
file(WRITE ${FOLDER}/first.obj "${text}${faces}")
execute_process(COMMAND ${PROGRAM} ${FOLDER}/first.obj RESULT_VARIABLE code)
if(NOT code EQUAL 0)
  message(FATAL_ERROR "first: exit code ${code}")
endif()
