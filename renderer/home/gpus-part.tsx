import type { MachineView } from '../../preload/contract/machine';
import { pathOf, readyValue, useMachines } from '../state/index';
import { gpuChoices, gpuHolders } from '../text/gpus';
import { plural, Section } from '../widgets/index';
import styles from './home.module.css';

/** GPUs of connected machines: how many are free, and who holds the others. */
export function GpusPart() {
  const machines = (readyValue(useMachines()) ?? []).filter(
    (machine) => machine.connection.kind === 'connected' && gpuChoices(machine).length > 0,
  );
  const all = machines.flatMap(gpuChoices);
  const free = all.filter(({ state }) => state === 'free').length;
  return (
    <Section
      title="GPUs"
      aside={
        all.length > 0 && (
          <a className={styles.soft} href="#/machines">
            {free} of {plural(all.length, 'GPU')} free
          </a>
        )
      }
    >
      {machines.length === 0 ? (
        <p className={styles.quiet}>
          No connected machine has GPUs.
          <br />
          <a href="#/add-machine">Add a machine</a>
        </p>
      ) : (
        <ul className={styles.gpus}>
          {machines.map((machine) => (
            <MachineGpus key={machine.spec.id} machine={machine} />
          ))}
        </ul>
      )}
    </Section>
  );
}

function MachineGpus({ machine }: { readonly machine: MachineView }) {
  const { id, name } = machine.spec;
  const gpus = gpuChoices(machine);
  const free = gpus.filter(({ state }) => state === 'free').length;
  return (
    <li>
      <a href={`#${pathOf({ kind: 'machine', machineId: id })}`}>{name}</a>
      <b>{free} free</b>
      <span className={styles.cards} aria-hidden="true">
        {gpus.map((gpu) => (
          <i
            key={gpu.id}
            data-state={gpu.state}
            title={`${gpu.name}: ${gpu.note === '' ? 'free' : gpu.note}`}
          >
            <em style={{ height: `${(gpu.used01 ?? 0) * 100}%` }} />
          </i>
        ))}
      </span>
      <small>{gpuHolders(machine)}</small>
    </li>
  );
}
