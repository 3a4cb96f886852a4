import { onTestFinished } from 'vitest';
import { createMachineMonitor } from '../../main/machines';
import { unwrap } from './unwrap';

/** A monitor of a fleet, disposed with the test. `look` asks a machine each time: a younger result would be given again. */
export function freshMonitor(
  fleet: Parameters<typeof createMachineMonitor>[0]['fleet'],
  reservationPlace: string,
) {
  let lateMs = 0;
  const monitor = createMachineMonitor({
    fleet,
    clock: { now: () => Date.now() + lateMs },
    reservationPlace,
  });
  onTestFinished(() => monitor.dispose());
  const look = (id: string) => {
    lateMs += 5_000;
    return unwrap(monitor.probe(id));
  };
  return { monitor, look };
}
