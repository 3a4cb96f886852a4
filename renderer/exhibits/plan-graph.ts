import type { PlanStep, ReproductionStep, StepKind } from '../../preload/contract/reproduction';

/** The part of a step that the graph needs. */
export type GraphStep = Pick<PlanStep, 'id' | 'kind' | 'needs' | 'title'>;

export type GraphNode<S extends GraphStep> = {
  readonly step: S;
  /** The middle of the node, pixels. */
  readonly x: number;
  readonly y: number;
  /** Height of the node, pixels. */
  readonly height: number;
};
export type PlanGraph<S extends GraphStep> = {
  readonly columns: readonly { readonly kind: StepKind; readonly x: number; readonly count: number }[];
  readonly nodes: readonly GraphNode<S>[];
  /** From a step to one that depends on it. */
  readonly edges: readonly { readonly from: GraphNode<S>; readonly to: GraphNode<S> }[];
};

/** Maximum height of a node, pixels; with many nodes each becomes a thin line. */
const MAX_NODE_HEIGHT = 14;
/** Share of a node's slot that is left as a gap. */
const GAP01 = 0.25;

/**
 * One column per kind of step, left to right in order of work. Within a column steps are sorted by the mean position of
 * their dependencies, which keeps crossings low without a search.
 */
export function planGraph<S extends GraphStep>(
  steps: readonly S[],
  kinds: readonly StepKind[],
  size: { readonly width: number; readonly height: number },
): PlanGraph<S> {
  const present = kinds.filter((kind) => steps.some((step) => step.kind === kind));
  const columnWidth = present.length === 0 ? 0 : size.width / present.length;
  const nodes = new Map<string, GraphNode<S>>();
  const columns = present.map((kind, at) => {
    const x = columnWidth * (at + 0.5);
    const own = steps.filter((step) => step.kind === kind);
    const targetY = (step: S, position: number): number => {
      const ys = step.needs.flatMap((id) => nodes.get(id)?.y ?? []);
      return ys.length === 0
        ? ((position + 0.5) / own.length) * size.height
        : ys.reduce((sum, y) => sum + y, 0) / ys.length;
    };
    const ordered = own
      .map((step, position) => ({ step, position, target: targetY(step, position) }))
      .sort((a, b) => a.target - b.target || a.position - b.position);
    const room = size.height / own.length;
    ordered.forEach(({ step }, position) => {
      nodes.set(step.id, {
        step,
        x,
        y: room * (position + 0.5),
        height: Math.max(1, Math.min(MAX_NODE_HEIGHT, room * (1 - GAP01))),
      });
    });
    return { kind, x, count: own.length };
  });
  const edges = [...nodes.values()].flatMap((to) =>
    to.step.needs.flatMap((id) => {
      const from = nodes.get(id);
      return from === undefined ? [] : [{ from, to }];
    }),
  );
  return { columns, nodes: [...nodes.values()], edges };
}

/** Ids of the step, all its dependencies and all its dependents, transitively. */
export function lineageOf(steps: readonly GraphStep[], id: string): ReadonlySet<string> {
  const byId = new Map(steps.map((step) => [step.id, step]));
  const needers = new Map<string, string[]>();
  for (const step of steps)
    for (const need of step.needs) needers.set(need, [...(needers.get(need) ?? []), step.id]);
  const reachable = (next: (id: string) => readonly string[]): readonly string[] => {
    const ids = new Set<string>([id]);
    const open = [id];
    for (let step = open.pop(); step !== undefined; step = open.pop()) {
      for (const other of next(step)) {
        if (ids.has(other)) continue;
        ids.add(other);
        open.push(other);
      }
    }
    return [...ids];
  };
  return new Set([
    ...reachable((step) => byId.get(step)?.needs ?? []),
    ...reachable((step) => needers.get(step) ?? []),
  ]);
}

/** State of a step, for plans and running reproductions alike. */
export type StepTone = 'planned' | 'running' | 'done' | 'reused' | 'failed' | 'blocked' | 'missing';

export function stepTone(step: PlanStep | ReproductionStep): StepTone {
  if (!('state' in step)) {
    if (step.missing.length > 0) return 'missing';
    return step.reuse === null ? 'planned' : 'reused';
  }
  const { state } = step;
  if (state.kind === 'done') return state.reused ? 'reused' : 'done';
  return state.kind === 'waiting' ? 'planned' : state.kind;
}
