import { onTestFinished } from 'vitest';
import { createMachineMonitor } from '../../main/machines';
import { unwrap } from './unwrap';

/** A monitor of a fleet, disposed with the test. `look` asks a machine each time: a younger result would be given again. */
export function freshMonitor(
  fleet: Parameters<typeof createMachineMonitor>[0]['fleet'],
  reservationRoot: string,
  /** Between two looks, by our clock: enough to read the machine's facts again is 600,000. */
  stepMs = 5_000,
) {
  let lateMs = 0;
  const monitor = createMachineMonitor({
    fleet,
    clock: { now: () => Date.now() + lateMs },
    reservationRoot,
  });
  onTestFinished(() => monitor.dispose());
  const look = (id: string) => {
    lateMs += stepMs;
    return unwrap(monitor.probe(id));
  };
  return { monitor, look };
}
