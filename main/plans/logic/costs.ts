import type { Amount } from '../../../preload/contract';

export const NO_AMOUNT: Amount = { seconds: 0, gpuSeconds: 0, tokens: 0 };

/** A step with its cost and the steps that it needs. */
export type CostedStep = {
  readonly id: string;
  readonly needs: readonly string[];
  readonly took: Amount;
};

/** Unknown parts stay unknown: null and anything is null. */
export function addAmounts(a: Amount, b: Amount): Amount {
  return {
    seconds: sum(a.seconds, b.seconds),
    gpuSeconds: sum(a.gpuSeconds, b.gpuSeconds),
    tokens: sum(a.tokens, b.tokens),
  };
}

export function shareOfAmount(amount: Amount, share: number): Amount {
  const part = (value: number | null) => (value === null ? null : value * share);
  return {
    seconds: part(amount.seconds),
    gpuSeconds: part(amount.gpuSeconds),
    tokens: part(amount.tokens),
  };
}

/**
 * The cost of each of `ends` (cells): a step's amount is divided equally among the ends that depend on it, so that the
 * ends sum to the total. The amount of a step without such ends is not assigned.
 */
export function costsOfEnds(steps: readonly CostedStep[], ends: readonly string[]): Map<string, Amount> {
  const byId = new Map(steps.map((step) => [step.id, step]));
  const endsOf = new Map<string, string[]>();
  for (const end of ends) {
    for (const id of transitiveNeeds(end, byId)) endsOf.set(id, [...(endsOf.get(id) ?? []), end]);
  }
  const costs = new Map<string, Amount>(ends.map((end) => [end, NO_AMOUNT]));
  for (const { id, took } of steps) {
    const sharing = endsOf.get(id) ?? [];
    for (const end of sharing) {
      costs.set(end, addAmounts(costs.get(end) ?? NO_AMOUNT, shareOfAmount(took, 1 / sharing.length)));
    }
  }
  return costs;
}

/** A step and all its direct and indirect dependencies. */
export function transitiveNeeds(
  stepId: string,
  byId: ReadonlyMap<string, Pick<CostedStep, 'needs'>>,
): ReadonlySet<string> {
  const visited = new Set<string>();
  const open = [stepId];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (visited.has(id)) continue;
    visited.add(id);
    open.push(...(byId.get(id)?.needs ?? []));
  }
  return visited;
}

function sum(a: number | null, b: number | null): number | null {
  return a === null || b === null ? null : a + b;
}
