import { randomStream } from '../../main/base';
import type { DoneTraining } from '../../main/metrics';
import type { TeamEvaluation, TrainingEvaluation } from '../../preload/contract';

/** How often agents of a made-up training pass: rates in [0, 1]. */
export type MadeUpSkill = {
  readonly alone: Readonly<Record<string, number>>;
  readonly searched: number;
  readonly team: number;
};

function teamOf(
  agentIds: readonly string[],
  rate: (agentId: string) => number,
  searched: number,
  problems: number,
  seed: number,
): TeamEvaluation {
  const random = randomStream('made-up evaluation', agentIds.join(' '), seed);
  return {
    agentIds: [...agentIds],
    nodes: 60,
    problems: Array.from({ length: problems }, (_, at) => {
      // The same problems are hard for everybody.
      const ease = 0.4 + (1.2 * ((at * 7) % problems)) / problems;
      const chosenPasses = random.uniform() < searched * ease;
      const somePasses = chosenPasses || random.uniform() < 0.1;
      return {
        problemId: `problem-${at}`,
        samples: agentIds.map((agentId) => {
          const passed = Array.from({ length: 16 }, () => random.uniform() < rate(agentId) * ease);
          return { agentId, count: 16, passed: passed.filter(Boolean).length };
        }),
        chosenPasses,
        somePasses,
        distinctPrograms: 1 + random.integer(40),
        algorithms: somePasses ? [1 + random.integer(9), 1 + random.integer(4), 1] : [],
      };
    }),
  };
}

/** An evaluation as a trainer would write it: each agent alone, then the team. The same for the same arguments. */
export function madeUpEvaluation(seed: number, skill: MadeUpSkill, problems = 30): TrainingEvaluation {
  const agents = Object.keys(skill.alone);
  const rate = (agent: string): number => skill.alone[agent] ?? 0;
  const alone = agents.map((agent) => teamOf([agent], rate, rate(agent) + skill.searched, problems, seed));
  const team = agents.length > 1 ? [teamOf(agents, rate, skill.team, problems, seed)] : [];
  return { split: 'validation', seed, teams: [...alone, ...team] };
}

export function madeUpTraining(
  label: string,
  seed: number,
  skill: MadeUpSkill,
  zeroShare: number | null,
): DoneTraining {
  const agents = Object.keys(skill.alone);
  return {
    label,
    seed,
    evaluation: madeUpEvaluation(seed, skill),
    zeroAdvantage:
      zeroShare === null ? [] : agents.map((agentId, at) => ({ agentId, share: zeroShare + at * 0.1 })),
    seconds: 10 * seed,
  };
}
