import type { PlanStep, StudyView } from '../../../preload/contract/index';
import { noteOf, notStarted } from '../logic/plan-record';
import type { Reproduction } from '../logic/reproductions/record';
import { nodesOf, tokensOf } from './amounts';
import type { ReproductionDeps } from './deps';
import type { ProgramCosts } from './program-costs';
import type { ReproductionStore } from './reproduction-store';
import { runViews } from './run-views';

export type CollectDeps = Pick<ReproductionDeps, 'studies' | 'comparison' | 'registry'> & {
  readonly store: ReproductionStore;
  readonly programCosts: ProgramCosts;
};

/** A search that fails with others is retried alone once: the cause of its failure may not concern the others. */
export async function giveUpSearches(
  deps: CollectDeps,
  reproduction: Reproduction,
  steps: readonly PlanStep[],
  study: StudyView,
  why: { readonly message: string; readonly hint: string | null },
): Promise<void> {
  const { store } = deps;
  const { id } = reproduction.record;
  const left = await collectSearches(deps, reproduction, steps, study);
  // A study that cannot even start fails all searches alike, unless each prepares a reward model of its own.
  const hasBegun = study.progress.nodesDone > 0 || left.some((step) => hasReward(reproduction, step));
  if (left.length > 1 && hasBegun) {
    await store.note(id, idsOf(left), (note) => ({ ...notStarted(note), alone: true }));
    const text = `The study "${study.study.name}" failed (${why.message}), so each of its ${left.length} searches is done in a study of its own.`;
    await store.decide(id, null, text);
    return;
  }
  await store.fail(id, idsOf(left), why);
}

/** Notes searches whose runs are complete as done; answers the others. */
async function collectSearches(
  deps: CollectDeps,
  reproduction: Reproduction,
  steps: readonly PlanStep[],
  study: StudyView,
): Promise<PlanStep[]> {
  const { store, programCosts } = deps;
  const { id } = reproduction.record;
  const runIds = steps.flatMap((step) => noteOf(reproduction.record, step.id).runId ?? []);
  const { views } = await runViews(deps, runIds);
  const all = [...views.values()].reduce((sum, view) => sum + nodesOf(view), 0);
  const left: PlanStep[] = [];
  for (const step of steps) {
    const view = views.get(noteOf(reproduction.record, step.id).runId ?? '');
    if (view === undefined || !view.finished) {
      left.push(step);
      continue;
    }
    const seconds = all === 0 ? 0 : (study.progress.elapsedMs / 1_000) * (nodesOf(view) / all);
    await store.note(id, [step.id], { took: { seconds, gpuSeconds: 0, tokens: tokensOf(view) } });
    await store.finish(id, [step.id]);
    const work = reproduction.work.get(step.id);
    if (work?.kind === 'search') await programCosts.learn(reproduction, work, view, seconds);
  }
  return left;
}

function hasReward({ work }: Reproduction, { id }: PlanStep): boolean {
  const search = work.get(id);
  return search?.kind === 'search' && search.search.rewardModel !== null;
}

export function idsOf(steps: readonly PlanStep[]): string[] {
  return steps.map(({ id }) => id);
}
