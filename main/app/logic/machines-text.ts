import type { Connection, MachineView } from '../../../preload/contract/index';
import { counted } from '../../base/index';

/** A line or more per machine: its kind, system, GPUs, connection and last problem. */
export function machinesText(views: readonly MachineView[]): string {
  let number = 0;
  return views
    .flatMap(({ spec, connection, facts, gpus }) => {
      if (spec.kind !== 'local') number += 1;
      const name = spec.kind === 'local' ? 'This computer' : `Machine ${number}, ${spec.kind}`;
      const names = new Map<string, number>();
      for (const gpu of gpus?.gpus ?? []) names.set(gpu.name, (names.get(gpu.name) ?? 0) + 1);
      const about = [
        facts === null
          ? null
          : `${facts.system}, ${facts.cores === null ? '? cores' : counted(facts.cores, 'core')}`,
        ...[...names].map(([gpu, count]) => `${count} x ${gpu}`),
        gpus?.driver === undefined || gpus.driver === null ? null : `driver ${gpus.driver}`,
      ].filter((part) => part !== null);
      const problems = [...(gpus?.problems ?? []), ...(gpus?.gpus ?? []).flatMap((gpu) => gpu.problems)];
      return [
        `${name}: ${connectionText(connection)}`,
        ...(about.length === 0 ? [] : [`  ${about.join('; ')}`]),
        ...problems.map((problem) => `  problem: ${problem}`),
      ];
    })
    .join('\n');
}

function connectionText(connection: Connection): string {
  switch (connection.kind) {
    case 'off':
      return 'not connected';
    case 'connecting':
      return `connecting since ${connection.since}`;
    case 'needs-login':
      return `waits for ${connection.hostKey === undefined ? 'a login' : 'a check of its host key'} since ${connection.since}`;
    case 'connected':
      return `connected since ${connection.since}`;
    case 'unreachable':
      return `unreachable since ${connection.since}: ${connection.message}`;
  }
}
