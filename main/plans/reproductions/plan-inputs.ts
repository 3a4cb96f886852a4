import { setTimeout as sleep } from 'node:timers/promises';
import type { Cluster, MachineView, ReproductionRequest } from '../../../preload/contract/index';
import { POCKET_FAMILIES } from '../../../preload/contract/plans/index';
import { readCluster } from '../../jobs/index';
import type { KnownBenchmark, PlanInputs, ProgramCost } from '../logic/reproductions/plan-inputs';
import { notByMartiReason } from '../logic/reproductions/training-requests';
import type { ReproductionDeps } from './deps';
import type { ProgramCosts } from './program-costs';

/** Candidates a second until this computer has been measured: a third of what two quiet cores do. */
const FIRST_GUESS_PER_SECOND = 300;
const CLUSTER_TIMEOUT_MS = 5_000;

/** Everything that a plan depends on, as it is now. */
export async function readPlanInputs(
  { scale, machineIds }: Pick<ReproductionRequest, 'scale' | 'machineIds'>,
  deps: Pick<ReproductionDeps, 'monitor' | 'machines' | 'library' | 'trainings' | 'registry'> & {
    readonly programCosts: ProgramCosts;
  },
): Promise<PlanInputs> {
  const { monitor, machines, library, trainings, registry, programCosts } = deps;
  const { studies, launches, speeds } = registry.read();
  const benchmarks: KnownBenchmark[] = [];
  for (const benchmark of library.list()) {
    const outline = await library.outline(benchmark.id);
    if (outline.ok) benchmarks.push({ benchmark, problems: outline.value });
  }
  const perSecond =
    speeds.findLast(({ scale }) => scale === 'pocket')?.candidatesPerSecond ?? FIRST_GUESS_PER_SECOND;
  const guess = (model: string): ProgramCost | null =>
    POCKET_FAMILIES.some((family) => family === model) ? { seconds: 1 / perSecond, tokens: null } : null;
  const chosen = monitor.views().filter(({ spec }) => machineIds?.includes(spec.id) ?? true);
  return {
    machines: monitor.views(),
    clusters: scale === 'paper' ? await clustersOf(chosen, machines) : new Map(),
    benchmarks,
    trainings: trainings.list(),
    runs: studies
      // Runs from a bundle are another lab's: they are not reused.
      .filter(({ removed, fromBundle }) => !removed && fromBundle === undefined)
      .flatMap(({ study, finishedAt }) =>
        study.runs.map((config) => ({ studyId: study.id, config, finished: finishedAt !== null })),
      ),
    launches,
    programCost: (model) => programCosts.costOf(model) ?? guess(model),
    trainingSeconds: trainings.estimate,
    pocketFamilies: POCKET_FAMILIES,
    notTrainedReason: notByMartiReason,
  };
}

/** Clusters whose login node answers soon; a plan does not wait for one that does not answer. */
async function clustersOf(
  views: readonly MachineView[],
  machines: ReproductionDeps['machines'],
): Promise<Map<string, Cluster>> {
  const answers = views.map(async ({ spec }): Promise<[string, Cluster] | null> => {
    const machine = spec.kind === 'slurm' ? machines.get(spec.id) : null;
    if (!machine?.ok) return null;
    const read = await Promise.race([
      readCluster(machine.value),
      sleep(CLUSTER_TIMEOUT_MS, null, { ref: false }),
    ]);
    if (!read?.ok) return null;
    const { partitions, accounts, name, version } = read.value;
    const plain = partitions.map((partition) => ({ ...partition, gpus: [...partition.gpus] }));
    return [spec.id, { name, version, partitions: plain, accounts: [...accounts] }];
  });
  return new Map((await Promise.all(answers)).filter((answer) => answer !== null));
}
