/**
 * Finds Slurm's programs from a non-login shell: in the usual folders, then with the user's login shell (`module load
 * slurm` in a profile). Sets PATH; exits with 9 if Slurm is not found.
 */
const FIND_SLURM = `
if ! command -v squeue >/dev/null 2>&1; then
  for folder in /opt/slurm/bin /usr/local/slurm/bin /usr/local/bin /cm/shared/apps/slurm/current/bin; do
    if [ -x "$folder/squeue" ]; then PATH=$PATH:$folder; break; fi
  done
fi
if ! command -v squeue >/dev/null 2>&1; then
  found=$("\${SHELL:-/bin/sh}" -lc 'command -v squeue' </dev/null 2>/dev/null | tail -n 1)
  case $found in /*/squeue) PATH=$PATH:\${found%/squeue} ;; esac
fi
command -v squeue >/dev/null 2>&1 || { echo 'squeue is not on the PATH' >&2; exit 9; }
`;

/**
 * Begins every script that calls Slurm. Removes user settings that would filter or reformat output, and variables of a
 * Slurm job that contains the app, which sbatch would pass on. A user's sbatch settings (SBATCH_PARTITION) stay, except
 * those that would turn one job into many or delay the answer.
 */
export const SLURM_ENVIRONMENT = `${FIND_SLURM}
for name in $(env | sed -n 's/^\\(S[A-Z]*_[A-Za-z0-9_]*\\)=.*/\\1/p'); do
  case $name in
    SLURM_CONF | SLURM_CONF_SERVER | SLURM_CLUSTERS | SLURM_JWT) ;;
    SLURM_* | SQUEUE_* | SACCT_* | SCANCEL_* | SCONTROL_* | SINFO_* | SRUN_*) unset "$name" ;;
    SBATCH_ARRAY_INX | SBATCH_WAIT | SBATCH_CLUSTERS | SBATCH_TEST_ONLY) unset "$name" ;;
  esac
done
`;

/** For queries, never for sbatch, which passes its environment on: times in UTC and in one format. */
export const PLAIN_TIMES = 'export TZ=UTC LC_ALL=C SLURM_TIME_FORMAT=standard';

/** Exit code of a script that did not find Slurm. */
export const NO_SLURM = 9;
