import type { Analysis } from '../../preload/contract/analysis';
import type { Value } from '../../preload/contract/commands/index';
import type { OptionPosterior } from '../../preload/contract/decision';
import { portsInLog } from '../../preload/contract/folds/index';
import type { PortForward } from '../../preload/contract/forward';
import type { GpuCurves } from '../../preload/contract/gpu';
import type { Cluster } from '../../preload/contract/machine';
import type { FileListing } from '../../preload/contract/machine-file';
import type { NodeDetail } from '../../preload/contract/node-detail';
import type { StudyOutcomes } from '../../preload/contract/outcomes';
import type { Benchmark, ProblemOutline, ProblemText, Recording } from '../../preload/contract/problem';
import type { Origin, Provenance } from '../../preload/contract/provenance';
import type { Answer } from '../../preload/contract/refusal';
import type { QuickstartPlan } from '../../preload/contract/study';
import type { Usage } from '../../preload/contract/usage';
import type { WorkbenchClient } from '../workbench-client';
import { createResource, type Resource } from './resource';
import {
  parseBenchmarkKey,
  parseFolderKey,
  parseNodeKey,
  parseProblemKey,
  parseUsageKey,
} from './resource-keys';

export type NodePosteriors = readonly (readonly (OptionPosterior | null)[])[];

/** The key of resources with a single value. */
export const ONLY = 'only';

/** The end of a log in which addresses are looked for, bytes. */
const LOG_END_BYTES = 65_536;

/** Answers of main that screens ask for by key, cached while someone shows them. */
export type Resources = {
  /** By study id. */
  readonly analyses: Resource<Analysis>;
  /** By study id; updated a few times a second while it runs. */
  readonly outcomes: Resource<StudyOutcomes>;
  /** By `nodeKey`. */
  readonly details: Resource<NodeDetail>;
  /** By `nodeKey`: what the search believed about the options at each decision. */
  readonly posteriors: Resource<NodePosteriors>;
  /** By `problemKey`. */
  readonly problems: Resource<ProblemText>;
  /** By `benchmarkKey`: every problem of a benchmark without its texts. */
  readonly problemLists: Resource<readonly ProblemOutline[]>;
  readonly info: Resource<Value<'app.info'>>;
  readonly plan: Resource<QuickstartPlan>;
  readonly benchmarks: Resource<Benchmark[]>;
  readonly recordings: Resource<Recording[]>;
  /** By the id of a Slurm machine. */
  readonly clusters: Resource<Cluster>;
  /** By `folderKey`. */
  readonly folders: Resource<FileListing>;
  /** Ports that are forwarded to this computer, oldest first. */
  readonly forwards: Resource<PortForward[]>;
  /** By job id: ports of the addresses that the end of its log names. */
  readonly loggedPorts: Resource<readonly number[]>;
  /** By job id: what made its last start; null: not recorded. */
  readonly provenances: Resource<Provenance | null>;
  /** By job id: what its GPUs did. */
  readonly jobGpus: Resource<GpuCurves>;
  /** By `usageKey`: GPU-hours and tokens. */
  readonly usage: Resource<Usage>;
  /** By study id: the servers that it asked, and what made them. */
  readonly origins: Resource<Origin[]>;
  /** Trainers that are not built in. */
  readonly recipes: Resource<Value<'recipe.list'>>;
};

export function createResources(client: WorkbenchClient): Resources {
  return {
    analyses: createResource((studyId) => client.call('study.analysis', { studyId })),
    outcomes: createResource((studyId) => client.call('study.outcomes', { studyId })),
    details: createResource((key) => client.call('node.read', parseNodeKey(key)), 200),
    posteriors: createResource<NodePosteriors>(
      (key) => client.call('node.posteriors', parseNodeKey(key)),
      200,
    ),
    problems: createResource((key) => client.call('benchmark.problem', parseProblemKey(key)), 200),
    problemLists: createResource((key) => readProblemList(client, key), 3),
    info: createResource(() => client.call('app.info', {})),
    plan: createResource(() => client.call('quickstart.plan', {})),
    benchmarks: createResource(() => client.call('benchmark.list', {})),
    clusters: createResource((machineId) => client.call('machine.cluster', { machineId })),
    folders: createResource((key) => client.call('machine.files', parseFolderKey(key))),
    forwards: createResource(() => client.call('machine.forwards', {})),
    loggedPorts: createResource<readonly number[]>(async (jobId) => {
      const end = { offset: -LOG_END_BYTES, maxBytes: LOG_END_BYTES };
      const piece = await client.call('job.readLog', { jobId, log: 'output', ...end });
      return piece.ok ? { ok: true, value: portsInLog(piece.value.text) } : piece;
    }),
    recordings: createResource(() => client.call('recording.list', {})),
    provenances: createResource((jobId) => client.call('job.provenance', { jobId })),
    jobGpus: createResource((jobId) => client.call('job.gpus', { jobId })),
    usage: createResource((key) => client.call('job.usage', parseUsageKey(key))),
    origins: createResource((studyId) => client.call('study.origins', { studyId })),
    recipes: createResource(() => client.call('recipe.list', {})),
  };
}

/** All pages of a benchmark's problems. */
async function readProblemList(
  client: WorkbenchClient,
  key: string,
): Promise<Answer<readonly ProblemOutline[]>> {
  const { benchmarkId } = parseBenchmarkKey(key);
  const problems: ProblemOutline[] = [];
  for (;;) {
    const page = await client.call('benchmark.problems', { benchmarkId, from: problems.length });
    if (!page.ok) return page;
    problems.push(...page.value.problems);
    if (page.value.problems.length === 0 || problems.length >= page.value.total) break;
  }
  return { ok: true, value: problems };
}
