import { failed, ok } from '../../base';
import type { Asked, Machine } from '../../machines';
import { CLUSTER_SCRIPT, parseCluster, type SlurmCluster } from '../logic/slurm/cluster';
import { NO_SLURM } from '../logic/slurm/environment';
import { noSlurm, slurmRefusal } from '../logic/slurm/refusals';

const CLUSTER_TIMEOUT_MS = 60_000;

/** Partitions, nodes, GPUs and limits of a cluster as they are now, asked on its login node. */
export async function readCluster(machine: Machine): Asked<SlurmCluster> {
  const told = await machine.run(CLUSTER_SCRIPT, { timeoutMs: CLUSTER_TIMEOUT_MS });
  if (!told.ok) return told;
  const { code, stdout, stderr } = told.value;
  if (code === NO_SLURM) return failed(noSlurm(machine.spec.name));
  if (code !== 0) return failed(slurmRefusal(stderr, machine.spec.name, 'to tell of the cluster'));
  return ok(parseCluster(stdout));
}
