/** Identifies the current boot of the machine. Tests replace the file to simulate a reboot. */
export const BOOT_ID_FILE = `"\${MARS2_BOOT_ID_FILE:-/proc/sys/kernel/random/boot_id}"`;

/**
 * Shell functions that read the process table: /proc where available (starts no process), `ps` elsewhere (macOS).
 *
 * `boot_id`                sets `boot`
 * `read_stat LINE`         sets `state`, `group` and `ticks` from a line of /proc/PID/stat; the name in parentheses may
 *                          contain spaces and parentheses, so fields are read after the last one
 * `is_alive PID START`     true if the process is running and started as in START (a line of `process.txt`)
 * `is_taken PID`           true if any running process has that id
 * `group_of LEADER`        sets `members` to the running processes of that group
 */
export const PROCESS_TABLE = `
LC_ALL=C TZ=UTC
export LC_ALL TZ
boot_id() {
  boot=unknown
  [ ! -r ${BOOT_ID_FILE} ] || read -r boot <${BOOT_ID_FILE}
}
read_stat() {
  set -f
  set -- \${1##*) }
  set +f
  state=$1 group=$3 ticks=\${20}
}
is_alive() {
  if [ -r /proc/self/stat ]; then
    stat=
    { IFS= read -r stat <"/proc/$1/stat"; } 2>/dev/null
    [ -n "$stat" ] || return 1
    read_stat "$2"
    wanted=$ticks
    read_stat "$stat"
    [ "$state" != Z ] && [ "$ticks" = "$wanted" ]
  else
    stat=$(ps -o stat=,lstart= -p "$1") || return 1
    set -- "$2" $stat
    start=$1 state=$2
    shift 2
    case $state in Z*) return 1 ;; esac
    set -- "$start" "$*"
    [ "$(echo $1)" = "$2" ]
  fi
}
is_taken() {
  if [ -r /proc/self/stat ]; then
    stat=
    { IFS= read -r stat <"/proc/$1/stat"; } 2>/dev/null
    [ -n "$stat" ] || return 1
    read_stat "$stat"
  else
    state=$(ps -o stat= -p "$1") || return 1
  fi
  case $state in Z*) return 1 ;; esac
}
group_of() {
  members=
  if [ -r /proc/self/stat ]; then
    for file in /proc/[0-9]*/stat; do
      stat=
      { IFS= read -r stat <"$file"; } 2>/dev/null
      [ -n "$stat" ] || continue
      read_stat "$stat"
      [ "$group" = "$1" ] && [ "$state" != Z ] || continue
      file=\${file#/proc/}
      members="$members \${file%/stat}"
    done
  else
    members=$(ps -A -o pid= -o pgid= -o stat= | while read -r pid group state; do
      # Bash before 4, the sh of macOS, would take a lone ) for the end of the substitution.
      case $state in (Z*) continue ;; esac
      [ "$group" != "$1" ] || printf ' %s' "$pid"
    done)
  fi
}
`;
