import { failed, ok } from '../../base';
import type { AsyncResult, Machine } from '../../machines';
import { CLUSTER_SCRIPT, parseCluster, type SlurmCluster } from '../logic/slurm/cluster';
import { NO_SLURM } from '../logic/slurm/environment';
import { noSlurm, slurmRefusal } from '../logic/slurm/refusals';

const CLUSTER_TIMEOUT_MS = 60_000;

/** Current partitions, nodes, GPUs and limits of a cluster, queried on its login node. */
export async function readCluster(machine: Machine): AsyncResult<SlurmCluster> {
  const result = await machine.run(CLUSTER_SCRIPT, { timeoutMs: CLUSTER_TIMEOUT_MS });
  if (!result.ok) return result;
  const { code, stdout, stderr } = result.value;
  if (code === NO_SLURM) return failed(noSlurm(machine.spec.name));
  if (code !== 0) return failed(slurmRefusal(stderr, machine.spec.name, 'to describe the cluster'));
  return ok(parseCluster(stdout));
}
