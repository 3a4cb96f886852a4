import { readFileSync } from 'node:fs';
import { type PlannedReproduction, planReproduction } from '../../main/plans/logic/reproductions/plan';
import type { KnownBenchmark, PlanInputs } from '../../main/plans/logic/reproductions/plan-inputs';
import type { StepWork } from '../../main/plans/logic/reproductions/work';
import {
  type Benchmark,
  type Cluster,
  type Exhibit,
  exhibitSchema,
  type MachineView,
  type ReproductionPlan,
  type ReproductionRequest,
  reproductionRequestSchema,
} from '../../preload/contract';
import { CONNECTED, sampleGpu, sampleMachine, THIS_COMPUTER } from './sample-machines';

export const FAMILIES = ['reader', 'tracer', 'weak', 'reader-large', 'tracer-large'];

/** A laptop without GPUs, on which nothing was done yet. */
export function emptyInputs(change: Partial<PlanInputs> = {}): PlanInputs {
  return {
    machines: [THIS_COMPUTER],
    clusters: new Map(),
    benchmarks: [],
    trainings: [],
    runs: [],
    launches: [],
    programCost: () => null,
    trainingSeconds: () => null,
    notTrainedReason: () => null,
    pocketFamilies: FAMILIES,
    ...change,
  };
}

/** Unused GPUs. */
export function gpuMachine(id: string, count: number, memoryMib: number): MachineView {
  const gpus = Array.from({ length: count }, (_, at) =>
    sampleGpu(at, { id: `GPU-${id}-${at}`, memoryTotalMib: memoryMib }),
  );
  return sampleMachine({ kind: 'ssh', id, name: id, host: id }, CONNECTED, {
    gpus: { at: '2026-11-01T00:00:00Z', driver: null, gpus, problems: [], history: {} },
  });
}

export function slurmMachine(id: string): MachineView {
  const defaults = { partition: '', account: '', minutes: 1_440, options: '' };
  return sampleMachine({ kind: 'slurm', id, name: id, host: id, defaults }, CONNECTED);
}

/** One open partition of boxes with 8 GPUs each. */
export function clusterOf(type: string, nodes: number): Cluster {
  const gpus = [{ type, total: nodes * 8, free: nodes * 8 }];
  const partition = {
    name: 'gpu',
    isDefault: true,
    isOpen: true,
    maxMinutes: null,
    nodes,
    idleNodes: nodes,
    gpus,
  };
  return { name: 'cluster', version: '22.05.8', partitions: [partition], accounts: [] };
}

export function builtInExhibit(id: string): Exhibit {
  return exhibitSchema.parse(JSON.parse(readFileSync(`resources/exhibits/${id}.json`, 'utf8')));
}

/** A benchmark of so many problems, a day each from `firstDay` on. */
export function knownBenchmark(
  count: number,
  change: Partial<Benchmark> = {},
  dateOf: (at: number) => string | null = () => null,
): KnownBenchmark {
  const id = change.id ?? 'benchmark';
  const benchmark: Benchmark = {
    id,
    name: id,
    scale: 'paper',
    problems: count,
    digest: `digest of ${id}`,
    source: '',
    importedAt: '2026-11-01T00:00:00Z',
    limits: { cpuSeconds: 1, wallSeconds: 1, memoryBytes: 1, processes: 1, outputBytes: 1 },
    notes: [],
    rules: 'plain',
    version: null,
    licence: null,
    marks: [],
    ...change,
  };
  const problems = Array.from({ length: count }, (_, at) => ({ id: `${id}/${at}`, date: dateOf(at) }));
  return { benchmark, problems };
}

/** LiveCodeBench's v6 as test6.jsonl gives it. */
export function liveCodeBench(): KnownBenchmark {
  return knownBenchmark(
    175,
    { id: 'livecodebench-v6', rules: 'livecodebench', version: 'v6' },
    () => '2025-02-01',
  );
}

export function requestOf(
  order: Partial<ReproductionRequest> & Pick<ReproductionRequest, 'exhibitId' | 'scale'>,
) {
  return reproductionRequestSchema.parse(order);
}

export function planOf(
  exhibit: Exhibit,
  scale: 'pocket' | 'paper',
  { order = {}, inputs = {} }: { order?: Partial<ReproductionRequest>; inputs?: Partial<PlanInputs> } = {},
) {
  return planReproduction(
    exhibit,
    'digest',
    requestOf({ ...order, exhibitId: exhibit.id, scale }),
    emptyInputs(inputs),
  );
}

/** Values that only a lab can provide. */
export const LOCATIONS = {
  weights: {},
  checkpoints: [],
  trainer: 'marti' as const,
  trainingBenchmark: null,
  learnerPython: 'python3',
  updates: 300,
  martiCheckout: '/opt/marti',
  martiPython: 'python3',
  trainingData: '/data/code',
  trainingOutput: '/scratch/runs/',
  environment: { kind: 'path' as const },
  gpusPerServer: 1,
};
export const LAB = {
  machines: [THIS_COMPUTER, gpuMachine('gpu-a', 8, 143_771), gpuMachine('gpu-b', 8, 143_771)],
  benchmarks: [liveCodeBench()],
};

export function workOf<K extends StepWork['kind']>({ work }: PlannedReproduction, kind: K) {
  return [...work.values()].filter((one): one is Extract<StepWork, { kind: K }> => one.kind === kind);
}

export function countOf({ steps }: ReproductionPlan, kind: string): number {
  return steps.filter((step) => step.kind === kind).length;
}

/** Two models; each alone, in roles, and as a team. */
export function twoModels() {
  return exhibitSchema.parse({
    version: 1,
    id: 'two',
    paper: { title: 'Paper' },
    place: 'Table 1',
    title: 'Two models',
    models: [
      {
        id: 'a',
        name: 'A-8B',
        paper: { hub: 'Qwen/Qwen3-8B', weightsGib: 15.3 },
        pocket: { family: 'reader' },
      },
      { id: 'b', name: 'B-8B', paper: { hub: 'lab/b', weightsGib: 15.3 }, pocket: { family: 'tracer' } },
    ],
    configurations: [
      { id: 'base', label: 'A, base', models: ['a'], method: 'base' },
      { id: 'roles', label: 'A in roles', models: ['a'], method: 'homo-mars2', roles: 2 },
      { id: 'team', label: 'A + B', models: ['a', 'b'], method: 'heter-mars2' },
      { id: 'half', label: 'B of the team', models: ['b'], method: 'heter-mars2', partners: ['a'] },
      { id: 'pair', label: 'A + B, GRPO', models: ['b', 'a'], method: 'grpo', search: { nodes: 9 } },
    ],
    rows: [{ id: 'r', label: 'Row' }],
    columns: ['base', 'roles', 'team', 'half', 'pair'].map((id) => ({ id, label: id })),
    cells: ['base', 'roles', 'team', 'half', 'pair'].map((id) => ({
      row: 'r',
      column: id,
      configuration: id,
      measure: { kind: 'metric', metric: 'pass@1' },
    })),
    series: [
      {
        id: 'curve',
        label: 'B learns',
        configuration: 'half',
        curve: { kind: 'learning', model: 'b' },
      },
    ],
    scales: {
      pocket: {
        benchmark: { split: 'test', problems: 20 },
        search: {
          strategy: { kind: 'ab-mcts-a', beliefs: 'beta', selection: 'thompson' },
          nodes: 12,
          batch: 1,
          score: 'all',
          tie: 'latest',
          samplesPerAgent: 4,
        },
        seeds: [11, 12],
        training: { updates: 40 },
      },
      paper: {
        benchmark: { name: 'LiveCodeBench v6', format: 'livecodebench', problems: 175 },
        search: {
          strategy: { kind: 'ab-mcts-a', beliefs: 'beta', selection: 'thompson' },
          nodes: 60,
          batch: 1,
          score: 'all',
          tie: 'latest',
          samplesPerAgent: 8,
        },
        seeds: [11, 12],
      },
    },
  });
}
