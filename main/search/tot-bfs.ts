import type { Strategy } from '../../preload/contract';
import { PlannedSearch } from './planned-search';
import type { Reason } from './reason';
import { ROOT } from './tree';
import type { Choice } from './tree-search';

export type TotBfsOptions = Pick<Extract<Strategy, { kind: 'tot-bfs' }>, 'breadth' | 'size'>;

/** Leaves that a reason names: the chosen one and those that come next. */
const LEAVES_TOLD = 8;

/** What is to be written before the next level begins. */
type Level = { choices: readonly Choice[]; readonly parents: ReadonlySet<number>; told: number };

/**
 * Tree of Thoughts, breadth first (Yao et al., arXiv 2305.10601) as SakanaAI/treequest has it
 * (src/treequest/algos/tree_of_thought_bfs.py at commit e6865b7): the root gets one program, of the first agent only;
 * then the `breadth` best nodes of the deepest level get max(1, floor(size / agents)) programs of every agent each. The
 * earlier node wins ties.
 *
 * Several at once: when all that was planned for a level has been asked but not yet told, the same is planned once
 * more, so that nobody waits and the level becomes wider; the next level begins when as many nodes were told as were
 * planned at first. Where the deepest level is closed altogether, the level above it is expanded again.
 */
export class TotBfs extends PlannedSearch {
  readonly #options: TotBfsOptions;
  readonly #scores: number[] = [];
  /** At [depth]: the nodes of this depth, in the order of recording. */
  readonly #levels: number[][] = [[ROOT]];
  #level: Level = { choices: [], parents: new Set(), told: 0 };

  constructor(options: TotBfsOptions, agentCount: number) {
    super(agentCount);
    this.#options = options;
  }

  protected recorded(node: number, parent: number, score: number): void {
    this.#scores[node] = score;
    const depth = this.tree.depthOf(node);
    const level = this.#levels[depth];
    if (level === undefined) this.#levels[depth] = [node];
    else level.push(node);
    if (this.#level.parents.has(parent)) this.#level.told += 1;
  }

  protected plan(): readonly Choice[] {
    const { told, choices } = this.#level;
    const possible = choices.filter(({ parent, agent }) => this.openings.at(parent).includes(agent));
    if (told < possible.length) return possible;
    const next = this.#nextLevel();
    this.#level = { choices: next, parents: new Set(next.map(({ parent }) => parent)), told: 0 };
    return next;
  }

  #nextLevel(): Choice[] {
    const first = this.openings.at(ROOT)[0];
    if (this.tree.size === 0 && first !== undefined) return [{ parent: ROOT, agent: first, why: [] }];
    const ranked = this.#deepestOpenNodes();
    const samples = Math.max(1, Math.floor(this.#options.size / this.openings.active.length));
    const choices: Choice[] = [];
    for (const [rank, parent] of ranked.slice(0, this.#options.breadth).entries()) {
      const why = this.#whyThisLeaf(ranked.slice(rank, rank + LEAVES_TOLD));
      for (const agent of this.openings.at(parent)) {
        for (let i = 0; i < samples; i++) choices.push({ parent, agent, why });
      }
    }
    return choices;
  }

  /** Best first. */
  #deepestOpenNodes(): readonly number[] {
    for (let depth = this.#levels.length - 1; depth >= 0; depth--) {
      const open = (this.#levels[depth] as number[]).filter((node) => this.openings.at(node).length > 0);
      // The sort is stable: the earlier of equals stays in front.
      if (open.length > 0) return open.sort((a, b) => this.#scoreOf(b) - this.#scoreOf(a));
    }
    return [];
  }

  /** The best leaves are taken one after the other: one of them is the best of those that were left. */
  #whyThisLeaf(left: readonly number[]): readonly Reason[] {
    if (left.length < 2) return [];
    const values = left.map((node) => this.#scoreOf(node));
    return [{ node: ROOT, question: 'leaf', measure: 'score', options: left, values, chosen: 0 }];
  }

  #scoreOf(node: number): number {
    return this.#scores[node] ?? 0;
  }
}
