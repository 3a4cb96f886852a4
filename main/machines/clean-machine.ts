import { ok } from '../base';
import {
  cleanInput,
  cleanScript,
  type MachineRoom,
  measureScript,
  parseRoom,
  type Removed,
} from './logic/clean-scripts';
import type { AsyncResult, Machine } from './machine';

/** Sizes of many folders on a slow disk take their time. */
const TIMEOUT_MS = 300_000;

/** The disk space of our programs and these jobs' folders on a machine. */
export async function measureRoom(machine: Machine, jobIds: readonly string[]): AsyncResult<MachineRoom> {
  const home = await machine.home();
  if (!home.ok) return home;
  const stdin = jobIds.map((id) => `${id}\n`).join('');
  const answer = await machine.run(measureScript(home.value), { stdin, timeoutMs: TIMEOUT_MS });
  return answer.ok ? ok(parseRoom(answer.value.stdout)) : answer;
}

/** Removes them below the workbench's folder there; gives those that are gone. */
export async function removeRoom(
  machine: Machine,
  removed: readonly Removed[],
): AsyncResult<ReadonlySet<string>> {
  if (removed.length === 0) return ok(new Set());
  const home = await machine.home();
  if (!home.ok) return home;
  const options = { stdin: cleanInput(removed), timeoutMs: TIMEOUT_MS };
  const answer = await machine.run(cleanScript(home.value), options);
  return answer.ok ? ok(new Set(answer.value.stdout.split('\n'))) : answer;
}
