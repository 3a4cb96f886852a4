import type { RunView } from '../../../preload/contract/index';

/** What should be said while a run can still be saved, in words; oldest run first. */
export function warningsOf(views: ReadonlyMap<string, RunView>): string[] {
  const warnings: string[] = [];
  for (const view of views.values()) {
    const failures = new Map<string, { count: number; last: string }>();
    const withoutCode = new Map<string, { none: number; all: number }>();
    let faults = 0;
    for (const tree of view.trees.values()) {
      for (const failure of tree.failures) {
        // A recorded agent that has no sample left is in the nature of recordings.
        if (failure.reason === 'exhausted') continue;
        const count = (failures.get(failure.agentId)?.count ?? 0) + 1;
        failures.set(failure.agentId, { count, last: failure.message });
      }
      for (const node of tree.nodes) {
        if (node.privateVerdict === 'sandbox-fault') faults += 1;
        const seen = withoutCode.get(node.agentId) ?? { none: 0, all: 0 };
        seen.all += 1;
        if (node.publicVerdict === 'no-code') seen.none += 1;
        withoutCode.set(node.agentId, seen);
      }
    }
    const { configuration } = view.config;
    for (const [agentId, { count, last }] of failures) {
      warnings.push(`${configuration}: ${count} requests to ${agentId} failed, the last one with: ${last}`);
    }
    for (const [agentId, { none, all }] of withoutCode) {
      if (all >= 10 && none > all / 2) {
        warnings.push(
          `${configuration}: ${none} of ${all} answers of ${agentId} hold no program; check its prompt format.`,
        );
      }
    }
    if (faults > 0) {
      warnings.push(
        `${configuration}: the sandbox failed on ${faults} candidates; they are left out of the numbers.`,
      );
    }
  }
  return warnings;
}
