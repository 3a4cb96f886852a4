import { type RunEvent, type TreePart, treeKey } from '../../preload/contract';
import type { EventLocation } from './journal-reader';

/** Ordinals of one tree's events in the index. */
type TreeIndex = {
  readonly all: number[];
  /** By index of the node; -1 where it is not known. */
  readonly nodes: number[];
  readonly grades: number[];
};

/** The slim events of a journal, and where each lies. Plain numbers: a run has tens of thousands of events. */
export class JournalIndex {
  readonly events: RunEvent[] = [];
  readonly #offsets: number[] = [];
  readonly #lengths: number[] = [];
  readonly #trees = new Map<string, TreeIndex>();
  /** Of changes of the plan, which belong to every tree. */
  readonly #changes: number[] = [];

  /** `event` is slim. */
  take(event: RunEvent, location: EventLocation): void {
    const ordinal = this.events.length;
    this.events.push(event);
    this.#offsets.push(location.offset);
    this.#lengths.push(location.length);
    if (event.kind === 'run-extended' || event.kind === 'limits-changed') this.#changes.push(ordinal);
    if (!('problemId' in event)) return;
    const tree = this.#treeOf(event.problemId, event.part);
    tree.all.push(ordinal);
    // As in the contract's fold: if a node is recorded twice, the first counts; if a grade is, the last.
    if (event.kind === 'node-added' && event.index === tree.nodes.length) tree.nodes.push(ordinal);
    if (event.kind === 'node-graded') {
      while (tree.grades.length < event.index) tree.grades.push(-1);
      tree.grades[event.index] = ordinal;
    }
  }

  node(problemId: string, part: TreePart, index: number): EventLocation | null {
    return this.#location(this.#trees.get(treeKey(problemId, part))?.nodes[index]);
  }

  grade(problemId: string, part: TreePart, index: number): EventLocation | null {
    return this.#location(this.#trees.get(treeKey(problemId, part))?.grades[index]);
  }

  tree(problemId: string, part: TreePart): EventLocation[] {
    const own = this.#trees.get(treeKey(problemId, part))?.all ?? [];
    const all =
      this.#changes.length === 0 ? own : [...own, ...this.#changes].sort((one, other) => one - other);
    return all.flatMap((ordinal) => this.#location(ordinal) ?? []);
  }

  #location(ordinal = -1): EventLocation | null {
    const [offset, length] = [this.#offsets[ordinal], this.#lengths[ordinal]];
    return offset === undefined || length === undefined ? null : { offset, length };
  }

  #treeOf(problemId: string, part: TreePart): TreeIndex {
    const key = treeKey(problemId, part);
    let tree = this.#trees.get(key);
    if (tree === undefined) {
      tree = { all: [], nodes: [], grades: [] };
      this.#trees.set(key, tree);
    }
    return tree;
  }
}
