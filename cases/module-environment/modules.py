# What "module load" leaves behind on a cluster: one folder in PATH for each version of each program.
import os, stat
folders = []
for program in ["gromacs", "openmpi", "hdf5", "netcdf", "fftw", "petsc", "lammps", "cp2k", "siesta", "quantum", "blast", "samtools"]:
    for version in range(75):
        folders.append(f"sw/{program}/{version // 10}.{version % 10}/bin")
for folder in folders:
    os.makedirs(folder)
tool = folders[-1] + "/cellvolume"
os.symlink(os.path.join(os.environ["CASE_BIN"], "cellvolume"), tool)
open("path", "w").write(":".join(os.path.abspath(f) for f in folders))
