import { IDLE_BELOW_PERCENT, IDLE_WINDOW_S } from '../../../preload/contract';
import { shellWord } from '../../base';
import { jobFiles } from './job-files';
import { END_PAUSE } from './pause';

/** Seconds between two samples: in the first hour of a start, and later. */
const FIRST_EVERY_S = 10;
const LATER_EVERY_S = 30;
const FIRST_S = 3_600;
/** nvidia-smi takes seconds where it has to wake the driver; one that hangs longer costs its sample. */
const QUERY_S = 8;
/** No samples beyond this: about a month with eight GPUs, at some 45 bytes per sample. */
export const MAX_GPU_FILE_BYTES = 32 * 1_048_576;
/** The newest samples, which certainly hold that time for 16 GPUs. */
const WINDOW_BYTES = 65_536;

const FIELDS = [
  'index',
  'uuid',
  'utilization.gpu',
  'memory.used',
  'memory.total',
  'power.draw',
  'temperature.gpu',
];

/** Keeps the lines of nvidia-smi for the job's GPUs: "TIME,GPU,USE,USED,TOTAL,POWER,HEAT", empty where unknown. */
const SELECT_ROWS = `
BEGIN { gsub(/ /, "", ids); count = split(ids, wanted, ",") }
NF == ${FIELDS.length} && $1 ~ /^[0-9]+$/ {
  for (i = 1; i <= count; i++) if (wanted[i] == $1 || (wanted[i] ~ /^GPU-/ && index($2, wanted[i]) == 1)) {
    line = now "," $1
    for (j = 3; j <= NF; j++) line = line "," ($j ~ /^[0-9]+([.][0-9]+)?$/ ? $j : "")
    print line
    break
  }
}`;

/** "NOW GPU:USE:SECONDS ...": mean use of each GPU, over how many seconds (`idleGpus`). */
const AVERAGE = `
$1 >= from && $1 <= now && $3 != "" {
  if (!($2 in count)) first[$2] = $1
  sum[$2] += $3; count[$2]++
}
END {
  printf "%d", now
  for (gpu in count) printf " %d:%.1f:%d", gpu, sum[gpu] / count[gpu], now - first[gpu]
  print ""
}`;

/**
 * The shell function `sample_gpus`: appends samples of the GPUs that `CUDA_VISIBLE_DEVICES` names (numbers or UUIDs, not
 * slices) to the job's file until the wrapper is gone or it gets TERM. It writes nowhere else, and leaves a file alone that
 * is not a plain one. Uses `folder` and `own` (the attempt's folder), `size_of` and `pause_for`.
 */
export const GPU_SAMPLER = `
sample_gpus() {
  trap '' HUP INT
  trap '${END_PAUSE}; rm -f "$own/gpu.tmp" "$own/${jobFiles.gpuUse}"; exit 0' TERM
  PATH=$PATH:/usr/local/nvidia/bin:/usr/lib/wsl/lib
  LC_ALL=C; export LC_ALL
  command -v nvidia-smi >/dev/null && command -v timeout >/dev/null || return 0
  # In a process group of its own it would outlive a kill of the job's.
  group=--foreground
  timeout $group 1 true || group=
  file=$folder/${jobFiles.gpu}
  begun=$(date +%s)
  while kill -0 "$$"; do
    now=$(date +%s)
    timeout $group -k 1 ${QUERY_S} nvidia-smi --query-gpu=${FIELDS.join(',')} --format=csv,noheader,nounits >"$own/gpu.tmp" &
    wait "$!"
    [ ! -L "$file" ] && { [ -f "$file" ] || [ ! -e "$file" ]; } || break
    [ "$(size_of "$file")" -lt ${MAX_GPU_FILE_BYTES} ] || break
    awk -F ', *' -v now="$now" -v ids="$CUDA_VISIBLE_DEVICES" ${shellWord(SELECT_ROWS)} "$own/gpu.tmp" >>"$file"
    from=$((now - ${IDLE_WINDOW_S}))
    [ "$from" -ge "$begun" ] || from=$begun
    tail -c ${WINDOW_BYTES} "$file" | awk -F , -v now="$now" -v from="$from" ${shellWord(AVERAGE)} >"$own/gpu.tmp" &&
      mv "$own/gpu.tmp" "$own/${jobFiles.gpuUse}"
    pause=${LATER_EVERY_S}
    [ "$((now - begun))" -ge ${FIRST_S} ] || pause=${FIRST_EVERY_S}
    pause_for "\${MARS2_GPU_PAUSE:-$pause}"
  done
  rm -f "$own/gpu.tmp" "$own/${jobFiles.gpuUse}"
}
`;

/** A sample may be missing at either end of the window. */
const MIN_SECONDS = 0.85 * IDLE_WINDOW_S;
/** Older averages say nothing: the samples have ended. In seconds; clocks of a node and its login node differ a little. */
const STALE_S = 300;
const MAX_GPUS = 64;

/**
 * The numbers of the GPUs that were idle for the whole window, ascending, by a line that `sample_gpus` wrote: the job may
 * have written it as well. `nowS`: the machine's clock.
 */
export function idleGpus(line: string | undefined, nowS: number): readonly number[] {
  const [time = '', ...entries] = (line ?? '').slice(0, 2_000).split(' ');
  if (!/^\d{1,12}$/.test(time) || Math.abs(nowS - Number(time)) > STALE_S) return [];
  const idle = entries.slice(0, MAX_GPUS).flatMap((entry) => {
    const [, gpu, use, seconds] = /^(\d{1,3}):(\d{1,3}\.\d):(\d{1,6})$/.exec(entry) ?? [];
    if (gpu === undefined || Number(seconds) < MIN_SECONDS) return [];
    return Number(use) < IDLE_BELOW_PERCENT ? [Number(gpu)] : [];
  });
  return [...new Set(idle)].sort((a, b) => a - b);
}
