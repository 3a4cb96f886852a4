import { shellWord } from '../../base';
import { GPU_SAMPLER } from './gpu-sampler';
import { jobFiles } from './job-files';
import { LOG_LIMIT } from './log-limit';
import { PAUSE } from './pause';
import { BOOT_ID_FILE } from './process-table';

/** Environment variable of every process of a job: identifies those that left its process group and session. */
export const JOB_MARK = 'MARS2_JOB';

/** In the attempt's folder while what made the start is being recorded. */
const RECORDER = 'recorder';
/** How often the end of a job checks whether that is done: 3 s in all. */
const RECORD_WAITS = 60;

/**
 * Starts `record.sh` in the background, in the environment of the command: `sh -c RECORD mars2-record CWD FOLDER OWN`.
 * Without the job's mark, since what it starts ends by itself and is nothing that a stop should report.
 */
const RECORD = `
[ -s "$2/${jobFiles.record}" ] || exit 0
umask 077
unset ${JOB_MARK}
mark=$3/${RECORDER}
: >"$mark" || exit 0
(
  trap 'rm -f -- "$mark"' EXIT
  trap 'exit 143' HUP INT TERM
  nice -n 10 /bin/sh "$2/${jobFiles.record}" "$1" >"$3/${jobFiles.provenance}"
) </dev/null >/dev/null 2>&1 &
`;

/**
 * The shell program that wraps every attempt of a job: `sh -c JOB_WRAPPER mars2-job FOLDER ATTEMPT CWD LOG-LIMIT FRESH-FILES...`
 * LOG-LIMIT: bytes that each of its logs may take on the disk; 0: any number.
 * It creates the attempt's folder or exits: of any number of wrappers only one runs, however often a start was repeated
 * because its result was lost. It appends the output to the files itself, so that no pipe of ours can block or break;
 * writes its process id; and writes the exit code, so that an end is known even if the app was closed.
 * It ignores HUP, INT and TERM itself but restores the default for the command (a caught signal is reset in a child), so
 * that there is an exit code after a stop. Space for the exit file is reserved at the start; if the disk is full anyway,
 * an empty file whose name contains the code may still work.
 * Where the job has GPUs, `sample_gpus` runs beside the command, and ends with it.
 * Uses only POSIX shell features. The set-up runs in bash where available, since `module` and `conda` expect a common
 * shell; its changes to the environment apply to the command, which is run by exec.
 */
export const JOB_WRAPPER = `
folder=$1 attempt=$2 cwd=$3 limit=$4
shift 4
own=$folder/attempt-$attempt
mask=$(umask)
umask 077
exec </dev/null >/dev/null 2>&1
cd "$folder" || exit 125
mkdir "$own" || exit 0
trap : HUP INT TERM
${PAUSE}
${LOG_LIMIT}
${GPU_SAMPLER}
record=${shellWord(RECORD)}
# What made this start is recorded beside the command; one that ends at once waits for it a little.
await_record() {
  left=${RECORD_WAITS}
  while [ -e "$own/${RECORDER}" ] && [ "$left" -gt 0 ]; do
    sleep 0.05 2>/dev/null || { sleep 1; left=0; }
    left=$((left - 1))
  done
}
finish() {
  ended=$(date -u +%Y-%m-%dT%H:%M:%SZ)
  await_record
  full=false
  printf '%4096s' '' >"$own/probe" || full=true
  rm -f "$own/probe" "$own/left-out.tmp"
  printf '{"code":%d,"endedAt":"%s","stage":"%s","full":%s}' "$1" "$ended" "$2" "$full" \\
    1<>"$own/exit.tmp" && mv "$own/exit.tmp" "$own/exit.json" || : >"$own/exit-$1"
  exit "$1"
}
printf '%254s\\n' '' >"$own/exit.tmp"
{
  echo "$$"
  cat ${BOOT_ID_FILE} 2>/dev/null || echo unknown
  cat "/proc/$$/stat" 2>/dev/null || LC_ALL=C TZ=UTC ps -o lstart= -p "$$"
  uname -n
} >"$own/process.tmp" && mv "$own/process.tmp" "$own/process.txt" || finish 125 command
[ "$#" -eq 0 ] || rm -f -- "$@"
: >>output.log || finish 125 command
. ./environment.sh
# Python keeps back what it prints to a file: hours of a quiet job's log would come at its end.
: "\${PYTHONUNBUFFERED=1}"
export PYTHONUNBUFFERED
stage=command
if [ -s set-up.sh ]; then
  stage=set-up
  shell=$(command -v bash || echo /bin/sh)
  : >>set-up.log || finish 125 set-up
fi
watcher=
if [ "$limit" -gt 0 ]; then
  # A child begins with our caught signals and would lose a TERM that comes before it has its own trap.
  trap - TERM
  watch_logs output.log set-up.log &
  watcher=$!
  trap : TERM
fi
sampler=
if [ -n "\${CUDA_VISIBLE_DEVICES:-}" ]; then
  trap - TERM
  # Like the recorder: nothing that a stop should report.
  { unset ${JOB_MARK}; sample_gpus; } &
  sampler=$!
  trap : TERM
fi
umask "$mask"
case $cwd in '~' | '~/'*) cwd=$HOME\${cwd#'~'} ;; esac
if [ "$stage" = command ]; then
  /bin/sh -c "$record" mars2-record "$cwd" "$folder" "$own"
  (cd "$cwd" && exec /bin/sh "$folder/command.sh") >>output.log 2>&1
else
  "$shell" -c '
    cd "$1" || exit 125
    if ! command -v module >/dev/null 2>&1; then
      for init in /etc/profile.d/modules.sh /etc/profile.d/lmod.sh /etc/profile.d/z00_lmod.sh; do
        [ -r "$init" ] && . "$init" && break
      done >/dev/null 2>&1
    fi
    . "$2/set-up.sh" || exit "$?"
    : >"$3/set-up-passed" || exit 125
    /bin/sh -c "$4" mars2-record "$1" "$2" "$3"
    exec /bin/sh "$2/command.sh" >>"$2/output.log" 2>&1
  ' mars2-set-up "$cwd" "$folder" "$own" "$record" >>set-up.log 2>&1
fi
code=$?
[ -z "$sampler" ] || kill "$sampler"
[ -e "$own/set-up-passed" ] && stage=command
if [ -n "$watcher" ]; then
  kill "$watcher"
  wait "$watcher"
  finish_limits output.log set-up.log
  limit_logs output.log set-up.log
fi
finish "$code" "$stage"
`;
