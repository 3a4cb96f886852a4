import type { Strategy } from '../../preload/contract';
import type { Random } from '../base';
import { AbMctsA } from './ab-mcts-a';
import { AbMctsM } from './ab-mcts-m';
import { BanditUcb } from './bandit-ucb';
import { BestFirst } from './best-first';
import { Mcts } from './mcts';
import { Refine } from './refine';
import { RepeatedSampling } from './repeated-sampling';
import type { SearchAlgorithm } from './search-algorithm';
import { TotBfs } from './tot-bfs';

/** Makes the algorithm of one tree; `random` is the tree's own stream, for algorithms that draw. */
type Create<O> = (options: O, agentCount: number, random: Random) => SearchAlgorithm;

/** Every search strategy by the name that studies and journals give it (`strategySchema`). */
const ALGORITHMS: { readonly [K in Strategy['kind']]: Create<Extract<Strategy, { kind: K }>> } = {
  repeated: (_, agentCount) => new RepeatedSampling(agentCount),
  refine: (_, agentCount) => new Refine(agentCount),
  mcts: (options, agentCount) => new Mcts(options, agentCount),
  'best-first': (options, agentCount) => new BestFirst(options, agentCount),
  'tot-bfs': (options, agentCount) => new TotBfs(options, agentCount),
  'bandit-ucb': (options, agentCount) => new BanditUcb(options, agentCount),
  'ab-mcts-a': (options, agentCount, random) => new AbMctsA(options, agentCount, random),
  'ab-mcts-m': (options, agentCount, random) => new AbMctsM(options, agentCount, random),
};

export function createAlgorithm(options: Strategy, agentCount: number, random: Random): SearchAlgorithm {
  // Each entry takes the options of its own name; TypeScript does not relate the two.
  const create = ALGORITHMS[options.kind] as Create<Strategy>;
  return create(options, agentCount, random);
}
