import { isUnderWay, type PlanStep, type ServerSpec, studyIsRunning } from '../../../preload/contract/index';
import { assertNever, orThrow } from '../../base/index';
import { noteOf, notStarted } from '../logic/plan-record';
import type { Reproduction } from '../logic/reproductions/record';
import {
  nextBatch,
  nextStudyAction,
  type SearchBatch,
  searchesByStudy,
} from '../logic/reproductions/search-batch';
import { openSteps } from '../logic/step-status';
import { type AddStudyDeps, addSearchStudy } from './add-search-study';
import { type CollectDeps, giveUpSearches, idsOf } from './collect-searches';

/** Searches of a reproduction: batch by batch, each a study whose servers are up. */
export type SearchSteps = {
  /** Answers what it waits for, in words; null: nothing outside of the plan. */
  readonly reconcile: (id: string) => Promise<string | null>;
  /** Stops studies and releases servers; both can be resumed. */
  readonly halt: (id: string) => Promise<void>;
};

export function createSearchSteps(deps: CollectDeps & AddStudyDeps): SearchSteps {
  const { studies, store, servers } = deps;
  /** Studies that were started since the workbench was opened. */
  const started = new Set<string>();

  /** Follows the studies of this reproduction's searches: collects, gives up, or names the one to start. */
  const follow = async (
    id: string,
  ): Promise<{ toStart: string | null; atWork: boolean; pausedBy: string | null }> => {
    const reproduction = store.get(id);
    const result = { toStart: null as string | null, atWork: false, pausedBy: null as string | null };
    if (reproduction === null) return result;
    for (const [studyId, steps] of searchesByStudy(reproduction)) {
      const view = studies.list().find(({ study }) => study.id === studyId);
      const halted = steps.some((step) => noteOf(reproduction.record, step.id).state.kind === 'halted');
      const action = nextStudyAction(view, { halted, startedNow: started.has(studyId) });
      switch (action.kind) {
        case 'wait':
          result.atWork = true;
          break;
        case 'start':
          result.toStart ??= studyId;
          break;
        case 'paused':
          result.pausedBy ??= action.message;
          break;
        case 'forget':
          await store.note(id, idsOf(steps), notStarted);
          break;
        case 'collect':
          if (view !== undefined) await giveUpSearches(deps, reproduction, steps, view, INCOMPLETE);
          break;
        case 'give-up':
          if (view !== undefined) await giveUpSearches(deps, reproduction, steps, view, action);
          break;
        default:
          assertNever(action);
      }
    }
    await finishGradings(id);
    return result;
  };

  /** A search is done once all its programs are graded. By what is noted, so that a kill behind a search leaves none open. */
  const finishGradings = async (id: string): Promise<void> => {
    const reproduction = store.get(id);
    if (reproduction === null) return;
    const graded = openSteps(reproduction, 'grade').filter(({ needs }) =>
      needs.every((need) => noteOf(reproduction.record, need).state.kind === 'done'),
    );
    if (graded.length > 0) await store.finish(id, idsOf(graded));
  };

  const startStudy = async (id: string, studyId: string): Promise<string | null> => {
    const start = await studies.start(studyId);
    if (start.ok) {
      started.add(studyId);
      const reproduction = store.get(id);
      const steps = reproduction === null ? [] : (searchesByStudy(reproduction).get(studyId) ?? []);
      const halted = steps.filter(
        (step) => reproduction !== null && noteOf(reproduction.record, step.id).state.kind === 'halted',
      );
      await store.note(id, idsOf(halted), { state: { kind: 'begun' } });
      return null;
    }
    return start.error.message;
  };
  return {
    reconcile: async (id) => {
      const { toStart, atWork, pausedBy } = await follow(id);
      const reproduction = store.get(id);
      if (reproduction === null) return null;
      const batch = nextBatch(reproduction);
      await servers.release(reproduction, unneeded(reproduction, batch));
      if (batch === null) return null;
      if (pausedBy !== null) return pausedBy;
      if (!atWork && studies.list().some(({ state }) => studyIsRunning(state))) {
        const conflict = studies.conflict(await neededServers(deps, reproduction, batch, toStart));
        if (conflict !== null) return conflict.message;
      }
      if (!(await servers.bringUp(reproduction, batch.serves)) || atWork) return null;
      const now = store.get(id);
      const open = now === null ? null : nextBatch(now);
      if (now === null || open === null || open.number !== batch.number) return null;
      const planned = open.searches.filter((step) => noteOf(now.record, step.id).studyId === null);
      const together = planned.filter((step) => !noteOf(now.record, step.id).alone);
      const next = together.length > 0 ? together : planned.slice(0, 1);
      const studyId = toStart ?? (next.length === 0 ? null : await addSearchStudy(deps, now, next));
      return studyId === null ? null : startStudy(id, studyId);
    },
    halt: async (id) => {
      const reproduction = store.get(id);
      if (reproduction === null) return;
      for (const [studyId, steps] of searchesByStudy(reproduction)) {
        const view = studies.list().find(({ study }) => study.id === studyId);
        await store.note(id, idsOf(steps), { state: { kind: 'halted' } });
        if (view !== undefined && isUnderWay(view.state)) orThrow(await studies.stop(studyId, 'paused'));
      }
      const now = store.get(id);
      if (now !== null) await servers.release(now, now.plan.steps);
    },
  };
}

const INCOMPLETE = {
  message: 'Its study ended without having searched and graded everything.',
  hint: 'Open the study to see why, then retry the step.',
};

/** Servers of the study to start, else of the searches that it will be made of; unknown ones are left out. */
async function neededServers(
  { studies, servers }: AddStudyDeps,
  reproduction: Reproduction,
  { searches }: SearchBatch,
  toStart: string | null,
): Promise<ServerSpec[]> {
  const study = toStart === null ? null : studies.results.study(toStart);
  if (study?.ok) return study.value.runs.flatMap(({ team }) => team.servers);
  const specs: ServerSpec[] = [];
  for (const { id } of searches) {
    const work = reproduction.work.get(id);
    if (work?.kind !== 'search') continue;
    for (const server of work.servers) {
      const spec = await servers.specOf(reproduction, server);
      if (spec.ok) specs.push(spec.value);
    }
  }
  return specs;
}

/** Servers that this reproduction does not need any more, or not now. */
function unneeded(reproduction: Reproduction, batch: SearchBatch | null): PlanStep[] {
  const needed = new Set(batch?.serves.map(({ id }) => id));
  const later = new Set(openSteps(reproduction, 'search').flatMap(({ needs }) => needs));
  return reproduction.plan.steps.filter((step) => {
    const work = reproduction.work.get(step.id);
    if (work?.kind !== 'serve' || noteOf(reproduction.record, step.id).heldSince === null) return false;
    if (needed.has(step.id)) return false;
    // It stays up over batches without it where the plan has room for it, but not while nothing can be searched.
    return batch === null || !later.has(step.id) || work.untilWave <= batch.number;
  });
}
