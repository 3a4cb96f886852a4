import { type ScriptPart, shellWord } from '../../../base';
import { isNvidiaQuery, NVIDIA_OLDER_NAMES, NVIDIA_QUERY } from './nvidia-fields';

/**
 * Columns of a process that computes on a GPU. Not its name, which its user chooses: one with a line feed in it would be read
 * as another process. `ps` gives the command.
 */
export const NVIDIA_PROCESS_COLUMNS = ['gpu_uuid', 'pid', 'used_memory'] as const;

/** One nvidia-smi takes 20 ms to some seconds (a card without persistence mode wakes up first). */
const QUERY_SECONDS = 8;

/**
 * Asks nvidia-smi. Names that this driver does not know are left out one by one, or asked by their older name;
 * where the whole query fails (one card that is lost is enough), every card that is still listed is asked alone.
 * `knownQuery` are the names to begin with: those that worked the last time save the attempts.
 */
export function nvidiaPart(knownQuery: string | null): ScriptPart {
  const query = knownQuery !== null && isNvidiaQuery(knownQuery) ? knownQuery : NVIDIA_QUERY;
  const older = NVIDIA_OLDER_NAMES.filter(([, name]) => name !== '').map(
    ([name, next]) => `      ${name}) next=${next} ;;`,
  );
  const body = `
  command -v nvidia-smi >/dev/null 2>&1 || return 127
  fields=${shellWord(query)}
  ask_cards() {
    tries=0
    while :; do
      limited "$@" --query-gpu="$fields" --format=csv,noheader,nounits >"$work/query" 2>&1; code=$?
      unknown=$(sed -n 's/.*Field "\\([A-Za-z0-9_.]*\\)" is not a valid field.*/\\1/p' "$work/query" | head -n 1)
      [ -n "$unknown" ] && [ "$tries" -lt 20 ] || return
      next=
      case "$unknown" in
${older.join('\n')}
      esac
      before=$fields
      fields=$(printf ',%s,' "$fields" | sed "s/,$unknown,/,$next,/; s/,,*/,/g; s/^,//; s/,\\$//")
      [ "$fields" != "$before" ] && [ -n "$fields" ] || return
      tries=$((tries + 1))
    done
  }
  ( limited ${QUERY_SECONDS} nvidia-smi --query-compute-apps=${NVIDIA_PROCESS_COLUMNS.join(',')} --format=csv,noheader,nounits >"$work/apps" 2>&1; echo "$?" >"$work/apps.code" ) &
  ask_cards ${QUERY_SECONDS} nvidia-smi
  section nvidia.query "$code" "$fields"
  cat "$work/query"
  if [ "$code" -eq 124 ] || [ "$code" -eq 137 ]; then
    : # A driver that hangs would hang the next question too.
  elif [ "$code" -ne 0 ] || grep -q ', Enabled' "$work/query"; then
    limited ${QUERY_SECONDS} nvidia-smi -L >"$work/list" 2>&1; listed=$?
    section nvidia.list "$listed"
    cat "$work/list"
    if [ "$code" -ne 0 ]; then
      sed -n 's/^GPU [0-9]*: .*(UUID: \\(GPU-[A-Za-z0-9-]*\\)).*/\\1/p' "$work/list" >"$work/cards"
      while read -r card; do
        ask_cards 4 nvidia-smi -i "$card"
        section nvidia.card "$code" "$card $fields"
        cat "$work/query"
      done <"$work/cards"
    fi
    if grep -q '^ *MIG ' "$work/list"; then
      section nvidia.xml 0
      limited ${QUERY_SECONDS} nvidia-smi -q -x 2>/dev/null
    fi
  fi
  wait
  read -r code <"$work/apps.code"
  section nvidia.processes "$code"
  cat "$work/apps"
  sed -n 's/^[^,]*, *\\([0-9][0-9]*\\),.*/\\1/p' "$work/apps" >"$work/nvidia.pids"`;
  return { name: 'nvidia', body };
}
