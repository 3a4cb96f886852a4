import type { Disposable } from '../base/index';
import type { MachineFleet } from '../machines/index';
import type { Registry } from '../storage/index';

/**
 * Reconnects the machines that were connected when the app was last open, and keeps the saved list up to date. A
 * machine that does not answer stays in the list. A machine leaves the list when the user disconnects it or postpones
 * its login.
 */
export function restoreConnections(
  fleet: Pick<MachineFleet, 'specs' | 'connection' | 'onConnection' | 'connect'>,
  registry: Pick<Registry, 'read' | 'update'>,
): Disposable {
  const isRemote = (id: string): boolean =>
    fleet.specs().some((spec) => spec.id === id && spec.kind !== 'local');
  const saved = new Set(registry.read().connected);
  const save = (id: string, isConnected: boolean): void => {
    if (saved.has(id) === isConnected) return;
    if (isConnected) saved.add(id);
    else saved.delete(id);
    const connected = [...saved].sort();
    // A failed save only means that this machine is not connected by itself at the next start.
    void registry.update((data) => ({ ...data, connected }));
  };
  const listening = fleet.onConnection((id) => {
    const { kind } = fleet.connection(id);
    if (kind === 'connected') save(id, isRemote(id));
    if (kind === 'off') save(id, false);
  });
  for (const id of saved) if (isRemote(id)) fleet.connect(id);
  return listening;
}
