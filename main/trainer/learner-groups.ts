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

/** Learners that share trees. A search agent's `serverId` is its learner's id. */
export type LearnerGroup = {
  /** Part of the seeds of its trees. */
  readonly id: string;
  readonly learnerIds: readonly string[];
  readonly team: Team;
};

/** Advantage of every sample of an all-wrong group in the control `grpo-all-wrong`; as in the prototype, never tuned. */
const ALL_WRONG_ADVANTAGE = -0.5;
/** Most concurrent trials of a search. */
const MAX_CONCURRENT = 64;

/** Seed of a learner's pre-training. A family used twice gives two policies, pre-trained separately. */
export function pretrainingSeed({ families, seed }: PocketTraining, learner: number): number {
  return seed + families.slice(0, learner).filter((family) => family === families[learner]).length;
}

function learnerServer({ spec, agents }: TrainingInput, learner: number): ServerSpec {
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
  if (team === null) throw new RangeError('A learner group needs a learner');
  return { id, learnerIds: servers.map((server) => server.id), team };
}

/** Each learner alone; for Homo-MARS² in its two roles. */
export function singleGroups(input: TrainingInput): readonly LearnerGroup[] {
  const inRoles = input.spec.method === 'homo-mars2';
  return input.agents.map(({ id }, learner) => learnerGroup(id, [learnerServer(input, learner)], inRoles));
}

/** All learners in the same trees, without roles; with one learner the same as alone. */
export function teamGroup(input: TrainingInput): LearnerGroup {
  return learnerGroup(
    'team',
    input.agents.map((_, learner) => learnerServer(input, learner)),
    false,
  );
}

/** The groups that share trees during training; none for a training without updates. */
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

function hasNoRefinement({ method, refinement }: PocketTraining): boolean {
  return METHODS_WITHOUT_TREES.includes(method) || !refinement;
}

/** MARS²-T, the papers' search, with all options. */
function mars2Search(nodes: number): SearchOptions {
  const preset = PRESETS.find(({ id }) => id === 'mars2-t');
  if (preset === undefined) throw new Error('There is no preset mars2-t');
  const { strategy, score, tie, feedback } = preset.method;
  return { ...PLAIN_SEARCH, strategy, score, tie, feedback, nodes, batch: 1, samplesPerAgent: 0 };
}

/** The search that grows a training tree. First attempts do not wait for each other's verdicts. */
export function trainingSearch(spec: PocketTraining): SearchOptions {
  const search = mars2Search(spec.nodes);
  if (!hasNoRefinement(spec)) return search;
  return { ...search, strategy: { kind: 'repeated' }, batch: Math.min(spec.nodes, MAX_CONCURRENT) };
}

/** The search that grows an evaluation tree, equal for all methods. */
export function evaluationSearch({ evaluation }: PocketTraining): SearchOptions {
  return mars2Search(evaluation.nodes);
}

/** `samples` independent first attempts in total, divided among the roles if there are any. */
export function samplesSearch(samples: number, { team }: LearnerGroup): SearchOptions {
  const samplesPerAgent = Math.ceil(samples / team.agents.length);
  const nodes = samplesPerAgent * team.agents.length;
  return { ...mars2Search(nodes), batch: Math.min(nodes, MAX_CONCURRENT), samplesPerAgent };
}

/** The method's objective. Groups of first attempts have no parents, so shaping would only scale their rewards. */
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
