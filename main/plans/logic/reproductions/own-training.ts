import {
  type Environment,
  type ModelTraining,
  modelTrainingSchema,
  type PaperSettings,
  plainId,
} from '../../../../preload/contract';
import { counted } from '../../../base/index';
import type { TrainingGroup } from './models';

/** As MARTI's scripts (arXiv 2602.07848; docs/training.md): 32 answers per update, 32 trees of 8 nodes per round. */
const BATCH = 32;
const TREES_PER_ROUND = 32;
const NODES = 8;
const ANSWER_TOKENS = 32_768;
const RATE = 1e-6;
/** First attempts per problem at each point of a learning curve, its problems, and how many points it has. */
const CURVE = { samples: 4, problems: 100, points: 10 } as const;
/** Stands for a benchmark that is not set; such a plan is not started. */
const NOT_SET = 'not-set';

/**
 * A training of language models by our own trainer, with all weights, in bfloat16, written for by vLLM. The same numbers of
 * samples and updates for every method, as the papers compare them; how many updates the papers made is not published.
 * `gpusPerAgent`: processes of each learner. `curve`: evaluated on the way.
 */
export function ownTraining(
  { method, models }: TrainingGroup,
  seed: number,
  settings: PaperSettings,
  { gpusPerAgent, curve }: { readonly gpusPerAgent: number; readonly curve: boolean },
): ModelTraining {
  const { updates } = settings;
  const every = Math.max(1, Math.round(updates / CURVE.points));
  return modelTrainingSchema.parse({
    kind: 'model',
    method,
    agents: models.map(({ id, paper }) => ({
      id: plainId(id).slice(0, 41),
      model: settings.weights[id] ?? paper?.hub ?? id,
      maxTokens: ANSWER_TOKENS,
    })),
    lora: null,
    problems: { benchmarkId: settings.trainingBenchmark ?? NOT_SET },
    ...{ seed, updates, batch: BATCH, treesPerRound: TREES_PER_ROUND, nodes: NODES, rate: RATE },
    checkpointEvery: Math.min(updates, every),
    evaluation: curve
      ? { problems: CURVE.problems, nodes: 1, samples: CURVE.samples, every }
      : { problems: 0, every: 0 },
    python: settings.learnerPython,
    writer: {
      engine: 'vllm',
      publish: 'reload',
      ...vllmPython(settings.environment),
    },
    device: 'cuda',
    dtype: 'bfloat16',
    processes: gpusPerAgent,
  });
}

/** For an environment that is a folder; otherwise the training's own Python must have it. */
function vllmPython(environment: Environment): { readonly python?: string } {
  const isFolder =
    (environment.kind === 'venv' || environment.kind === 'conda') && /^[/~]/.test(environment.place);
  return isFolder ? { python: `${environment.place.replace(/(?<!\/)\/+$/, '')}/bin/python` } : {};
}

/** The choices of such a training where the papers name no value: its numbers are not exactly those of the papers. */
export function ownChoicesNote({ updates, batch }: Pick<ModelTraining, 'updates' | 'batch'>): string {
  return `Trained by our trainer with ${counted(updates, 'update')} of ${counted(batch, 'answer')} for each agent; the paper does not say how many it made.`;
}

/** Settings of a place, which do not change what is learned. */
export function withoutPaths(spec: ModelTraining): Partial<ModelTraining> {
  const { python: _python, writer: _writer, processes: _processes, threads: _threads, ...learning } = spec;
  return learning;
}
