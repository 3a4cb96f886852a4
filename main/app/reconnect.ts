import type { Disposable } from '../base/index';
import type { MachineFleet } from '../machines/index';
import type { Registry } from '../storage/index';

/**
 * Connects again what was connected when the app was last open, and remembers from now on what is. A machine that does
 * not answer stays remembered; one that the user disconnects, or whose login is put off, does not.
 */
export function keepConnected(
  fleet: Pick<MachineFleet, 'specs' | 'connection' | 'onConnection' | 'connect'>,
  registry: Pick<Registry, 'read' | 'update'>,
): Disposable {
  const isThere = (id: string): boolean =>
    fleet.specs().some((spec) => spec.id === id && spec.kind !== 'local');
  const remembered = new Set(registry.read().connected);
  const remember = (id: string, isConnected: boolean): void => {
    if (remembered.has(id) === isConnected) return;
    if (isConnected) remembered.add(id);
    else remembered.delete(id);
    const connected = [...remembered].sort();
    void registry.update((data) => ({ ...data, connected }));
  };
  const listening = fleet.onConnection((id) => {
    const { kind } = fleet.connection(id);
    if (kind === 'connected') remember(id, isThere(id));
    if (kind === 'off') remember(id, false);
  });
  for (const id of remembered) if (isThere(id)) fleet.connect(id);
  return listening;
}
