import type { MachineView } from '../../preload/contract/machine';
import { pathOf, readyValue, useMachines } from '../state/index';
import { gpuChoices, gpuHolders } from '../text/gpus';
import { plural } from '../widgets/index';
import bars from './gpu-bars.module.css';
import styles from './shell.module.css';

/** More would push out what else the bar tells. */
const SHOWN_MACHINES = 3;

/** GPUs of connected machines, each a bar as full as its memory. */
export function MachineStatus() {
  const machines = (readyValue(useMachines()) ?? []).filter(
    ({ connection, gpus }) => connection.kind === 'connected' && (gpus?.gpus.length ?? 0) > 0,
  );
  if (machines.length === 0) return null;
  return (
    <>
      {machines.slice(0, SHOWN_MACHINES).map((machine) => (
        <GpuStatus key={machine.spec.id} machine={machine} />
      ))}
      {machines.length > SHOWN_MACHINES && (
        <a className={`${styles.item} ${styles.minor}`} href="#/machines">
          {machines.length - SHOWN_MACHINES} more
        </a>
      )}
    </>
  );
}

function GpuStatus(props: { readonly machine: MachineView }) {
  const { machine } = props;
  const { id, name } = machine.spec;
  const gpus = gpuChoices(machine);
  const free = gpus.filter(({ state }) => state === 'free').length;
  const summary = [`${free} of ${plural(gpus.length, 'GPU')} free`, gpuHolders(machine)]
    .filter((part) => part !== '')
    .join('; ');
  return (
    <a
      className={`${styles.item} ${styles.minor}`}
      href={`#${pathOf({ kind: 'machine', machineId: id })}`}
      title={`${name}: ${summary}`}
      aria-label={`${name}: ${summary}`}
    >
      <span>{name}</span>
      <span className={bars.gpus} aria-hidden="true">
        {gpus.map((gpu) => (
          <i key={gpu.id} data-state={gpu.state}>
            <em style={{ height: `${(gpu.used01 ?? 0) * 100}%` }} />
          </i>
        ))}
      </span>
    </a>
  );
}
