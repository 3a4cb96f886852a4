import { SLURM_ENVIRONMENT } from './environment';
import { minutesOf } from './queue';

/** GPUs of one type. `free`: not assigned to jobs, on nodes that accept jobs. */
export type GpuCount = { readonly type: string; readonly total: number; readonly free: number };

export type ClusterNode = {
  readonly name: string;
  /** Slurm's state, e.g. "IDLE", "MIXED+DRAIN". */
  readonly state: string;
  /** Accepts jobs, now or when others end: neither down nor drained nor reserved. */
  readonly isUsable: boolean;
  readonly partitions: readonly string[];
  readonly cpus: number;
  readonly cpusFree: number;
  readonly memoryMib: number;
  readonly memoryFreeMib: number;
  readonly gpus: readonly GpuCount[];
};

export type ClusterPartition = {
  readonly name: string;
  /** Used by jobs that name no partition. */
  readonly isDefault: boolean;
  readonly isOpen: boolean;
  /** Time limit of a job in minutes; null: none. */
  readonly maxMinutes: number | null;
  readonly nodes: number;
  /** Idle nodes. */
  readonly idleNodes: number;
  /** Maximum over its nodes. */
  readonly cpusPerNode: number;
  readonly memoryMibPerNode: number;
  readonly gpus: readonly GpuCount[];
};

export type SlurmCluster = {
  readonly name: string;
  readonly version: string;
  /** The default first, then by name. */
  readonly partitions: readonly ClusterPartition[];
  readonly nodes: readonly ClusterNode[];
  /** Accounts that this user may use; none if accounting is off. */
  readonly accounts: readonly string[];
  /** Whether Slurm remembers ended jobs; otherwise it forgets them after minutes (our own files remain). */
  readonly hasAccounting: boolean;
  /** Upper bound of the number of elements in one array (exclusive). */
  readonly maxArraySize: number;
};

/** Parts of the output of `CLUSTER_SCRIPT` begin with such a line. */
const PART = /^@(config|partitions|nodes|accounts)$/m;

/** `scontrol` answers from slurmctld's memory. Listing accounts fails if accounting is off, which is not an error. */
export const CLUSTER_SCRIPT = `${SLURM_ENVIRONMENT}
echo @config; scontrol show config || exit 3
echo @partitions; scontrol --oneliner show partition || exit 3
echo @nodes; scontrol --oneliner --details show node || exit 3
echo @accounts; sacctmgr --noheader --parsable2 show associations user="$(id -un)" format=Account 2>/dev/null
exit 0
`;

export function parseCluster(text: string): SlurmCluster {
  const pieces = text.split(PART);
  const part = (name: string) => pieces[pieces.indexOf(name) + 1] ?? '';
  const config = new Map(
    part('config')
      .split('\n')
      .map((line) => line.split('=', 2).map((piece) => piece.trim()))
      .map(([key = '', value = '']) => [key, value] as const),
  );
  const nodes = records(part('nodes'), 'NodeName').map(nodeOf);
  const partitions = records(part('partitions'), 'PartitionName').map((record) => partitionOf(record, nodes));
  return {
    name: config.get('ClusterName') ?? '',
    version: config.get('SLURM_VERSION') ?? '',
    partitions: partitions.sort(
      (a, b) => Number(b.isDefault) - Number(a.isDefault) || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0),
    ),
    nodes,
    accounts: [
      ...new Set(
        part('accounts')
          .split('\n')
          .map((line) => line.trim()),
      ),
    ]
      .filter((name) => name !== '')
      .sort(),
    hasAccounting: (config.get('AccountingStorageType') ?? '').endsWith('slurmdbd'),
    // Slurm's default.
    maxArraySize: Number(config.get('MaxArraySize') ?? '1001') || 1_001,
  };
}

type Fields = ReadonlyMap<string, string>;

/** Lines of "Key=value Key=value ..."; values with spaces (OS, Reason) are truncated, which affects none of those used. */
function records(text: string, firstKey: string): readonly Fields[] {
  return text
    .split('\n')
    .filter((line) => line.startsWith(`${firstKey}=`))
    .map(
      (line) =>
        new Map(
          [...line.matchAll(/(?:^|\s)([A-Za-z]\w*)=(\S*)/g)].map(([, key = '', value = '']) => [key, value]),
        ),
    );
}

/** Node states that accept no new jobs: `sinfo(1)`, NODE STATE CODES. */
const UNUSABLE =
  /DOWN|DRAIN|FAIL|INVAL|MAINT|NOT_RESPONDING|NO_RESPOND|POWERED_DOWN|POWERING_DOWN|REBOOT|RESERVED|UNKNOWN|FUTURE|\*/;

function nodeOf(fields: Fields): ClusterNode {
  const number = (key: string) => Number(fields.get(key) ?? 0) || 0;
  const state = fields.get('State') ?? 'UNKNOWN';
  const isUsable = !UNUSABLE.test(state);
  const cpus = number('CPUEfctv') || number('CPUTot');
  const used = gpuCounts(fields.get('GresUsed') ?? '');
  return {
    name: fields.get('NodeName') ?? '',
    state,
    isUsable,
    partitions: (fields.get('Partitions') ?? '').split(',').filter((name) => name !== ''),
    cpus,
    cpusFree: isUsable ? Math.max(0, cpus - number('CPUAlloc')) : 0,
    memoryMib: number('RealMemory'),
    memoryFreeMib: isUsable ? Math.max(0, number('RealMemory') - number('AllocMem')) : 0,
    gpus: [...gpuCounts(fields.get('Gres') ?? '')].map(([type, total]) => ({
      type,
      total,
      free: isUsable ? Math.max(0, total - (used.get(type) ?? 0)) : 0,
    })),
  };
}

/** "gpu:a100:4(S:0-1),gpu:2,license:3", "gpu:a100:1(IDX:0)" -> GPUs by type; "gpu" if no type is configured. */
function gpuCounts(gres: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const [, type = 'gpu', count = '0'] of gres.matchAll(
    /(?:^|,)gpu(?::(\d*[^:,()\d][^:,()]*))?:(\d+)/g,
  )) {
    counts.set(type, (counts.get(type) ?? 0) + Number(count));
  }
  return counts;
}

function partitionOf(fields: Fields, allNodes: readonly ClusterNode[]): ClusterPartition {
  const name = fields.get('PartitionName') ?? '';
  const nodes = allNodes.filter((node) => node.partitions.includes(name));
  const gpus = new Map<string, GpuCount>();
  for (const { type, total, free } of nodes.flatMap((node) => node.gpus)) {
    const before = gpus.get(type);
    gpus.set(type, { type, total: total + (before?.total ?? 0), free: free + (before?.free ?? 0) });
  }
  return {
    name,
    isDefault: fields.get('Default') === 'YES',
    isOpen: fields.get('State') === 'UP',
    maxMinutes: minutesOf(fields.get('MaxTime') ?? ''),
    nodes: nodes.length,
    idleNodes: nodes.filter((node) => node.isUsable && node.state.startsWith('IDLE')).length,
    cpusPerNode: Math.max(0, ...nodes.map((node) => node.cpus)),
    memoryMibPerNode: Math.max(0, ...nodes.map((node) => node.memoryMib)),
    gpus: [...gpus.values()].sort((a, b) => (a.type < b.type ? -1 : a.type > b.type ? 1 : 0)),
  };
}
