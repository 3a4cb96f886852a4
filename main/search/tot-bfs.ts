import type { Strategy } from '../../preload/contract';
import type { IndexedDecision } from './indexed-decision';
import { PlannedSearch } from './planned-search';
import type { Expansion } from './search-algorithm';
import { ROOT } from './tree';

export type TotBfsOptions = Pick<Extract<Strategy, { kind: 'tot-bfs' }>, 'breadth' | 'size'>;

/** Leaves that a decision records: the chosen one and the next best. */
const LEAVES_IN_DECISION = 8;

/** The expansions of the current level; `recorded` counts the nodes that they gave. */
type Level = { expansions: readonly Expansion[]; readonly parents: ReadonlySet<number>; recorded: number };

/**
 * Tree of Thoughts, breadth first (Yao et al., arXiv 2305.10601) as SakanaAI/treequest has it
 * (src/treequest/algos/tree_of_thought_bfs.py at commit e6865b7): the root gets one program, of the first agent only;
 * then the `breadth` best nodes of the deepest level get max(1, floor(size / agents)) programs of every agent each. The
 * earlier node wins ties.
 *
 * In a batch, when everything planned for a level has been asked but outcomes are missing, the same is planned once
 * more, so that nobody waits and the level becomes wider; the next level begins when as many nodes are recorded as were
 * planned at first. Where the whole deepest level is closed, the level above it is expanded again.
 */
export class TotBfs extends PlannedSearch {
  readonly #options: TotBfsOptions;
  readonly #scores: number[] = [];
  /** At [depth]: the nodes of this depth, in the order of recording. */
  readonly #levels: number[][] = [[ROOT]];
  #level: Level = { expansions: [], parents: new Set(), recorded: 0 };

  constructor(options: TotBfsOptions, agentCount: number) {
    super(agentCount);
    this.#options = options;
  }

  protected nodeRecorded(node: number, parent: number, score: number): void {
    this.#scores[node] = score;
    const depth = this.tree.depthOf(node);
    const level = this.#levels[depth];
    if (level === undefined) this.#levels[depth] = [node];
    else level.push(node);
    if (this.#level.parents.has(parent)) this.#level.recorded += 1;
  }

  protected plan(): readonly Expansion[] {
    const { recorded, expansions } = this.#level;
    const possible = expansions.filter(({ parent, agent }) =>
      this.expandable.agentsAt(parent).includes(agent),
    );
    if (recorded < possible.length) return possible;
    const next = this.#nextLevel();
    this.#level = { expansions: next, parents: new Set(next.map(({ parent }) => parent)), recorded: 0 };
    return next;
  }

  #nextLevel(): Expansion[] {
    const first = this.expandable.agentsAt(ROOT)[0];
    if (this.tree.size === 0 && first !== undefined) return [{ parent: ROOT, agent: first, why: [] }];
    const ranked = this.#deepestExpandableNodes();
    const samples = Math.max(1, Math.floor(this.#options.size / this.expandable.activeAgents.length));
    const expansions: Expansion[] = [];
    for (const [rank, parent] of ranked.slice(0, this.#options.breadth).entries()) {
      const why = this.#leafDecision(ranked.slice(rank, rank + LEAVES_IN_DECISION));
      for (const agent of this.expandable.agentsAt(parent)) {
        for (let i = 0; i < samples; i++) expansions.push({ parent, agent, why });
      }
    }
    return expansions;
  }

  /** Best first. */
  #deepestExpandableNodes(): readonly number[] {
    for (let depth = this.#levels.length - 1; depth >= 0; depth--) {
      const open = (this.#levels[depth] as number[]).filter(
        (node) => this.expandable.agentsAt(node).length > 0,
      );
      // The sort is stable: among equals the earlier node stays first.
      if (open.length > 0) return open.sort((a, b) => this.#scoreOf(b) - this.#scoreOf(a));
    }
    return [];
  }

  /** The leaves are chosen best first, each from those that remain. */
  #leafDecision(candidates: readonly number[]): readonly IndexedDecision[] {
    if (candidates.length < 2) return [];
    const values = candidates.map((node) => this.#scoreOf(node));
    return [{ node: ROOT, question: 'leaf', measure: 'score', options: candidates, values, chosen: 0 }];
  }

  #scoreOf(node: number): number {
    return this.#scores[node] ?? 0;
  }
}
