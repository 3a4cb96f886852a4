import type { Decision } from '../../preload/contract';
import { assertNever } from '../base';

/** Options of the question `widen` besides children, which are numbered from 0: GEN and CONT of the papers. */
export const GENERATE = -1;
export const PROCEED = -2;

/** The option "a new node by this agent" of the question `widen`, as a number below PROCEED; applied twice it gives the agent. */
export function agentOption(agent: number): number {
  return -3 - agent;
}

/** A decision with nodes and agents by number, as the algorithms make it. */
export type IndexedDecision = Omit<Decision, 'options'> & {
  /** widen: `GENERATE`, `PROCEED`, an `agentOption` or a child; child, leaf: a node; agent: a position in the team. */
  readonly options: readonly number[];
};

/** Names the options of decisions. Names are cached: a wide root has thousands of options at every ask. */
export class DecisionNames {
  readonly #agents: readonly string[];
  readonly #children: string[] = [];
  readonly #leaves: string[] = [];

  constructor(agentIds: readonly string[]) {
    this.#agents = agentIds.map((id) => `agent:${id}`);
  }

  decision(indexed: IndexedDecision): Decision {
    return { ...indexed, options: indexed.options.map((option) => this.#name(indexed.question, option)) };
  }

  #name(question: Decision['question'], option: number): string {
    switch (question) {
      case 'agent':
        return this.#agents[option] as string;
      case 'leaf':
        return nodeName(this.#leaves, 'leaf', option);
      case 'widen':
      case 'child':
        if (option === GENERATE) return 'generate';
        if (option === PROCEED) return 'proceed';
        if (option < 0) return this.#agents[agentOption(option)] as string;
        return nodeName(this.#children, 'child', option);
      default:
        return assertNever(question);
    }
  }
}

function nodeName(names: string[], kind: string, node: number): string {
  const cached = names[node + 1];
  if (cached !== undefined) return cached;
  const name = `${kind}:${node}`;
  names[node + 1] = name;
  return name;
}
