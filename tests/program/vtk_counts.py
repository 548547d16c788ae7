# SPDX-FileCopyrightText: 2026 The Lithe authors
# SPDX-License-Identifier: MIT
#
# vtk_counts.py LIST.pvd: opens every VTU file of the list with VTK and says what that found in it, a line a file:
# name, time, points, cells, their VTK type (-1 when it is not one for all), sum of the coordinates, sum of the velocities.
# Ends with 77 when there is no VTK.

import os
import sys
import xml.etree.ElementTree

try:
    from vtkmodules.vtkCommonCore import vtkObject
    from vtkmodules.vtkIOXML import vtkXMLUnstructuredGridReader
except ImportError:
    sys.exit(77)


def sum_of(array):
    return sum(array.GetComponent(i, k) for i in range(array.GetNumberOfTuples()) for k in range(3))


def counts_of(path):
    failures = []
    reader = vtkXMLUnstructuredGridReader()
    reader.AddObserver("ErrorEvent", lambda *_: failures.append(1))
    reader.SetFileName(path)
    reader.Update()
    grid = reader.GetOutput()
    if failures:
        sys.exit("VTK cannot read " + path)
    kinds = {grid.GetCellType(i) for i in range(grid.GetNumberOfCells())}
    return "%d %d %d %.9g %.9g" % (grid.GetNumberOfPoints(), grid.GetNumberOfCells(),
                                   kinds.pop() if len(kinds) == 1 else -1, sum_of(grid.GetPoints().GetData()),
                                   sum_of(grid.GetPointData().GetArray("velocity")))


vtkObject.GlobalWarningDisplayOff()
for entry in xml.etree.ElementTree.parse(sys.argv[1]).iter("DataSet"):
    name = entry.get("file")
    print(name, entry.get("timestep"), counts_of(os.path.join(os.path.dirname(sys.argv[1]), name)))
