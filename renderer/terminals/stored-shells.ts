import type { MachineView } from '../../preload/contract/machine';
import type { TerminalView } from '../../preload/contract/terminal';

/** Machine ids from the stored text. They contain no spaces. */
export function parseIds(text: string): readonly string[] {
  return text.split(' ').filter((id) => id !== '');
}

/**
 * Machines with running shells, including disconnected ones whose shells are not visible now: those that had shells
 * when last seen.
 */
export function machinesWithShells(
  before: readonly string[],
  machines: readonly MachineView[],
  shells: readonly TerminalView[],
): readonly string[] {
  const machineIds = new Set(shells.flatMap(({ machineId, durable }) => (durable ? [machineId] : [])));
  return machines
    .filter(
      ({ spec, connection }) =>
        machineIds.has(spec.id) || (connection.kind !== 'connected' && before.includes(spec.id)),
    )
    .map(({ spec }) => spec.id);
}
