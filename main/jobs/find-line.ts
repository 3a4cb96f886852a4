import type { Refusal } from '../../preload/contract';
import { failed, ok, type Result, shellWord } from '../base';
import type { Machine } from '../machines';

/** A file of ten gigabytes is read there in a few seconds from memory, in a minute or so from a slow disk. */
const TIMEOUT_MS = 300_000;

/**
 * The byte that a line of a file on a machine begins with; lines are counted there, from 1. `isThere` false: the file
 * has fewer lines, and `offset` is its end.
 */
export async function findLineOfFile(
  machine: Machine,
  path: string,
  line: number,
  signal: AbortSignal,
): Promise<Result<{ readonly offset: number; readonly isThere: boolean }, Refusal>> {
  const script = `
file=${shellWord(path)}
[ -r "$file" ] || { echo 0 0; exit 0; }
echo "$(head -n ${line - 1} -- "$file" | wc -c)" "$(wc -c <"$file")"
`;
  const told = await machine.run(script, { signal, timeoutMs: TIMEOUT_MS });
  if (!told.ok) return told;
  const counted = /^(\d+) +(\d+)\s*$/.exec(told.value.stdout);
  if (counted === null) {
    const message = `The lines of ${path} could not be counted: the machine answered “${told.value.stdout.slice(0, 200)}”.`;
    return failed({ code: 'unavailable', message });
  }
  const [offset, size] = [Number(counted[1]), Number(counted[2])];
  return ok({ offset, isThere: offset < size });
}
