import { logSizeText, type MachineRoomView } from '../../preload/contract/index';
import type { CliOptions } from './cli-options';
import type { CommandSpec } from './grammar';
import { JSON_OPTION, option } from './grammar';
import { ask, EXIT, type Host, printJson, printRefusal, printStatus } from './host';
import { columns } from './report';

export const cleanCommand: CommandSpec = {
  usage: 'clean <machine>',
  about: 'show which files of the workbench can be removed there; with --yes remove them',
  details: `On another machine: older uploads of our programs that no job uses, and folders of
jobs that ended over 30 days ago, whose logs stay as copies here. On "local": copies
of logs of jobs that ended over 30 days ago. Nothing else is touched.`,
  options: [option('--yes', 'remove what is shown; without it nothing is changed'), JSON_OPTION],
  run: clean,
};

async function clean(workbench: Host, options: CliOptions): Promise<number> {
  const machineId = options.word(0, 'The machine');
  const room = await ask(workbench, 'machine.room', { machineId });
  if (!room.ok) return printRefusal(room.error);
  const { items } = room.value;
  const isWanted = options.flag('yes');
  if (options.flag('json') && !isWanted) return printJson(room.value);
  if (!options.flag('json')) process.stdout.write(roomText(room.value));
  if (!isWanted || (items.length === 0 && !options.flag('json'))) {
    if (items.length > 0)
      printStatus(`Nothing was changed. To remove it: mars2 machines clean ${machineId} --yes`);
    return EXIT.done;
  }
  const cleaned = await ask(workbench, 'machine.clean', { machineId, ids: items.map(({ id }) => id) });
  if (!cleaned.ok) return printRefusal(cleaned.error);
  const { removed, bytes, problems } = cleaned.value;
  if (options.flag('json')) printJson(cleaned.value);
  else printStatus(`Removed: ${removed}, ${logSizeText(bytes)}.`);
  for (const problem of problems) printStatus(problem);
  return problems.length === 0 ? EXIT.done : EXIT.failed;
}

/** A row per item, the sum, and what stays. */
function roomText({ items, kept }: MachineRoomView): string {
  const total = items.reduce((sum, { bytes }) => sum + bytes, 0);
  const rows = items.map(({ label, path, bytes, at }) => [path, logSizeText(bytes), at.slice(0, 10), label]);
  const lines =
    items.length === 0
      ? ['Nothing can be removed.']
      : [...columns(['path', 'size', 'date', 'what'], rows), `In all: ${logSizeText(total)}`];
  return `${[...lines, ...kept].join('\n')}\n`;
}
