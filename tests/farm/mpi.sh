# What all tests with ranks of MPI begin with: . "${srcdir:-.}/tests/farm/mpi.sh"
# Gives mpirun, what starts programs.
mpirun=${MPIRUN:-mpirun}

# Open MPI: as root, more ranks than processors, and what its versions call that; MPICH does not mind any of these
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
export PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe OMPI_MCA_btl_vader_single_copy_mechanism=none
export OMPI_MCA_mpi_show_help_errors=0
ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0" # what MPI keeps is not ours
export ASAN_OPTIONS
