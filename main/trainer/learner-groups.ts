import type { Learning, Objective, SearchOptions, Team, TrainingMethod } from '../../preload/contract/index';
import { mars2Search, ROLES, type TeamMember, teamOfMembers } from '../../preload/contract/plans/index';
import { assertNever } from '../base/index';
import type { LearningInput } from './learning-input';

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
export const MAX_CONCURRENT = 64;

function learnerGroup(id: string, learners: readonly TeamMember[], inRoles: boolean): LearnerGroup {
  const members = learners.flatMap((learner) =>
    inRoles ? ROLES.map((role) => ({ ...learner, role })) : [learner],
  );
  const team = teamOfMembers(members);
  if (team === null) throw new RangeError('A learner group needs a learner');
  // Equal servers become one, whose answers no two learners can share.
  if (team.servers.length !== learners.length) throw new RangeError('Two learners have the same server');
  return { id, learnerIds: learners.map(({ server }) => server.id), team };
}

/** Each learner alone; for Homo-MARS² in its two roles. */
export function singleGroups({ spec, members }: LearningInput): readonly LearnerGroup[] {
  const inRoles = spec.method === 'homo-mars2';
  return members.map((member) => learnerGroup(member.server.id, [member], inRoles));
}

/** All learners in the same trees, without roles; with one learner the same as alone. */
export function teamGroup({ members }: LearningInput): LearnerGroup {
  return learnerGroup('team', members, false);
}

/** The groups that share trees during training; none for a training without updates. */
export function trainingGroups(input: LearningInput): readonly LearnerGroup[] {
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

function hasNoRefinement({ method, refinement }: Learning): boolean {
  return METHODS_WITHOUT_TREES.includes(method) || !refinement;
}

/** The search that grows a training tree. First attempts do not wait for each other's verdicts. */
export function trainingSearch(spec: Learning): SearchOptions {
  const search = mars2Search({ nodes: spec.nodes, samplesPerAgent: 0 });
  if (!hasNoRefinement(spec)) return search;
  return { ...search, strategy: { kind: 'repeated' }, batch: Math.min(spec.nodes, MAX_CONCURRENT) };
}

/** The search that grows an evaluation tree, equal for all methods. */
export function evaluationSearch({ evaluation }: Learning): SearchOptions {
  return mars2Search({ nodes: evaluation.nodes, samplesPerAgent: 0 });
}

/** `samples` independent first attempts in total, divided among the roles if there are any. */
export function samplesSearch(samples: number, { team }: LearnerGroup): SearchOptions {
  const samplesPerAgent = Math.ceil(samples / team.agents.length);
  const nodes = samplesPerAgent * team.agents.length;
  return mars2Search({ nodes, batch: Math.min(nodes, MAX_CONCURRENT), samplesPerAgent });
}

/** The method's objective. Groups of first attempts have no parents, so shaping would only scale their rewards. */
export function objectiveOf(spec: Learning): Objective {
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
