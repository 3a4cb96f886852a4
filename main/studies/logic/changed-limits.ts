import {
  type CheckedPayload,
  limitsOf,
  type Refusal,
  type RunConfig,
  type Study,
  type TreeLimits,
  withLimits,
} from '../../../preload/contract/index';
import { canonicalJson, counted, failed, ok, type Result } from '../../base/index';

type LimitsRequest = Pick<CheckedPayload<'study.extend'>, 'nodes' | 'tokens' | 'seconds'>;

/** Why the request to extend a study is refused. */
export const refused = (message: string, hint?: string): Result<never, Refusal> =>
  failed({ code: 'bad-input', message, ...(hint === undefined ? {} : { hint }) });

/** N of the configuration whose trees may have the most nodes. */
export const maxNodes = (runs: readonly RunConfig[]): number =>
  Math.max(...runs.map(({ search }) => search.nodes));

/** The limit of the configuration that has the highest; null: one has none. */
export function highest({ runs }: Pick<Study, 'runs'>, limit: 'tokens' | 'seconds'): number | null {
  const most = Math.max(...runs.map(({ search }) => search.treeBudget[limit] ?? Number.POSITIVE_INFINITY));
  return Number.isFinite(most) ? most : null;
}

/**
 * The runs with other limits of their trees: of all configurations where a limit is higher or of tokens or seconds, of those
 * with more nodes where there are to be fewer.
 */
export function withTreeLimits(
  study: Pick<Study, 'runs'>,
  { nodes, tokens, seconds }: LimitsRequest,
): Result<RunConfig[], Refusal> {
  const { runs } = study;
  const refusal =
    nodesRefusal(runs, nodes) ??
    limitRefusal(runs, tokens, 'tokens') ??
    limitRefusal(runs, seconds, 'seconds');
  if (refusal !== null) return refusal;
  const isLower = nodes !== undefined && nodes < maxNodes(runs);
  const changed = runs.map((run): RunConfig => {
    const own = limitsOf(run.search);
    const since: TreeLimits = {
      nodes: isLower ? Math.min(own.nodes, nodes) : (nodes ?? own.nodes),
      tokens: tokens === undefined ? own.tokens : tokens,
      seconds: seconds === undefined ? own.seconds : seconds,
    };
    return { ...run, search: withLimits(run.search, since) };
  });
  return duplicateRefusal(runs, changed) ?? ok(changed);
}

/** Configurations that differed in their limits alone must not become one under two names. */
function duplicateRefusal(before: readonly RunConfig[], changed: readonly RunConfig[]): Refused | null {
  const keysOf = (runs: readonly RunConfig[]) =>
    runs.map(({ team, search, seed, benchmarkId }) => canonicalJson({ team, search, seed, benchmarkId }));
  const [old, now] = [keysOf(before), keysOf(changed)];
  for (const [at, key] of now.entries()) {
    const other = now.indexOf(key);
    const [first, second] = [changed[other], changed[at]];
    if (other === at || old[other] === old[at] || first === undefined || second === undefined) continue;
    return refused(
      `"${first.configuration}" and "${second.configuration}" would then search in the same way, under names that say otherwise.`,
      'Create another study with these limits: New study like this.',
    );
  }
  return null;
}

type Refused = ReturnType<typeof refused>;

function nodesRefusal(runs: readonly RunConfig[], nodes: number | undefined): Refused | null {
  const most = maxNodes(runs);
  if (nodes === undefined || nodes < most) return null;
  if (nodes === most)
    return refused(`Its trees have ${counted(most, 'node')} already. Choose more, or fewer.`);
  for (const { configuration, team, search } of runs) {
    const own = team.agents.map(({ budget }) => budget?.nodes ?? null);
    const sumOfLimits = own.reduce<number>((sum, limit) => sum + (limit ?? Number.POSITIVE_INFINITY), 0);
    if (sumOfLimits > search.nodes) continue;
    return refused(
      `The agents of "${configuration}" may write ${counted(sumOfLimits, 'node')} of one tree together, and have written them: their own budgets end the tree, so a larger one adds nothing.`,
      'Create a study with larger budgets of the agents.',
    );
  }
  return null;
}

function limitRefusal(
  runs: readonly RunConfig[],
  value: number | null | undefined,
  limit: 'tokens' | 'seconds',
): Refused | null {
  if (value === undefined || runs.some(({ search }) => search.treeBudget[limit] !== value)) return null;
  return refused(
    value === null
      ? `Its trees have no limit of ${limit}.`
      : `Its trees have a limit of ${value} ${limit} already. Choose another one.`,
  );
}
