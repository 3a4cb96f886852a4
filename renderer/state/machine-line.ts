import type { MachineView } from '../../preload/contract/machine';
import { assertNever } from './assert-never';

/** Whether a machine can be reached and what it is, in a line under its name. */
export function machineLine({ spec, connection, facts, gpus }: MachineView): string {
  switch (connection.kind) {
    case 'off':
      return 'Not connected';
    case 'connecting':
      return 'Connecting';
    case 'needs-login':
      return 'Waits for your login (Machines)';
    case 'unreachable':
      return `Unreachable: ${connection.message}`;
    case 'connected': {
      if (spec.kind === 'slurm') return 'Connected, jobs go to Slurm';
      const count = gpus?.gpus.length ?? 0;
      return [
        facts?.system ?? 'Connected',
        ...(count === 0 ? ['no GPUs'] : [`${count} ${count === 1 ? 'GPU' : 'GPUs'}`]),
      ].join(', ');
    }
    default:
      return assertNever(connection);
  }
}
