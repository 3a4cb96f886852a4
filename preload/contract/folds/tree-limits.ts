import type { NodeAdded, RunEvent, TreeEnd } from '../run-events';
import type { SearchOptions, TreeLimits } from '../strategy';
import type { Study } from '../study';

/** An event that changes when search trees end. */
export type LimitsEvent = Extract<RunEvent, { kind: 'run-extended' | 'limits-changed' }>;

export function isLimitsEvent(event: RunEvent): event is LimitsEvent {
  return event.kind === 'run-extended' || event.kind === 'limits-changed';
}

type Use = Pick<NodeAdded, 'promptTokens' | 'completionTokens' | 'generateMs' | 'gradeMs'>;

export function limitsOf({ nodes, treeBudget }: Pick<SearchOptions, 'nodes' | 'treeBudget'>): TreeLimits {
  return { nodes, tokens: treeBudget.tokens, seconds: treeBudget.seconds };
}

export function withLimits<S extends Pick<SearchOptions, 'nodes' | 'treeBudget'>>(
  search: S,
  { nodes, tokens, seconds }: TreeLimits,
): S {
  return { ...search, nodes, treeBudget: { tokens, seconds } };
}

export function sameLimits(one: TreeLimits, other: TreeLimits): boolean {
  return one.nodes === other.nodes && one.tokens === other.tokens && one.seconds === other.seconds;
}

/** The limits from this event on. */
export function limitsSince(event: LimitsEvent, current: TreeLimits): TreeLimits {
  if (event.kind === 'limits-changed') return event.since;
  return { ...current, nodes: Math.max(current.nodes, event.nodes) };
}

/** The limits up to this event, as far as it says. */
export function limitsBefore(event: LimitsEvent): Partial<TreeLimits> {
  return event.kind === 'limits-changed' ? event.before : { nodes: event.earlierNodes };
}

/** Which limit a tree has reached that has used so much; null: none. */
export function limitReached(
  used: { readonly nodes: number; readonly tokens: number; readonly milliseconds: number },
  { nodes, tokens, seconds }: TreeLimits,
): 'budget' | 'tokens' | 'seconds' | null {
  if (used.nodes >= nodes) return 'budget';
  if (tokens !== null && used.tokens >= tokens) return 'tokens';
  return seconds !== null && used.milliseconds >= seconds * 1_000 ? 'seconds' : null;
}

/** How many of the nodes there are when the first limit is reached, and which; null: none is. */
export function firstLimit(
  nodes: readonly Use[],
  limits: TreeLimits,
): { readonly count: number; readonly end: 'budget' | 'tokens' | 'seconds' } | null {
  let tokens = 0;
  let milliseconds = 0;
  for (const [at, node] of nodes.entries()) {
    tokens += node.promptTokens + node.completionTokens;
    milliseconds += node.generateMs + node.gradeMs;
    const end = limitReached({ nodes: at + 1, tokens, milliseconds }, limits);
    if (end !== null) return { count: at + 1, end };
  }
  return null;
}

/** Has this tree ended with a limit that it is below now? */
export function isReopened(end: TreeEnd | null, nodes: readonly Use[], limits: TreeLimits): boolean {
  if (end !== 'budget' && end !== 'tokens' && end !== 'seconds') return false;
  const none = { nodes: Number.POSITIVE_INFINITY, tokens: null, seconds: null };
  const own = {
    budget: { ...none, nodes: limits.nodes },
    tokens: { ...none, tokens: limits.tokens },
    seconds: { ...none, seconds: limits.seconds },
  };
  return firstLimit(nodes, own[end]) === null;
}

/** Were the limits of its trees changed, otherwise than to more nodes alone? */
export function hasOtherLimits({ extensions = [] }: Pick<Study, 'extensions'>): boolean {
  return extensions.some(
    ({ nodes, tokens, seconds }) =>
      tokens !== undefined || seconds !== undefined || (nodes !== null && nodes.since < nodes.before),
  );
}
