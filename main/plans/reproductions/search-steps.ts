import { isAtWork, type PlanStep, type ServerSpec, type StudyView } from '../../../preload/contract/index';
import { assertNever, orThrow } from '../../base/index';
import { studyIdOf } from '../../studies/index';
import { noteOf, notStarted } from '../logic/plan-record';
import type { Reproduction } from '../logic/reproductions/record';
import {
  nextBatch,
  nextStudyAction,
  type SearchBatch,
  searchesByStudy,
} from '../logic/reproductions/search-batch';
import { openSteps } from '../logic/step-status';
import { nodesOf, tokensOf } from './amounts';
import type { BatchServers } from './batch-servers';
import { studyOfBatch } from './batch-study';
import type { ReproductionDeps } from './deps';
import type { ProgramCosts } from './program-costs';
import type { ReproductionStore } from './reproduction-store';
import { runViews } from './run-views';

/** Searches of a reproduction: batch by batch, each a study whose servers are up. */
export type SearchSteps = {
  /** Answers what it waits for, in words; null: nothing outside of the plan. */
  readonly reconcile: (id: string) => Promise<string | null>;
  /** Stops studies and releases servers; both can be resumed. */
  readonly halt: (id: string) => Promise<void>;
};

export function createSearchSteps(
  deps: Pick<ReproductionDeps, 'studies' | 'library' | 'comparison' | 'registry' | 'clock'> & {
    readonly store: ReproductionStore;
    readonly servers: BatchServers;
    readonly programCosts: ProgramCosts;
  },
): SearchSteps {
  const { studies, clock, store, servers, programCosts } = deps;
  const isoNow = (): string => new Date(clock.now()).toISOString();
  /** Studies that were started since the workbench was opened. */
  const started = new Set<string>();

  const gradesOf = (reproduction: Reproduction, stepId: string): string[] =>
    reproduction.plan.steps.flatMap(({ id }) => {
      const work = reproduction.work.get(id);
      return work?.kind === 'grade' && work.searchStepId === stepId ? [id] : [];
    });

  /** Notes searches whose runs are complete as done; answers the others. */
  const collect = async (
    reproduction: Reproduction,
    steps: readonly PlanStep[],
    study: StudyView,
  ): Promise<PlanStep[]> => {
    const { id } = reproduction.record;
    const runIds = steps.flatMap((step) => noteOf(reproduction.record, step.id).runId ?? []);
    const views = await runViews(deps, runIds);
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
      await store.finish(id, gradesOf(reproduction, step.id));
    }
    return left;
  };

  /** One that fails with others is tried alone once: the cause of its failure may not concern the others. */
  const giveUp = async (
    reproduction: Reproduction,
    steps: readonly PlanStep[],
    study: StudyView,
    why: { readonly message: string; readonly hint: string | null },
  ): Promise<void> => {
    const { id } = reproduction.record;
    const left = await collect(reproduction, steps, study);
    // A study that cannot even start fails all searches alike, unless each prepares a reward model of its own.
    const hasBegun = study.progress.nodesDone > 0 || left.some((step) => hasReward(reproduction, step));
    if (left.length > 1 && hasBegun) {
      await store.note(id, idsOf(left), (note) => ({ ...notStarted(note), alone: true }));
      const text = `The study "${study.study.name}" failed (${why.message}), so each of its ${left.length} searches is done in a study of its own.`;
      await store.decide(id, null, text);
      return;
    }
    await store.fail(id, idsOf(left), why);
  };

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
          if (view !== undefined) await giveUp(reproduction, steps, view, INCOMPLETE);
          break;
        case 'give-up':
          if (view !== undefined) await giveUp(reproduction, steps, view, action);
          break;
        default:
          assertNever(action);
      }
    }
    return result;
  };

  /** Adds a study of these searches, which are noted as its own before. */
  const addStudy = async (reproduction: Reproduction, steps: readonly PlanStep[]): Promise<string | null> => {
    const { id } = reproduction.record;
    const createdAt = isoNow();
    const batches = new Set(
      reproduction.plan.steps.flatMap((step) =>
        step.kind === 'search' && step.reuse === null ? [step.wave] : [],
      ),
    ).size;
    const studyId = freeStudyId(`${studyIdOf(createdAt, id)}-w${(steps[0]?.wave ?? 0) + 1}`);
    const study = await studyOfBatch(
      reproduction,
      steps,
      { studyId, createdAt, batches },
      { library: deps.library, specOf: servers.specOf },
    );
    if (!study.ok) {
      await store.fail(id, idsOf(steps), study.error);
      return null;
    }
    const runIds = new Map(steps.map((step, at) => [step.id, study.value.runs[at]?.id ?? null]));
    await store.note(id, [...runIds.keys()], (_, stepId) => ({
      state: { kind: 'begun' },
      studyId,
      runId: runIds.get(stepId) ?? null,
      startedAt: createdAt,
    }));
    orThrow(await studies.add(study.value));
    const text = `Started batch ${(steps[0]?.wave ?? 0) + 1}: ${steps.length} searches in the study "${study.value.name}".`;
    await store.decide(id, null, text);
    return studyId;
  };
  const freeStudyId = (preferred: string): string => {
    let free = preferred;
    for (let n = 2; studies.results.study(free).ok; n++) free = `${preferred}-${n}`;
    return free;
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
  /** Servers of the study to start, else of the searches that it will be made of; unknown ones are left out. */
  const neededServers = async (
    reproduction: Reproduction,
    { searches }: SearchBatch,
    toStart: string | null,
  ): Promise<ServerSpec[]> => {
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
  };
  /** Servers that this reproduction does not need any more, or not now. */
  const unneeded = (reproduction: Reproduction, batch: SearchBatch | null): PlanStep[] => {
    const needed = new Set(batch?.serves.map(({ id }) => id));
    const later = new Set(openSteps(reproduction, 'search').flatMap(({ needs }) => needs));
    return reproduction.plan.steps.filter((step) => {
      const work = reproduction.work.get(step.id);
      if (work?.kind !== 'serve' || noteOf(reproduction.record, step.id).heldSince === null) return false;
      if (needed.has(step.id)) return false;
      // It stays up over batches without it where the plan has room for it, but not while nothing can be searched.
      return batch === null || !later.has(step.id) || work.untilWave <= batch.number;
    });
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
      if (!atWork && studies.list().some(({ state }) => isAtWork(state))) {
        const conflict = studies.conflict(await neededServers(reproduction, batch, toStart));
        if (conflict !== null) return conflict.message;
      }
      if (!(await servers.bringUp(reproduction, batch.serves)) || atWork) return null;
      const now = store.get(id);
      const open = now === null ? null : nextBatch(now);
      if (now === null || open === null || open.number !== batch.number) return null;
      const planned = open.searches.filter((step) => noteOf(now.record, step.id).studyId === null);
      const together = planned.filter((step) => !noteOf(now.record, step.id).alone);
      const next = together.length > 0 ? together : planned.slice(0, 1);
      const studyId = toStart ?? (next.length === 0 ? null : await addStudy(now, next));
      return studyId === null ? null : startStudy(id, studyId);
    },
    halt: async (id) => {
      const reproduction = store.get(id);
      if (reproduction === null) return;
      for (const [studyId, steps] of searchesByStudy(reproduction)) {
        const view = studies.list().find(({ study }) => study.id === studyId);
        await store.note(id, idsOf(steps), { state: { kind: 'halted' } });
        if (view !== undefined && isAtWork(view.state)) orThrow(await studies.stop(studyId, 'paused'));
      }
      const now = store.get(id);
      if (now !== null) await servers.release(now, now.plan.steps);
    },
  };
}

function idsOf(steps: readonly PlanStep[]): string[] {
  return steps.map(({ id }) => id);
}

function hasReward({ work }: Reproduction, { id }: PlanStep): boolean {
  const search = work.get(id);
  return search?.kind === 'search' && search.search.rewardModel !== null;
}

const INCOMPLETE = {
  message: 'Its study ended without having searched and graded everything.',
  hint: 'Open the study to see why, then retry the step.',
};
