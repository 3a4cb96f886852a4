import type { MartiTraining } from '../../../../preload/contract';
import { homePath, homeWord } from '../home-words';
import { martiArguments, martiEnvironment, martiModule } from './marti-arguments';
import type { MartiPlaces } from './marti-places';

/** Behind the words of the generated command: the next flag on a line of its own, so that people can read it. */
const NEXT_LINE = ' \\\n  ';

/** Ray's workers begin elsewhere, so it is absolute; what the user's own lines have put there stays. */
// biome-ignore lint/suspicious/noTemplateCurlyInString: it is the shell's
export const OWN_PATH = 'PYTHONPATH="$PWD${PYTHONPATH:+:$PYTHONPATH}"';

/** The line for /bin/sh that trains: by itself on one node, or as a job of a Ray cluster that runs. */
export function martiCommand(spec: MartiTraining, places: MartiPlaces): string {
  const code = homeWord(places.code);
  const lines = [`cd ${code} || exit`];
  const environment = Object.entries(martiEnvironment(spec)).map(
    ([name, value]) => `${name}=${homeWord(value)}`,
  );
  const training = [
    `exec env ${[...environment, OWN_PATH].join(' ')} ${homeWord(homePath(spec.python))} -m ${martiModule(spec.preset)}`,
    ...flagLines(martiArguments(spec, places)),
    ...(spec.extraArguments.trim() === '' ? [] : [spec.extraArguments.trim()]),
  ].join(NEXT_LINE);
  if (spec.rayAddress === null) return [...lines, keptLog(places), training].join('\n');
  return [...lines, keptLog(places), ...submission(spec, spec.rayAddress, places, training)].join('\n');
}

/** A flag and its values are a line. */
function flagLines(words: readonly string[]): string[] {
  const lines: string[] = [];
  for (const word of words) {
    if (/^--[a-z]/.test(word)) lines.push(word);
    else lines[lines.length - 1] += ` ${homeWord(word)}`;
  }
  return lines;
}

/** The log of the job, beside the checkpoints too: a second name of the same file, or a link on another disk. */
function keptLog(places: MartiPlaces): string {
  const name = homeWord(`${places.logs}/${places.runName}.log`);
  return `log=$(readlink "/proc/$$/fd/1" 2>/dev/null) && { ln -f "$log" ${name} || ln -sf "$log" ${name}; } 2>/dev/null`;
}

/**
 * `ray job submit` joins the words of its command so that a shell of the cluster reads JSON with other quotes, or none:
 * the command goes along as a file. Its end on a signal leaves the training running on the cluster, so it is stopped.
 */
function submission(spec: MartiTraining, address: string, places: MartiPlaces, training: string): string[] {
  const ray = `${homeWord(homePath(spec.python))} -m ray.scripts.scripts job`;
  const at = `--address ${homeWord(address)}`;
  return [
    "cat > mars2_train.sh <<'MARS2_TRAIN'",
    training,
    'MARS2_TRAIN',
    // A name that was used once on a cluster is refused for ever.
    `job=${homeWord(`mars2-${places.runName}`)}-$(date +%s)`,
    `trap 'trap - TERM; ${ray} stop ${at} "$job"; exit 143' TERM`,
    `${ray} submit ${at} --submission-id "$job" --working-dir . -- sh mars2_train.sh &`,
    'wait $!',
  ];
}
