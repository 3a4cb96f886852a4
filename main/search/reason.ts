import type { Decision } from '../../preload/contract';
import { assertNever } from '../base';

/** Options of the question `widen`, besides children, which have numbers from 0. */
export const GENERATE = -1;
export const PROCEED = -2;

/** Of the question `widen`: a fresh attempt by this agent; its own inverse. */
export function agentOption(agent: number): number {
  return -3 - agent;
}

/** A decision as the strategies make it: options are nodes and agents by number. */
export type Reason = Omit<Decision, 'options'> & {
  /** widen: `GENERATE`, `PROCEED`, an `agentOption` or a child; child, leaf: a node; agent: a position in the team. */
  readonly options: readonly number[];
};

/** Gives reasons their names. Names are made once: a wide root has thousands, at every ask. */
export class ReasonNames {
  readonly #agents: readonly string[];
  readonly #children: string[] = [];
  readonly #leaves: string[] = [];

  constructor(agentIds: readonly string[]) {
    this.#agents = agentIds.map((id) => `agent:${id}`);
  }

  decision(reason: Reason): Decision {
    return { ...reason, options: reason.options.map((option) => this.#name(reason.question, option)) };
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
  const known = names[node + 1];
  if (known !== undefined) return known;
  const name = `${kind}:${node}`;
  names[node + 1] = name;
  return name;
}
