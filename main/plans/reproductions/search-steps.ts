import type { PlanStep, ServerSpec, StudyView } from '../../../preload/contract/index';
import { noteOf, notStarted, type Reproduction } from '../logic/reproductions/record';
import { nextBatch, openSteps, type SearchBatch } from '../logic/reproductions/step-status';
import type { BatchServers } from './batch-servers';
import { nextStudyAction, nodesOf, searchesByStudy, studyOfBatch, tokensOf } from './batch-study';
import type { ReproductionDeps } from './deps';
import type { ProgramCosts } from './program-costs';
import type { ReproductionBook } from './reproduction-book';
import { runViews } from './run-views';

/** Searches of a reproduction: wave by wave, each a study whose servers are up. */
export type SearchSteps = {
  /** Answers what it waits for, in words; null: nothing that is out of its hands. */
  readonly turn: (id: string) => Promise<string | null>;
  /** Stops studies and lets go of servers, so that both can be gone on with. */
  readonly halt: (id: string) => Promise<void>;
};

export function createSearchSteps(
  around: Pick<ReproductionDeps, 'studies' | 'library' | 'comparison' | 'registry' | 'clock'> & {
    readonly book: ReproductionBook;
    readonly servers: BatchServers;
    readonly paces: ProgramCosts;
  },
): SearchSteps {
  const { studies, clock, book, servers, paces } = around;
  const isoNow = (): string => new Date(clock.now()).toISOString();
  /** Studies that were started since the workbench was opened. */
  const started = new Set<string>();

  const gradesOf = (one: Reproduction, stepId: string): string[] =>
    one.plan.steps.flatMap(({ id }) => {
      const work = one.work.get(id);
      return work?.kind === 'grade' && work.searchStepId === stepId ? [id] : [];
    });

  /** Notes searches whose runs are whole; answers those that are not. */
  const collect = async (
    one: Reproduction,
    steps: readonly PlanStep[],
    study: StudyView,
  ): Promise<PlanStep[]> => {
    const { id } = one.record;
    const runIds = steps.flatMap((step) => noteOf(one.record, step.id).runId ?? []);
    const views = await runViews(around, runIds);
    const all = [...views.values()].reduce((sum, view) => sum + nodesOf(view), 0);
    const left: PlanStep[] = [];
    for (const step of steps) {
      const view = views.get(noteOf(one.record, step.id).runId ?? '');
      if (view === undefined || !view.finished) {
        left.push(step);
        continue;
      }
      const seconds = all === 0 ? 0 : (study.progress.elapsedMs / 1_000) * (nodesOf(view) / all);
      const settled = { state: { kind: 'done', reused: false }, endedAt: isoNow() } as const;
      await book.note(id, [step.id], {
        ...settled,
        took: { seconds, gpuSeconds: 0, tokens: tokensOf(view) },
      });
      const work = one.work.get(step.id);
      if (work?.kind === 'search') await paces.learn(one, work, view, seconds);
      await book.note(id, gradesOf(one, step.id), (note) => ({
        ...settled,
        startedAt: note.startedAt ?? isoNow(),
      }));
    }
    return left;
  };

  /** One that fails with others is tried alone once: what fails it may not fail the others. */
  const giveUp = async (
    one: Reproduction,
    steps: readonly PlanStep[],
    study: StudyView,
    why: { readonly message: string; readonly hint: string | null },
  ): Promise<void> => {
    const { id } = one.record;
    const left = await collect(one, steps, study);
    // What can not even begin fails them all alike, unless each makes a reward model ready.
    const hasBegun = study.progress.nodesDone > 0 || left.some((step) => hasReward(one, step));
    if (left.length > 1 && hasBegun) {
      await book.note(
        id,
        left.map((step) => step.id),
        (note) => ({ ...notStarted(note), alone: true }),
      );
      const text = `The study "${study.study.name}" failed (${why.message}), so each of its ${left.length} searches is done in a study of its own.`;
      await book.decide(id, null, text);
      return;
    }
    await book.note(
      id,
      left.map((step) => step.id),
      { state: { kind: 'failed', ...why }, endedAt: isoNow() },
    );
  };

  /** What was given to studies: collected, given up, or to be started; then the searches of one that is. */
  const follow = async (
    id: string,
  ): Promise<{ toStart: string | null; atWork: boolean; leaves: boolean }> => {
    const one = book.get(id);
    const result = { toStart: null as string | null, atWork: false, leaves: false };
    if (one === null) return result;
    for (const [studyId, steps] of searchesByStudy(one)) {
      const view = studies.list().find(({ study }) => study.id === studyId);
      const halted = steps.some((step) => noteOf(one.record, step.id).state.kind === 'halted');
      const deed = nextStudyAction(view, { halted, startedNow: started.has(studyId) });
      switch (deed.kind) {
        case 'wait':
          result.atWork = true;
          break;
        case 'start':
          result.toStart ??= studyId;
          break;
        case 'leave':
          result.leaves = true;
          break;
        case 'forget':
          await book.note(
            id,
            steps.map((step) => step.id),
            notStarted,
          );
          break;
        case 'collect':
          if (view !== undefined) await giveUp(one, steps, view, NOT_WHOLE);
          break;
        case 'give-up':
          if (view !== undefined) await giveUp(one, steps, view, deed);
          break;
      }
    }
    return result;
  };

  /** Notes which study searches are given to, before there is one. */
  const give = async (one: Reproduction, steps: readonly PlanStep[]): Promise<string | null> => {
    const { id } = one.record;
    const createdAt = isoNow();
    const waves = new Set(
      one.plan.steps.flatMap((step) => (step.kind === 'search' && step.reuse === null ? [step.wave] : [])),
    ).size;
    const studyId = freeStudyId(`${createdAt.slice(0, 10)}-${id.slice(0, 8)}-w${(steps[0]?.wave ?? 0) + 1}`);
    const study = await studyOfBatch(
      one,
      steps,
      { studyId, createdAt, waves },
      { library: around.library, specOf: servers.specOf },
    );
    if (!study.ok) {
      const { message, hint } = study.error;
      await book.note(
        id,
        steps.map((step) => step.id),
        { state: { kind: 'failed', message, hint: hint ?? null }, endedAt: createdAt },
      );
      return null;
    }
    const runIds = new Map(steps.map((step, at) => [step.id, study.value.runs[at]?.id ?? null]));
    const noted = await book.note(id, [...runIds.keys()], (note, stepId) => ({
      state: { kind: 'begun' },
      studyId,
      runId: runIds.get(stepId) ?? null,
      attempts: note.attempts + 1,
      startedAt: createdAt,
    }));
    if (!noted.ok) return null;
    const added = await studies.add(study.value);
    if (!added.ok) return null;
    const text = `Began wave ${(steps[0]?.wave ?? 0) + 1}: ${steps.length} searches in the study "${study.value.name}".`;
    await book.decide(id, null, text);
    return studyId;
  };
  const freeStudyId = (wished: string): string => {
    let free = wished;
    for (let n = 2; studies.results.study(free).ok; n++) free = `${wished}-${n}`;
    return free;
  };
  const begin = async (id: string, studyId: string): Promise<string | null> => {
    const begun = await studies.start(studyId);
    if (begun.ok) {
      started.add(studyId);
      const one = book.get(id);
      const steps = one === null ? [] : (searchesByStudy(one).get(studyId) ?? []);
      const halted = steps.filter((step) => one && noteOf(one.record, step.id).state.kind === 'halted');
      await book.note(
        id,
        halted.map((step) => step.id),
        { state: { kind: 'begun' } },
      );
      return null;
    }
    return begun.error.message;
  };
  /** Servers of the study to start, else of the searches that it will be made of; unknown ones are left out. */
  const neededServers = async (
    one: Reproduction,
    { searches }: SearchBatch,
    toStart: string | null,
  ): Promise<ServerSpec[]> => {
    const study = toStart === null ? null : studies.results.study(toStart);
    if (study?.ok) return study.value.runs.flatMap(({ team }) => team.servers);
    const specs: ServerSpec[] = [];
    for (const { id } of searches) {
      const work = one.work.get(id);
      if (work?.kind !== 'search') continue;
      for (const server of work.servers) {
        const spec = await servers.specOf(one, server);
        if (spec.ok) specs.push(spec.value);
      }
    }
    return specs;
  };
  /** Servers that nothing of this reproduction needs any more, or not now. */
  const unneeded = (one: Reproduction, wave: SearchBatch | null): PlanStep[] => {
    const needed = new Set(wave?.serves.map(({ id }) => id));
    const later = new Set(openSteps(one, 'search').flatMap(({ needs }) => needs));
    return one.plan.steps.filter((step) => {
      const work = one.work.get(step.id);
      if (work?.kind !== 'serve' || noteOf(one.record, step.id).heldSince === null) return false;
      if (needed.has(step.id)) return false;
      // Kept up over waves that do without it, where the plan has room for it; never while nothing can be searched.
      return wave === null || !later.has(step.id) || work.untilWave <= wave.wave;
    });
  };

  return {
    turn: async (id) => {
      const { toStart, atWork, leaves } = await follow(id);
      const one = book.get(id);
      if (one === null) return null;
      const wave = nextBatch(one);
      await servers.release(one, unneeded(one, wave));
      if (wave === null) return null;
      if (leaves) return 'Its study was paused by hand. Resume the study to go on.';
      if (!atWork && studies.list().some(({ state }) => AT_WORK.has(state.kind))) {
        const conflict = studies.conflict(await neededServers(one, wave, toStart));
        if (conflict !== null) return conflict.message;
      }
      if (!(await servers.bringUp(one, wave.serves)) || atWork) return null;
      const now = book.get(id);
      const open = now === null ? null : nextBatch(now);
      if (now === null || open === null || open.wave !== wave.wave) return null;
      const planned = open.searches.filter((step) => noteOf(now.record, step.id).studyId === null);
      const together = planned.filter((step) => !noteOf(now.record, step.id).alone);
      const next = together.length > 0 ? together : planned.slice(0, 1);
      const studyId = toStart ?? (next.length === 0 ? null : await give(now, next));
      return studyId === null ? null : begin(id, studyId);
    },
    halt: async (id) => {
      const one = book.get(id);
      if (one === null) return;
      for (const [studyId, steps] of searchesByStudy(one)) {
        const view = studies.list().find(({ study }) => study.id === studyId);
        await book.note(
          id,
          steps.map((step) => step.id),
          { state: { kind: 'halted' } },
        );
        const kind = view?.state.kind;
        if (kind === 'running' || kind === 'preparing' || kind === 'pausing') {
          await studies.stop(studyId, 'paused');
        }
      }
      const now = book.get(id);
      if (now !== null) await servers.release(now, now.plan.steps);
    },
  };
}

const AT_WORK: ReadonlySet<StudyView['state']['kind']> = new Set(['preparing', 'running', 'pausing']);

function hasReward({ work }: Reproduction, { id }: PlanStep): boolean {
  const search = work.get(id);
  return search?.kind === 'search' && search.search.rewardModel !== null;
}

const NOT_WHOLE = {
  message: 'Its study ended without having searched and graded everything.',
  hint: 'Open the study to see why, then retry the step.',
};
