import type { MachineService } from '../../preload/contract/index';
import { localTime } from '../../preload/contract/plans/index';
import { counted } from '../base/index';
import type { CliOptions } from './cli-options';
import { ask, EXIT, type Host, printJson, printRefusal, printStatus } from './host';
import { withTaskProgress } from './task-progress';

export async function startOnMachine(host: Host, machineId: string, options: CliOptions): Promise<number> {
  const registers = !options.flag('temporary');
  const started = await withTaskProgress(host, 'machine-service', () =>
    ask(host, 'service.startOn', { machineId, registers }),
  );
  if (!started.ok) return printRefusal(started.error);
  printStatus(serviceText(machineId, started.value));
  printStatus(`To use it from here: add --service ${machineId} to any command.`);
  return EXIT.done;
}

export async function stopOnMachine(host: Host, machineId: string): Promise<number> {
  const stopped = await ask(host, 'service.stopOn', { machineId });
  if (!stopped.ok) return printRefusal(stopped.error);
  printStatus(serviceText(machineId, stopped.value));
  return EXIT.done;
}

export async function statusOfMachine(host: Host, machineId: string, options: CliOptions): Promise<number> {
  const service = await ask(host, 'service.onMachine', { machineId });
  if (!service.ok) return printRefusal(service.error);
  const isRunning = service.value.kind === 'installed' && service.value.running !== null;
  if (options.flag('json')) printJson(service.value);
  else printStatus(serviceText(machineId, service.value));
  return isRunning ? EXIT.done : EXIT.missing;
}

/** What stands still while no workbench is open. */
export function unfinishedText(unfinished: readonly string[]): string {
  if (unfinished.length === 0) return 'Nothing is running or waiting.';
  return `${counted(unfinished.length, 'thing')} running or waiting: ${unfinished.join(', ')}`;
}

function serviceText(machineId: string, service: MachineService): string {
  if (service.kind === 'none') return `${machineId} has no background service of this workbench.`;
  const { running, version, dataFolder, startsWithComputer } = service;
  if (running === null) return `No background service runs on ${machineId} (version ${version} is there).`;
  const { unfinished } = running;
  return [
    `The background service runs on ${running.host}: process ${running.pid}, version ${running.version}, since ${localTime(running.startedAt)}.`,
    unfinishedText(unfinished),
    startsWithComputer === null
      ? 'It does not start with that machine.'
      : `It starts with that machine, by ${startsWithComputer}.`,
    `Data folder there: ${dataFolder}`,
  ].join('\n');
}
