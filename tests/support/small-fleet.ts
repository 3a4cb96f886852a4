import { Emitter, failed, ok } from '../../main/base';
import type { Machine, MonitoredFleet } from '../../main/machines';
import type { Connection } from '../../preload/contract';

const SINCE = '2026-01-01T00:00:00.000Z';

/** A fleet of machines that are there already; `change` sets the connection of one and emits it. */
export function smallFleet(...machines: readonly Machine[]): MonitoredFleet & {
  readonly change: (id: string, connection: Connection) => void;
  readonly leave: (id: string) => void;
  /** Another machine by the same id. */
  readonly replace: (machine: Machine) => void;
} {
  const left = new Set<string>();
  const replaced = new Map<string, Machine>();
  const connections = new Map<string, Connection>();
  const changes = new Emitter<string>();
  const present = () =>
    machines.filter(({ id }) => !left.has(id)).map((machine) => replaced.get(machine.id) ?? machine);
  return {
    specs: () => present().map(({ spec }) => spec),
    get: (id) => {
      const machine = present().find((one) => one.id === id);
      return machine === undefined
        ? failed({ code: 'not-found' as const, message: `There is no machine "${id}".` })
        : ok(machine);
    },
    connection: (id) => connections.get(id) ?? { kind: 'connected', since: SINCE },
    onConnection: (listener) => changes.on(listener),
    change: (id, connection) => {
      connections.set(id, connection);
      changes.emit(id);
    },
    replace: (machine) => {
      replaced.set(machine.id, machine);
      changes.emit(machine.id);
    },
    leave: (id) => {
      left.add(id);
      changes.emit(id);
    },
  };
}
