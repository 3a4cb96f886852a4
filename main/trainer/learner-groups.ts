import type {
  Objective,
  PocketTraining,
  SearchOptions,
  ServerSpec,
  Team,
  TrainingMethod,
} from '../../preload/contract/index';
import { PLAIN_SEARCH, PRESETS, ROLES, teamOfMembers } from '../../preload/contract/plans/index';
import { assertNever } from '../base/index';
import type { TrainingInput } from './training-input';

/** Learners that write into the same trees. A search agent's `serverId` is its learner's id. */
export type LearnerGroup = {
  /** Part of every seed of its trees. */
  readonly id: string;
  readonly learnerIds: readonly string[];
  readonly team: Team;
};

/** Of every sample of an all-wrong group in the control `grpo-all-wrong`; as in the prototype, never tuned. */
const ALL_WRONG_ADVANTAGE = -0.5;
/** Most trials under way together that a search takes. */
const MAX_CONCURRENT = 64;

/** Seed of a learner's pre-training. A family that is there again is another policy: it was pre-trained by itself. */
export function pretrainingSeed({ families, seed }: PocketTraining, learner: number): number {
  return seed + families.slice(0, learner).filter((family) => family === families[learner]).length;
}

function serverOf({ spec, agents }: TrainingInput, learner: number): ServerSpec {
  const [id, family] = [agents[learner]?.id as string, spec.families[learner] as string];
  const checkpointSeed = pretrainingSeed(spec, learner);
  const model = `pocket-${family}`;
  return { kind: 'pocket', id, model, family, checkpointSeed, latencyMs: 0, maxInFlight: MAX_CONCURRENT };
}

function learnerGroup(id: string, servers: readonly ServerSpec[], inRoles: boolean): LearnerGroup {
  const members = servers.flatMap((server) =>
    inRoles ? ROLES.map((role) => ({ server, role })) : [{ server }],
  );
  const team = teamOfMembers(members);
  if (team === null) throw new RangeError('A lane needs a learner');
  return { id, learnerIds: servers.map((server) => server.id), team };
}

/** Each learner by itself; of Homo-MARS² in its two roles. */
export function singleGroups(input: TrainingInput): readonly LearnerGroup[] {
  const inRoles = input.spec.method === 'homo-mars2';
  return input.agents.map(({ id }, learner) => learnerGroup(id, [serverOf(input, learner)], inRoles));
}

/** All learners in the same trees, without roles; with one learner it is the one that stands alone. */
export function teamGroup(input: TrainingInput): LearnerGroup {
  return learnerGroup(
    'team',
    input.agents.map((_, learner) => serverOf(input, learner)),
    false,
  );
}

/** Who shares trees while they learn; nobody for a training that learns nothing. */
export function trainingGroups(input: TrainingInput): readonly LearnerGroup[] {
  const { method } = input.spec;
  switch (method) {
    case 'base':
      return [];
    case 'grpo':
    case 'grpo-all-wrong':
    case 'rs2':
    case 'homo-mars2':
      return singleGroups(input);
    case 'heter-mars2':
    case 'mixed-groups':
      return [teamGroup(input)];
    default:
      return assertNever(method);
  }
}

const METHODS_WITHOUT_TREES: readonly TrainingMethod[] = ['grpo', 'grpo-all-wrong', 'mixed-groups'];

function isFlat({ method, refinement }: PocketTraining): boolean {
  return METHODS_WITHOUT_TREES.includes(method) || !refinement;
}

/** MARS²-T, the papers' search, with all options. */
function mars2Search(nodes: number): SearchOptions {
  const preset = PRESETS.find(({ id }) => id === 'mars2-t');
  if (preset === undefined) throw new Error('The preset mars2-t is gone');
  const { strategy, score, tie, feedback } = preset.method;
  return { ...PLAIN_SEARCH, strategy, score, tie, feedback, nodes, batch: 1, samplesPerAgent: 0 };
}

/** How a tree of the training grows. First attempts do not wait for each other's verdicts. */
export function trainingSearch(spec: PocketTraining): SearchOptions {
  const search = mars2Search(spec.nodes);
  if (!isFlat(spec)) return search;
  return { ...search, strategy: { kind: 'repeated' }, batch: Math.min(spec.nodes, MAX_CONCURRENT) };
}

/** How a tree of the evaluation grows, for every method alike. */
export function evaluationSearch({ evaluation }: PocketTraining): SearchOptions {
  return mars2Search(evaluation.nodes);
}

/** Independent first attempts, `samples` in all: shared out among the roles, where there are some. */
export function samplesSearch(samples: number, { team }: LearnerGroup): SearchOptions {
  const samplesPerAgent = Math.ceil(samples / team.agents.length);
  const nodes = samplesPerAgent * team.agents.length;
  return { ...mars2Search(nodes), batch: Math.min(nodes, MAX_CONCURRENT), samplesPerAgent };
}

/** The objective as the method has it. Groups of first attempts have no parents, and shaping would only scale them. */
export function objectiveOf(spec: PocketTraining): Objective {
  const { method, objective } = spec;
  const shaping = METHODS_WITHOUT_TREES.includes(method)
    ? { ...objective.shaping, strength: 0 }
    : objective.shaping;
  const allWrongAdvantage =
    method === 'grpo-all-wrong' && objective.allWrongAdvantage === 0
      ? ALL_WRONG_ADVANTAGE
      : objective.allWrongAdvantage;
  return { ...objective, shaping, allWrongAdvantage };
}
