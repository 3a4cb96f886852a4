import { BOOT_ID_FILE } from './process-table';

/** In the environment of every process of a job: finds those that have left its group and session. */
export const JOB_MARK = 'MARS2_JOB';

/**
 * The shell program around every start of a job: `sh -c JOB_WRAPPER mars2-job FOLDER ATTEMPT CWD FRESH-FILES...`
 * It makes the attempt's folder or goes away: of any number of wrappers one runs, however often a start was repeated
 * because its answer was lost. It appends the output to the files itself, so no pipe of ours can slow the job or
 * break; names its process; and writes the exit code, so that an end is known even when nobody was there to see it.
 * It holds HUP, INT and TERM off itself but hands the default on to the command (a caught signal is reset in a
 * child), so after a stop there is still an exit code. The room for the exit file is taken at the start: on a disk
 * that is full by then, an empty file whose name tells the code is what may still work.
 * Only what every POSIX shell has. The set-up is read by bash where there is one, since `module` and `conda` expect
 * one of the common shells; both keep what they change for the command, which is run by exec.
 */
export const JOB_WRAPPER = `
folder=$1 attempt=$2 cwd=$3
shift 3
own=$folder/attempt-$attempt
mask=$(umask)
umask 077
exec </dev/null >/dev/null 2>&1
cd "$folder" || exit 125
mkdir "$own" || exit 0
trap : HUP INT TERM
finish() {
  full=false
  printf '%4096s' '' >"$own/probe" || full=true
  rm -f "$own/probe"
  printf '{"code":%d,"endedAt":"%s","stage":"%s","full":%s}' "$1" "$(date -u +%Y-%m-%dT%H:%M:%SZ)" "$2" "$full" \\
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
stage=command
if [ -s set-up.sh ]; then
  stage=set-up
  shell=$(command -v bash || echo /bin/sh)
  : >>set-up.log || finish 125 set-up
fi
umask "$mask"
case $cwd in '~' | '~/'*) cwd=$HOME\${cwd#'~'} ;; esac
if [ "$stage" = command ]; then
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
    exec /bin/sh "$2/command.sh" >>"$2/output.log" 2>&1
  ' mars2-set-up "$cwd" "$folder" "$own" >>set-up.log 2>&1
fi
code=$?
[ -e "$own/set-up-passed" ] && stage=command
finish "$code" "$stage"
`;
