import type { Amount, PocketTraining, TrainingSpec } from '../../../../preload/contract';
import type { PlanInputs, ProgramCost } from './plan-inputs';

/** Where no training was done here: programs per second of one on a busy laptop (docs/training.md), and its start. */
const TRAINED_PER_SECOND = 1_000;
const TRAINING_START_SECONDS = 5;
/** A pocket server is up that soon. */
const POCKET_SERVER_SECONDS = 1;

const GIB = 1_024 ** 3;
/** Of a journal, per pocket program: its prompt, its text, its verdicts and what the search believed. Measured. */
const POCKET_PROGRAM_BYTES = 3_500;
/** Of an agent's checkpoint, the state to go on from, and what was written on the way. */
const POCKET_AGENT_BYTES = 2 * 1_024 ** 2;
/** Of a journal, per token of a large model's answer. */
const TOKEN_BYTES = 4;
/** States for resuming that MARTI keeps of each agent, each of 16 bytes a weight, which is 8 times the weights. */
const KEPT_STATES = 3;
const STATE_TIMES_WEIGHTS = 8;
/** Of each agent, where the length of a training is not known: what 7,992 problems twice, 16 a round, come to. */
const SERVABLE_CHECKPOINTS = 20;

/** Of one training; `gpus` in all. Programs are its own; they are counted as time, not as tokens. */
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

/** That it writes while it learns and where it is evaluated on the way. */
function programsOf({ families, method, updates, batch, evaluation }: PocketTraining): number {
  const learned = method === 'base' ? 0 : families.length * updates * batch;
  const evaluations = evaluation.every === 0 ? 1 : 1 + Math.floor(updates / evaluation.every);
  return learned + evaluations * evaluation.problems * evaluation.samples * families.length;
}

/** Of a search that writes so many programs, by models in turn; `gpus` of all its servers. */
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

/** How long weights take to load is not known before they were loaded. */
export function serverAmount(scale: 'pocket' | 'paper'): Amount {
  return scale === 'pocket'
    ? { seconds: POCKET_SERVER_SECONDS, gpuSeconds: 0, tokens: 0 }
    : { seconds: null, gpuSeconds: null, tokens: 0 };
}

/** What trainings write: checkpoints, and at paper scale what they resume from. `weightsGib` of its models. */
export function trainingBytes(spec: TrainingSpec, weightsGib: readonly number[]): number {
  if (spec.kind === 'pocket') return spec.families.length * POCKET_AGENT_BYTES;
  const times = SERVABLE_CHECKPOINTS + KEPT_STATES * STATE_TIMES_WEIGHTS;
  return weightsGib.reduce((sum, gib) => sum + gib * GIB * times, 0);
}

/** Journals of a search. */
export function searchBytes(
  programs: number,
  tokens: number | null,
  scale: 'pocket' | 'paper',
): number | null {
  if (scale === 'pocket') return programs * POCKET_PROGRAM_BYTES;
  return tokens === null ? null : tokens * TOKEN_BYTES;
}

/** null where one of them is not known. */
export function sumOf(values: readonly (number | null)[]): number | null {
  return values.reduce<number | null>(
    (sum, value) => (sum === null || value === null ? null : sum + value),
    0,
  );
}
