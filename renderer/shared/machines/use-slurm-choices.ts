import type { Cluster, MachineView } from '../../../preload/contract/machine';
import { readyValue } from '../../state/loadable';
import { useCluster } from '../../state/machine-hooks';
import { plural } from '../../widgets/format';

/** Suggestions and defaults for the Slurm fields. */
type SlurmChoices = {
  /** Used where a field is empty. */
  readonly defaults: {
    readonly hours: string;
    readonly partition: string;
    readonly account: string;
    readonly options: string;
  };
  readonly partitions: readonly { readonly name: string; readonly note: string }[];
  readonly accounts: readonly string[];
};

/** null: not a Slurm machine. */
export function useSlurmChoices(machine: MachineView | null): SlurmChoices | null {
  const spec = machine?.spec;
  const cluster = readyValue(useCluster(spec?.kind === 'slurm' ? spec.id : null));
  if (spec?.kind !== 'slurm') return null;
  const { minutes, partition, account, options } = spec.defaults;
  return {
    defaults: { hours: String(Math.round((minutes / 60) * 100) / 100), partition, account, options },
    partitions: (cluster?.partitions ?? []).map((item) => ({ name: item.name, note: freeIn(item) })),
    accounts: cluster?.accounts ?? [],
  };
}

/** "2 of 8 h100 free, 1 of 4 nodes idle" */
function freeIn(partition: Cluster['partitions'][number]): string {
  const gpus = partition.gpus.map(({ type, free, total }) => `${free} of ${total} ${type || 'GPUs'} free`);
  return [...gpus, `${partition.idleNodes} of ${plural(partition.nodes, 'node')} idle`].join(', ');
}
