import type {
  Exhibit,
  ExhibitResult,
  Refusal,
  ReproductionDecision,
  ReproductionOrder,
  ReproductionPlan,
  ReproductionView,
} from '../../../preload/contract/index';
import { type Disposable, Emitter, failed, ok, type Result } from '../../base/index';
import { movedPlan } from '../logic/reproductions/moved-plan';
import { planReproduction } from '../logic/reproductions/plan';
import {
  newRecord,
  noteOf,
  notStarted,
  type Reproduction,
  type StepNote,
} from '../logic/reproductions/record';
import type { ReproductionDeps } from './deps';
import { readPlanInputs } from './plan-inputs';
import { openProgramCosts } from './program-costs';
import { noReproduction, openReproductionBook } from './reproduction-book';
import { reproductionFiles } from './reproduction-files';
import { createConductor } from './reproduction-reconciler';
import { createReproductionResults, emptyResult } from './reproduction-result';
import { createReproductionViews } from './reproduction-views';

/** Reproductions of exhibits: planned, done, survived, folded into tables. */
export type ReproductionService = {
  /** Oldest first. */
  readonly list: () => readonly ReproductionView[];
  /** Changes nothing. */
  readonly plan: (order: ReproductionOrder) => Promise<Result<ReproductionPlan, Refusal>>;
  /** Refused where something is missing. Goes on by itself after a restart. */
  readonly start: (order: ReproductionOrder) => Promise<Result<ReproductionView, Refusal>>;
  /** Answers when nothing of it runs any more. What is done is kept; the rest goes on from where it was. */
  readonly pause: (id: string) => Promise<Result<ReproductionView, Refusal>>;
  /** Also tries again what had failed. */
  readonly resume: (id: string) => Promise<Result<ReproductionView, Refusal>>;
  readonly retry: (id: string, stepId: string) => Promise<Result<ReproductionView, Refusal>>;
  readonly move: (
    id: string,
    stepId: string,
    machineId: string,
  ) => Promise<Result<ReproductionView, Refusal>>;
  /** Its studies and trainings stay. Refused while it runs. */
  readonly remove: (id: string) => Promise<Result<null, Refusal>>;
  readonly decisions: (id: string) => Promise<Result<ReproductionDecision[], Refusal>>;
  /** Of this reproduction, else of the newest one of the exhibit at this scale, else empty cells. */
  readonly result: (
    exhibitId: string,
    scale: ReproductionOrder['scale'],
    id?: string,
  ) => Promise<Result<ExhibitResult, Refusal>>;
  /** As it was when this was ordered; null: there is no such reproduction. */
  readonly exhibitOf: (id: string) => Exhibit | null;
  /** Takes the files of another lab's from the folder `from` and lists it, to be looked at alone. */
  readonly adopt: (id: string, from: string) => Promise<Result<null, Refusal>>;
  readonly onChange: (listener: (view: ReproductionView) => void) => Disposable;
  readonly onRemoved: (listener: (id: string) => void) => Disposable;
  /** Lets go of everything; trainings and servers that run go on, and are found again. */
  readonly dispose: () => Promise<void>;
};

/** Opens the records in `folder` and goes on with what was going on. Rejects where the folder can not be read. */
export async function createReproductionService(around: ReproductionDeps): Promise<ReproductionService> {
  const { exhibits, trainings, machines, clock } = around;
  const files = reproductionFiles(around.folder);
  const book = await openReproductionBook(files, clock);
  const paces = await openProgramCosts(around.folder);
  const results = createReproductionResults({ ...around, files });
  const removals = new Emitter<string>();
  const isoNow = (): string => new Date(clock.now()).toISOString();

  const watch = createReproductionViews({ ...around, book, waitsFor: (id) => conductor.waitsFor(id) });
  const conductor = createConductor({ ...around, book, files, paces, onTurn: watch.tellSoon });

  const planned = async (order: ReproductionOrder) => {
    const entry = await exhibits.get(order.exhibitId);
    if (!entry.ok) return entry;
    const { exhibit, digest } = entry.value;
    if (exhibit.scales[order.scale] === null) {
      const message = `"${exhibit.title}" says nothing of how it is measured at ${order.scale} scale.`;
      return failed<Refusal>({ code: 'bad-input', message });
    }
    const world = await readPlanInputs(order, { ...around, paces });
    return ok({ exhibit, ...planReproduction(exhibit, digest, order, world) });
  };
  /** Notes a change and goes on; answers the view as it is then. */
  const changed = async (
    id: string,
    change: Promise<Result<null, Refusal>>,
  ): Promise<Result<ReproductionView, Refusal>> => {
    const noted = await change;
    if (!noted.ok) return noted;
    results.forget(id);
    void conductor.turn();
    return watch.view(id);
  };
  const found = (id: string): Result<Reproduction, Refusal> => {
    const one = book.get(id);
    if (one === null) return failed(noReproduction(id));
    if (!one.record.readOnly) return ok(one);
    return failed({ code: 'conflict', message: 'It came with a bundle, so it can only be looked at.' });
  };
  const goOn = (id: string, again: (stepId: string, note: StepNote) => boolean) =>
    book.change(id, (record) => {
      const entries = Object.entries(record.notes);
      const retried = new Set(entries.flatMap(([stepId, note]) => (again(stepId, note) ? [stepId] : [])));
      const lost = lostTrainings(book.get(id), retried, new Set(trainings.list().map((one) => one.id)));
      const notes = entries.map(([stepId, note]): [string, StepNote] => [
        stepId,
        lost.has(stepId) ? notStarted(note) : retried.has(stepId) ? tryAgain(note) : note,
      ]);
      return { ...record, paused: false, endedAt: null, notes: Object.fromEntries(notes) };
    });

  void conductor.turn();
  return {
    list: watch.all,
    plan: async (order) => {
      const made = await planned(order);
      return made.ok ? ok(made.value.plan) : made;
    },
    start: async (order) => {
      const made = await planned(order);
      if (!made.ok) return made;
      const { exhibit, plan, work, unmeasured } = made.value;
      const stands =
        plan.missing.length > 0 ? whatIsMissing(plan) : plan.steps.length === 0 ? nothingToDo() : null;
      if (stands !== null) return failed(stands);
      const id = around.newId();
      const record = newRecord({ id, exhibit, order, createdAt: isoNow() }, plan, work);
      const added = await book.add({ record, plan, work, unmeasured });
      if (!added.ok) return added;
      for (const note of plan.notes) await book.decide(id, null, note);
      for (const step of plan.steps) if (step.reuse !== null) await book.decide(id, step.id, step.reuse);
      watch.tell();
      void conductor.turn();
      return watch.view(id);
    },
    pause: async (id) => {
      const one = found(id);
      if (!one.ok) return one;
      const paused = await book.change(id, (record) => ({ ...record, paused: true }));
      if (!paused.ok) return paused;
      await book.decide(id, null, 'Paused.');
      watch.tell();
      await conductor.turn();
      return watch.view(id);
    },
    resume: async (id) => {
      const one = found(id);
      if (!one.ok) return one;
      const view = watch.view(id);
      if (view.ok && view.value.state.kind === 'done') {
        return failed({ code: 'conflict', message: 'It is done; there is nothing to resume.' });
      }
      await book.decide(id, null, 'Resumed.');
      return changed(
        id,
        goOn(id, (_, { state }) => state.kind === 'failed'),
      );
    },
    retry: async (id, stepId) => {
      const one = found(id);
      if (!one.ok) return one;
      const step = noteOf(one.value.record, stepId);
      if (step.state.kind !== 'failed') {
        return failed({ code: 'conflict', message: 'Only a step that has failed can be tried again.' });
      }
      await book.decide(id, stepId, 'Tried again.');
      return changed(
        id,
        goOn(id, (other, note) => other === stepId || failedWith(note, step)),
      );
    },
    move: async (id, stepId, machineId) => {
      const one = found(id);
      if (!one.ok) return one;
      const machine = machines.get(machineId);
      if (!machine.ok) return machine;
      const moved = movedPlan(one.value, stepId, machineId);
      if (!moved.ok) return moved;
      const { planned: next, training, serves, searches } = moved.value;
      if (training !== null) {
        const fits = await trainings.plan(training, false);
        if (!fits.ok) return fits;
        const [problem] = fits.value.problems;
        if (problem !== undefined) return failed({ code: 'bad-input', message: problem });
      }
      await book.decide(id, stepId, `Moved to ${machineId}. ${MOVED[training === null ? 'serve' : 'train']}`);
      const anew = conductor.still(async () => {
        if (training !== null) await conductor.abandonTraining(id, stepId);
        if (serves.length > 0) await conductor.halt(id);
        const noted = await book.note(id, [...serves, ...searches], notStarted);
        return noted.ok ? book.replan(id, () => next) : noted;
      });
      return changed(id, anew);
    },
    remove: async (id) => {
      const one = book.get(id);
      if (one === null) return failed(noReproduction(id));
      const view = watch.view(id);
      const kind = view.ok ? view.value.state.kind : 'done';
      if (kind === 'running' || kind === 'pausing') {
        const message = 'A reproduction that runs can not be removed.';
        return failed({ code: 'conflict', message, hint: 'Pause it first.' });
      }
      const removed = await book.remove(id);
      if (!removed.ok) return removed;
      watch.forget(id);
      results.forget(id);
      removals.emit(id);
      return ok(null);
    },
    decisions: async (id) =>
      book.get(id) === null ? failed(noReproduction(id)) : ok(await files.readDecisions(id)),
    result: async (exhibitId, scale, id) => {
      const fitting = book
        .all()
        .filter(({ record }) => record.order.exhibitId === exhibitId && record.order.scale === scale);
      // A lab's own goes before what came with a bundle, however new that is.
      const newest = fitting.findLast(({ record }) => !record.readOnly) ?? fitting.at(-1);
      const one = id === undefined ? newest : book.get(id);
      if (one === null) return failed(noReproduction(id ?? ''));
      if (one !== undefined) return ok(await results.read(one, watch.of(one)));
      const entry = await exhibits.get(exhibitId);
      return entry.ok ? ok(emptyResult(entry.value.exhibit, scale)) : entry;
    },
    exhibitOf: (id) => book.get(id)?.record.exhibit ?? null,
    adopt: async (id, from) => {
      const one = book.get(id) === null ? await files.takeIn(id, from) : null;
      if (one === null) {
        return failed({
          code: 'bad-input',
          message: `The reproduction ${id} can not be taken in from its files.`,
        });
      }
      const added = await book.add({
        ...one,
        record: { ...one.record, paused: true, removing: false, readOnly: true },
      });
      if (added.ok) watch.tell();
      return added;
    },
    onChange: watch.onChange,
    onRemoved: (listener) => removals.on(listener),
    dispose: async () => {
      watch.dispose();
      await conductor.dispose();
      await book.settled();
    },
  };
}

const MOVED = {
  train: 'It goes on from its checkpoints where both machines share its folder, and else begins anew.',
  serve: 'Searches that name the machine of their servers begin anew there; others go on.',
} as const;

/** Training steps whose trainings were removed, and whose checkpoints these steps need: they are trained again. */
function lostTrainings(
  one: Reproduction | null,
  retried: ReadonlySet<string>,
  known: ReadonlySet<string>,
): ReadonlySet<string> {
  const needed = one?.plan.steps.filter(({ id }) => retried.has(id)).flatMap(({ needs }) => needs) ?? [];
  return new Set(
    needed.filter((id) => {
      if (one?.work.get(id)?.kind !== 'train') return false;
      const { state, trainingId } = noteOf(one.record, id);
      return state.kind === 'done' && trainingId !== null && !known.has(trainingId);
    }),
  );
}

/** Searches that failed in one study are gone on with together: it is one study. */
function failedWith({ state, studyId }: StepNote, step: StepNote): boolean {
  return state.kind === 'failed' && studyId !== null && studyId === step.studyId;
}

/** What it has by now is gone on with, whatever its end was. */
function tryAgain(note: StepNote): StepNote {
  const goesOn = note.trainingId !== null || note.studyId !== null;
  return goesOn
    ? { ...note, attempts: 0, endedAt: null, state: { kind: 'halted' } }
    : { ...notStarted(note), alone: note.alone };
}

function whatIsMissing({ missing }: ReproductionPlan): Refusal {
  const message = missing.map(({ what }) => what).join(' ');
  const todo = [...new Set(missing.map((one) => one.todo))].join(' ');
  return { code: 'unavailable', message, hint: todo };
}

function nothingToDo(): Refusal {
  return {
    code: 'bad-input',
    message: 'Nothing of what was asked for can be measured at this scale.',
    hint: 'See the plan for why.',
  };
}
