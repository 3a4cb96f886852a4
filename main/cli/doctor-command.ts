import type { DoctorCheck } from '../../preload/contract/index';
import type { CliOptions } from './cli-options';
import { type CommandSpec, JSON_OPTION } from './grammar';
import { ask, EXIT, type Host, printJson, printRefusal } from './host';
import { withTaskProgress } from './task-progress';

export const doctorCommand: CommandSpec = {
  usage: 'doctor [machine]',
  about: 'check what jobs, servers and grading need on a machine, and say what to install',
  details: 'Exit code 1 when a check is bad.',
  options: [JSON_OPTION],
  run: doctor,
};

async function doctor(workbench: Host, options: CliOptions): Promise<number> {
  const machineId = options.words[0] ?? 'local';
  const checked = await withTaskProgress(workbench, 'doctor', () =>
    ask(workbench, 'machine.doctor', { machineId }),
  );
  if (!checked.ok) return printRefusal(checked.error);
  if (options.flag('json')) printJson(checked.value);
  else process.stdout.write(doctorText(checked.value));
  return checked.value.some(({ state }) => state === 'bad') ? EXIT.failed : EXIT.done;
}

const MARKS: Readonly<Record<DoctorCheck['state'], string>> = {
  good: 'ok     ',
  warning: 'warning',
  bad: 'BAD    ',
  unknown: 'unknown',
};

function doctorText(checks: readonly DoctorCheck[]): string {
  const lines = checks.flatMap(({ state, title, found, todo }) => [
    `${MARKS[state]}  ${title}: ${found}`,
    ...(todo === null ? [] : todo.split('\n').map((line) => `           ${line}`)),
  ]);
  return `${lines.join('\n')}\n`;
}
