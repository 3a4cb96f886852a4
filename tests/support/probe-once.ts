import { onTestFinished } from 'vitest';
import { createMachineMonitor, type Machine } from '../../main/machines';
import type { MachineView } from '../../preload/contract';
import { smallFleet } from './small-fleet';
import { unwrap } from './unwrap';

/** What care says of a machine after a look (the last of several, each of its own). */
export async function probeOnce(
  machine: Machine,
  options: { readonly times?: number } = {},
): Promise<MachineView> {
  let lateMs = 0;
  const monitor = createMachineMonitor({
    fleet: smallFleet(machine),
    clock: { now: () => Date.now() + lateMs },
  });
  onTestFinished(() => monitor.dispose());
  let view = await unwrap(monitor.probe(machine.id));
  for (let time = 1; time < (options.times ?? 1); time += 1) {
    // An answer of the last seconds would be given again.
    lateMs += 5_000;
    view = await unwrap(monitor.probe(machine.id));
  }
  return view;
}
