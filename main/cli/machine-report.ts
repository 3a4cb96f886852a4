import type { Connection, Gpu, MachineView, Reservation } from '../../preload/contract/index';
import {
  assignedText,
  gibText,
  localTime,
  loginAskedText,
  timeText,
  withAssignedGpus,
} from '../../preload/contract/plans/index';
import { assertNever, counted } from '../base/index';
import type { CliOptions } from './cli-options';
import { ask, EXIT, type Host, printJson } from './host';
import { columns } from './report';

/** Prints machines with their GPUs and which jobs of ours hold these, or as JSON. */
export async function printMachines(
  workbench: Host,
  machines: readonly MachineView[],
  options: CliOptions,
): Promise<number> {
  const jobs = await ask(workbench, 'job.list', {});
  const views = jobs.ok ? machines.map((machine) => withAssignedGpus(machine, jobs.value)) : machines;
  if (options.flag('json')) return printJson(views);
  // All columns are words, which may begin with a digit.
  const heads = ['machine', 'name', 'host', 'state'];
  const [head = '', rule = '', ...lines] = columns(heads, views.map(machineRow), heads);
  process.stdout.write(`${head}\n${rule}\n`);
  for (const [at, { connection, facts, gpus, reservations, reservationProblem }] of views.entries()) {
    process.stdout.write(`${lines[at]}\n`);
    if (connection.kind === 'unreachable')
      process.stdout.write(`  ${connection.message}${connection.hint ? ` ${connection.hint}` : ''}\n`);
    if (facts !== null) {
      const memory = facts.memoryMib === null ? '' : `, ${gibText(facts.memoryMib)} GiB`;
      const none = gpus === null || gpus.gpus.length === 0 ? ', no GPU was found' : '';
      process.stdout.write(
        `  ${facts.system}, ${facts.cores === null ? '? cores' : counted(facts.cores, 'core')}${memory}${none}\n`,
      );
    }
    if (gpus === null) continue;
    // Relative to the time of the reading: the end of a reservation later that day needs no date.
    const readAtMs = Date.parse(gpus.at);
    const rows = gpus.gpus.map((gpu) => {
      const reservation = reservations.find(({ gpuId }) => gpuId === gpu.id);
      return gpuRow(gpu, reservation === undefined ? [] : [reservedText(reservation, readAtMs)]);
    });
    if (rows.length > 0)
      for (const line of columns(['GPU', 'use', 'memory', '°C', 'W', 'who'], rows, ['who']))
        process.stdout.write(`  ${line}\n`);
    for (const problem of [
      ...gpus.problems,
      ...(reservationProblem === undefined ? [] : [reservationProblem]),
    ])
      process.stdout.write(`  ${problem}\n`);
  }
  return EXIT.done;
}

function machineRow({ spec, connection }: MachineView): string[] {
  const isLocal = spec.kind === 'local';
  return [
    spec.id,
    spec.name,
    isLocal ? '-' : `${spec.kind} ${spec.host ?? 'here'}`,
    isLocal ? '-' : connectionText(connection),
  ];
}

function reservedText({ user, until, note }: Reservation, nowMs: number): string {
  return `reserved by ${user} until ${timeText(until, nowMs)}${note === '' ? '' : ` (${note})`}`;
}

function gpuRow(gpu: Gpu, reserved: readonly string[]): string[] {
  const users = [...new Set(gpu.processes.map(({ user }) => user ?? 'unknown user'))];
  const assigned = assignedText(gpu);
  const holders = users.length === 0 && assigned !== '' ? [assigned] : users;
  const held = gpu.heldBack === undefined ? [] : [`held back (${gpu.heldBack})`];
  return [
    `${gpu.index ?? '-'} ${gpu.name}`,
    gpu.utilisation === null ? '-' : `${gpu.utilisation} %`,
    gpu.memoryUsedMib === null
      ? '-'
      : `${gibText(gpu.memoryUsedMib)} of ${gpu.memoryTotalMib === null ? '?' : gibText(gpu.memoryTotalMib)} GiB`,
    gpu.temperatureC === null ? '-' : String(gpu.temperatureC),
    gpu.powerW === null ? '-' : String(Math.round(gpu.powerW)),
    [...holders, ...held, ...reserved, ...gpu.problems].join(', ') || 'free',
  ];
}

function connectionText(connection: Connection): string {
  switch (connection.kind) {
    case 'off':
      return 'not connected';
    case 'connecting':
      return 'connecting';
    case 'needs-login':
      return loginAskedText(connection);
    case 'connected':
      return 'connected';
    case 'unreachable':
      return `${connection.refusal === undefined ? 'unreachable' : 'not let in'} since ${localTime(connection.since)}`;
    default:
      return assertNever(connection);
  }
}
