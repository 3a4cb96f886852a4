import type { MartiTraining } from '../../../../preload/contract';
import { homePath, shellWordWithHome } from '../home-path';
import { martiArguments, martiEnvironment, martiModule } from './marti-arguments';
import type { MartiPaths } from './marti-paths';

/** Separates flags in the generated command, one per line for readability. */
const NEXT_LINE = ' \\\n  ';

/** Absolute, since Ray's workers start in other folders; keeps the user's own entries. */
// biome-ignore lint/suspicious/noTemplateCurlyInString: it is the shell's
export const OWN_PATH = 'PYTHONPATH="$PWD${PYTHONPATH:+:$PYTHONPATH}"';

/** The command for /bin/sh: trains on one node, or as a job of a running Ray cluster. */
export function martiCommand(spec: MartiTraining, paths: MartiPaths): string {
  const code = shellWordWithHome(paths.code);
  const lines = [`cd ${code} || exit`];
  const environment = Object.entries(martiEnvironment(spec)).map(
    ([name, value]) => `${name}=${shellWordWithHome(value)}`,
  );
  const training = [
    `exec env ${[...environment, OWN_PATH].join(' ')} ${shellWordWithHome(homePath(spec.python))} -m ${martiModule(spec.preset)}`,
    ...flagLines(martiArguments(spec, paths)),
    ...(spec.extraArguments.trim() === '' ? [] : [spec.extraArguments.trim()]),
  ].join(NEXT_LINE);
  if (spec.rayAddress === null) return [...lines, linkLog(paths), training].join('\n');
  return [...lines, linkLog(paths), ...submission(spec, spec.rayAddress, paths, training)].join('\n');
}

/** One line per flag with its values. */
function flagLines(words: readonly string[]): string[] {
  const lines: string[] = [];
  for (const word of words) {
    if (/^--[a-z]/.test(word)) lines.push(word);
    else lines[lines.length - 1] += ` ${shellWordWithHome(word)}`;
  }
  return lines;
}

/** Links the job's log next to the checkpoints: a hard link, or a symbolic link across disks. */
function linkLog(paths: MartiPaths): string {
  const name = shellWordWithHome(`${paths.logs}/${paths.runName}.log`);
  return `log=$(readlink "/proc/$$/fd/1" 2>/dev/null) && { ln -f "$log" ${name} || ln -sf "$log" ${name}; } 2>/dev/null`;
}

/**
 * `ray job submit` joins the words of its command without proper quoting, which breaks JSON, so the command is sent as a
 * file. A signal ends it but not the training on the cluster, so the trap stops that too.
 */
function submission(spec: MartiTraining, address: string, paths: MartiPaths, training: string): string[] {
  const ray = `${shellWordWithHome(homePath(spec.python))} -m ray.scripts.scripts job`;
  const at = `--address ${shellWordWithHome(address)}`;
  return [
    "cat > mars2_train.sh <<'MARS2_TRAIN'",
    training,
    'MARS2_TRAIN',
    // A cluster never accepts the same submission id twice.
    `job=${shellWordWithHome(`mars2-${paths.runName}`)}-$(date +%s)`,
    `trap 'trap - TERM; ${ray} stop ${at} "$job"; exit 143' TERM`,
    `${ray} submit ${at} --submission-id "$job" --working-dir . -- sh mars2_train.sh &`,
    'wait $!',
  ];
}
