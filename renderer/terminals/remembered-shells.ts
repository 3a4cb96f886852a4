import type { MachineView } from '../../preload/contract/machine';
import type { TerminalView } from '../../preload/contract/terminal';

/** Ids of machines, as they are kept. They hold no space. */
export function parseIds(text: string): readonly string[] {
  return text.split(' ').filter((id) => id !== '');
}

/**
 * Machines on which shells go on that nobody sees now, because the machine is not connected: those that were seen to
 * have some, until a look at the machine shows otherwise.
 */
export function machinesWithShells(
  before: readonly string[],
  machines: readonly MachineView[],
  shells: readonly TerminalView[],
): readonly string[] {
  const seen = new Set(shells.flatMap(({ machineId, durable }) => (durable ? [machineId] : [])));
  return machines
    .filter(
      ({ spec, connection }) =>
        seen.has(spec.id) || (connection.kind !== 'connected' && before.includes(spec.id)),
    )
    .map(({ spec }) => spec.id);
}
