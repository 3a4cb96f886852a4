/**
 * Where Slurm's programs are when the shell that asks is no login shell: the usual folders, then whatever the user's
 * own login shell finds (`module load slurm` in a profile). Sets PATH; exits with 9 when there is no Slurm here.
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
 * Begins every script that asks Slurm. Settings of the user that would filter or reshape an answer go, and those of a
 * job that the app itself runs in: sbatch would pass them on. What a user sets for sbatch (SBATCH_PARTITION) stays,
 * but for what would make one job many or hold up the answer.
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

/** Before questions, never before sbatch, which hands its environment on: times come in UTC, in one form. */
export const PLAIN_TIMES = 'export TZ=UTC LC_ALL=C SLURM_TIME_FORMAT=standard';

/** The exit code of a script that found no Slurm. */
export const NO_SLURM = 9;
