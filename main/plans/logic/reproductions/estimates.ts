import type { Amount, PocketTraining, TrainingSpec } from '../../../../preload/contract';
import { trainingPrograms } from '../../../../preload/contract/plans';
import type { PlanInputs, ProgramCost } from './plan-inputs';

/**
 * Estimates without a past training here: programs per second of a training on a busy laptop (docs/training.md), and
 * seconds to start.
 */
const TRAINED_PER_SECOND = 1_000;
const TRAINING_START_SECONDS = 5;
/** Seconds to start a pocket server. */
const POCKET_SERVER_SECONDS = 1;

const GIB = 1_024 ** 3;
/** Bytes of a journal per pocket program: prompt, text, verdicts and the search's posteriors. Measured. */
const POCKET_PROGRAM_BYTES = 3_500;
/** Bytes per agent: its checkpoint, the state for resuming, and its rollouts. */
const POCKET_AGENT_BYTES = 2 * 1_024 ** 2;
/** Bytes of a journal per token of a large model's answer. */
const TOKEN_BYTES = 4;
/** Number of resume states that MARTI keeps per agent; each has 16 bytes per weight, 8 times the weights. */
const KEPT_STATES = 3;
const STATE_TIMES_WEIGHTS = 8;
/** Checkpoints per agent if the length of a training is not known: two passes over 7,992 problems, 16 per round. */
const SERVABLE_CHECKPOINTS = 20;

/** The estimate of one training; `gpus` in all. Its programs count as time, not as tokens. */
export function trainingAmount(
  spec: TrainingSpec,
  gpus: number,
  { trainingSeconds }: Pick<PlanInputs, 'trainingSeconds'>,
): Amount {
  const seconds =
    trainingSeconds(spec) ??
    (spec.kind === 'pocket' ? TRAINING_START_SECONDS + programsOf(spec) / TRAINED_PER_SECOND : null);
  return { seconds, gpuSeconds: seconds === null ? null : seconds * gpus, tokens: null };
}

function programsOf(spec: PocketTraining): number {
  const { learned, evaluated, final } = trainingPrograms(spec);
  return learned + evaluated + final;
}

/** The estimate of a search with this many programs, by its models in turn; `gpus` of all its servers. */
export function searchAmount(
  programs: number,
  models: readonly string[],
  scale: 'pocket' | 'paper',
  gpus: number,
  { programCost }: Pick<PlanInputs, 'programCost'>,
): Amount {
  const costs = models.map((model) => programCost(model));
  const averaged = (of: (cost: ProgramCost) => number | null): number | null => {
    const all = sumOf(costs.map((cost) => (cost === null ? null : of(cost))));
    return all === null ? null : (programs * all) / models.length;
  };
  const seconds = averaged((cost) => cost.seconds);
  return {
    seconds,
    gpuSeconds: scale === 'pocket' ? 0 : seconds === null ? null : seconds * gpus,
    tokens: averaged((cost) => cost.tokens),
  };
}

/** Loading time is not known before the weights were loaded once. */
export function serverAmount(scale: 'pocket' | 'paper'): Amount {
  return scale === 'pocket'
    ? { seconds: POCKET_SERVER_SECONDS, gpuSeconds: 0, tokens: 0 }
    : { seconds: null, gpuSeconds: null, tokens: 0 };
}

/** Disk space of trainings: checkpoints, and at paper scale the resume states. `weightsGib`: of its models. */
export function trainingBytes(spec: TrainingSpec, weightsGib: readonly number[]): number {
  if (spec.kind === 'pocket') return spec.families.length * POCKET_AGENT_BYTES;
  const times = SERVABLE_CHECKPOINTS + KEPT_STATES * STATE_TIMES_WEIGHTS;
  return weightsGib.reduce((sum, gib) => sum + gib * GIB * times, 0);
}

/** Disk space of a search's journals. */
export function searchBytes(
  programs: number,
  tokens: number | null,
  scale: 'pocket' | 'paper',
): number | null {
  if (scale === 'pocket') return programs * POCKET_PROGRAM_BYTES;
  return tokens === null ? null : tokens * TOKEN_BYTES;
}

/** null if one of them is not known. */
export function sumOf(values: readonly (number | null)[]): number | null {
  return values.reduce<number | null>(
    (sum, value) => (sum === null || value === null ? null : sum + value),
    0,
  );
}
