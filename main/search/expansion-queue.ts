import type { Reason } from './reason';
import type { Choice } from './tree-search';

/**
 * Programs that were planned and not asked yet, of strategies that plan several at once. Agents are served in the
 * team's order, all programs of the first before those of the second, as treequest's queue gives them when one is
 * asked at a time (src/treequest/trial.py). Asking takes a program out, so that none is asked twice and none is thrown
 * away: treequest hands the same one out again to a larger batch, and makes the surplus invalid once it is told.
 */
export class ExpansionQueue {
  /** Per agent, the next program last. */
  readonly #waiting: Choice[][];
  #size = 0;

  constructor(agentCount: number) {
    this.#waiting = Array.from({ length: agentCount }, () => []);
  }

  get size(): number {
    return this.#size;
  }

  /** To be asked in this order as far as one agent is concerned. */
  plan(choices: readonly Choice[]): void {
    for (const waiting of this.#waiting) waiting.reverse();
    for (const choice of choices) this.#waiting[choice.agent]?.push(choice);
    for (const waiting of this.#waiting) waiting.reverse();
    this.#size += choices.length;
  }

  take(): Choice | null {
    const agents: number[] = [];
    const turns: number[] = [];
    let before = 0;
    for (const [agent, waiting] of this.#waiting.entries()) {
      if (waiting.length === 0) continue;
      agents.push(agent);
      turns.push(before);
      before += waiting.length;
    }
    const first = agents[0];
    const choice = first === undefined ? undefined : this.#waiting[first]?.pop();
    if (choice === undefined) return null;
    this.#size -= 1;
    if (agents.length === 1) return choice;
    const turn: Reason = {
      node: choice.parent,
      question: 'agent',
      measure: 'turn',
      options: agents,
      values: turns,
      chosen: 0,
    };
    return { ...choice, why: [...choice.why, turn] };
  }

  /** A program that could not be written is the agent's next one. */
  putBack(choice: Choice): void {
    const why = choice.why.filter(({ measure }) => measure !== 'turn'); // the turn is told anew
    this.#waiting[choice.agent]?.push({ ...choice, why });
    this.#size += 1;
  }

  /** Takes out what an agent was to write: everything, or what was planned below one node. */
  drop(agent: number, parent?: number): void {
    const waiting = this.#waiting[agent] as Choice[];
    const kept = parent === undefined ? [] : waiting.filter((choice) => choice.parent !== parent);
    this.#size -= waiting.length - kept.length;
    this.#waiting[agent] = kept;
  }
}
