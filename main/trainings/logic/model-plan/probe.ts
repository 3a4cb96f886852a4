import { shellWord } from '../../../base';
import { readModelShape, type ShapeReading } from './model-shape';

const MARK = '@mars2-plan@';
/** Of a config.json; those of known models have some kilobytes. */
const MAX_CONFIG_BYTES = 65_536;

type ProbedModels = { readonly agents: readonly { readonly model: string }[] };

/** What a plan asks a machine about, without changing anything. */
export type PlanProbe = {
  readonly cores: number | null;
  readonly memoryBytes: number | null;
  /** By agent, in order. */
  readonly shapes: readonly ShapeReading[];
};

/** A script for a POSIX shell; its output is for `readPlanProbe`. */
export function planScript({ agents }: ProbedModels): string {
  const models = agents.map(({ model }, at) => `model ${at} ${shellWord(model)}`);
  return `echo "${MARK}cores $(getconf _NPROCESSORS_ONLN 2>/dev/null)"
echo "${MARK}kib $(sed -n 's/^MemTotal: *\\([0-9]*\\) kB$/\\1/p' /proc/meminfo 2>/dev/null)"
model() {
  if [ -f "$2/config.json" ]; then kind=folder; elif [ -f "$2" ]; then kind=file
  elif [ -e "$2" ]; then kind=other; else kind=none; fi
  echo "${MARK}model $1 $kind"
  [ "$kind" != folder ] || head -c ${MAX_CONFIG_BYTES} "$2/config.json"
  echo
}
${models.join('\n')}
`;
}

const WITHOUT_CONFIG: Readonly<Record<string, string>> = {
  file: 'is a file (GGUF), and a plan reads only the config.json of a folder',
  other: 'is a folder without a config.json',
  none: 'is not there',
};

/** Parses the output of `planScript`. */
export function readPlanProbe(stdout: string, { agents }: ProbedModels): PlanProbe {
  const parts = stdout.split(MARK);
  const numberOf = (name: string): number | null => {
    const value = parts.flatMap((part) => new RegExp(`^${name} (\\d+)\\s`).exec(part)?.[1] ?? [])[0];
    return value === undefined || Number(value) === 0 ? null : Number(value);
  };
  const kib = numberOf('kib');
  const shapes = agents.map((_, at): ShapeReading => {
    const part = parts.find((text) => text.startsWith(`model ${at} `)) ?? '';
    const [, kind = '', config = ''] = /^model \d+ (\w+)\n([\s\S]*)$/.exec(part) ?? [];
    if (kind === 'folder') return readModelShape(config);
    return { kind: 'unknown', why: WITHOUT_CONFIG[kind] ?? 'could not be asked about' };
  });
  return { cores: numberOf('cores'), memoryBytes: kib === null ? null : kib * 1_024, shapes };
}
