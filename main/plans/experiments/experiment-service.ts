import { setImmediate as breathe } from 'node:timers/promises';
import type {
  ExperimentOrder,
  ExperimentResult,
  ExperimentView,
  Refusal,
  TrainingView,
} from '../../../preload/contract/index';
import { type CsvFile, type Disposable, Emitter, failed, ok, type Result } from '../../base/index';
import { type DoneTraining, experimentResultInSteps } from '../../metrics/index';
import { cellsCsv, pairsCsv } from '../logic/experiments/experiment-csv';
import { isDone, newRecord, pocketTrainingOf, trainingOrderOf } from '../logic/experiments/experiment-record';
import { viewOfExperiment } from '../logic/experiments/experiment-view';
import { whatIsWrong } from '../logic/experiments/order-problems';
import { createConductor } from './conductor';
import { elapsedSeconds } from './elapsed';
import { openExperimentBook } from './experiment-book';
import { experimentFiles } from './experiment-files';
import type { Trainings } from './trainings-front';

/** Experiments: many trainings side by side. */
export type ExperimentService = {
  /** Oldest first. */
  readonly list: () => readonly ExperimentView[];
  readonly start: (order: ExperimentOrder) => Promise<Result<ExperimentView, Refusal>>;
  /** Answers when nothing of it runs any more. What is done is kept; the rest goes on from its checkpoints. */
  readonly pause: (id: string) => Promise<Result<ExperimentView, Refusal>>;
  /** Also tries again what had failed. */
  readonly resume: (id: string) => Promise<Result<ExperimentView, Refusal>>;
  /** With its trainings and their checkpoints. */
  readonly remove: (id: string) => Promise<Result<null, Refusal>>;
  /** Of the trainings that are done. */
  readonly result: (id: string) => Promise<Result<ExperimentResult, Refusal>>;
  readonly exportCsv: (id: string, what: 'cells' | 'pairs') => Promise<Result<CsvFile, Refusal>>;
  readonly onChange: (listener: (view: ExperimentView) => void) => Disposable;
  readonly onRemoved: (listener: (id: string) => void) => Disposable;
  /** Lets go of everything; trainings that run go on, but no other one is begun. */
  readonly dispose: () => Promise<void>;
};

/** Opens the records in `folder` and goes on with what was going on. Rejects where the folder can not be read. */
export async function createExperimentService(around: {
  readonly trainings: Trainings;
  readonly folder: string;
  readonly clock: { readonly now: () => number };
  /** A word that no other experiment has; a plain file name. */
  readonly newId: () => string;
  /** Trainings that may go on at once. */
  readonly slots: number;
}): Promise<ExperimentService> {
  const { trainings, clock, slots } = around;
  const files = experimentFiles(around.folder);
  const book = await openExperimentBook(files);
  const changes = new Emitter<ExperimentView>();
  const removals = new Emitter<string>();
  /** What was told last of each: what looks the same is not told again. */
  const told = new Map<string, string>();
  /** What was computed last, of so many trainings: what is done stays as it is. */
  const results = new Map<string, { readonly of: number; readonly result: Promise<ExperimentResult> }>();
  const isoNow = (): string => new Date(clock.now()).toISOString();

  const views = (): ExperimentView[] => {
    const byId = new Map<string, TrainingView>(trainings.list().map((training) => [training.id, training]));
    return book
      .all()
      .filter(({ removing }) => !removing)
      .map((record) =>
        viewOfExperiment(record, byId, (training) => elapsedSeconds(training, clock.now()), slots),
      );
  };
  const tell = (): void => {
    for (const view of views()) {
      const words = JSON.stringify(view);
      if (told.get(view.id) === words) continue;
      told.set(view.id, words);
      changes.emit(view);
    }
  };
  const viewOf = (id: string): Result<ExperimentView, Refusal> => {
    const view = views().find((one) => one.id === id);
    return view === undefined ? failed(noExperiment(id)) : ok(view);
  };
  const conductor = createConductor({
    book,
    files,
    trainings,
    slots,
    clock,
    onTurn: tell,
    onRemoved: (id) => {
      told.delete(id);
      results.delete(id);
      removals.emit(id);
    },
  });

  const doneOf = async (id: string): Promise<DoneTraining[]> => {
    const done: DoneTraining[] = [];
    for (const [at, { label, seed, state }] of (book.get(id)?.members ?? []).entries()) {
      const outcome = state.kind === 'done' ? await files.readOutcome(id, at) : null;
      if (state.kind === 'done' && outcome !== null)
        done.push({ label, seed, ...outcome, seconds: state.seconds });
    }
    return done;
  };
  const result = async (id: string): Promise<Result<ExperimentResult, Refusal>> => {
    const record = book.get(id);
    if (record === null) return failed(noExperiment(id));
    const { order } = record;
    const done = await doneOf(id);
    const known = results.get(id);
    if (known?.of === done.length) return ok(await known.result);
    const counted = experimentResultInSteps(
      {
        experimentId: id,
        order,
        done,
        trainingOf: (row) => pocketTrainingOf(order, row, order.seeds[0] ?? 0),
      },
      () => breathe(),
    );
    results.set(id, { of: done.length, result: counted });
    return ok(await counted);
  };

  void conductor.turn();
  return {
    list: views,
    start: async (order) => {
      const wrong = whatIsWrong(order) ?? (await whatPlansSay(trainings, order));
      if (wrong !== null) return failed({ code: 'bad-input', message: wrong });
      const id = around.newId();
      const noted = await book.put(newRecord(id, order, isoNow()));
      if (!noted.ok) return noted;
      tell();
      void conductor.turn();
      return viewOf(id);
    },
    pause: async (id) => {
      const paused = await book.change(id, (record) => ({ ...record, paused: true }));
      if (!paused.ok) return paused;
      await conductor.turn();
      return viewOf(id);
    },
    resume: async (id) => {
      if (book.get(id)?.members.every(isDone)) {
        return failed({ code: 'conflict', message: 'The experiment is done; there is nothing to resume.' });
      }
      const resumed = await book.change(id, (record) => ({
        ...record,
        paused: false,
        endedAt: null,
        members: record.members.map((member) => ({
          ...member,
          attempts: 0,
          // Halted: it is gone on with whatever its end was.
          state:
            member.state.kind !== 'failed'
              ? member.state
              : ({ kind: member.trainingId === null ? 'planned' : 'halted' } as const),
        })),
      }));
      if (!resumed.ok) return resumed;
      tell();
      void conductor.turn();
      return viewOf(id);
    },
    remove: async (id) => {
      const removing = await book.change(id, (record) => ({ ...record, removing: true }));
      if (!removing.ok) return removing;
      await conductor.turn();
      const left = book.get(id);
      return left === null
        ? ok(null)
        : failed({
            code: 'unavailable',
            message: `Not all trainings of "${left.order.name}" could be removed; the rest is tried again at the next start.`,
          });
    },
    result,
    exportCsv: async (id, what) => {
      const found = await result(id);
      const record = book.get(id);
      if (!found.ok) return found;
      if (record === null) return failed(noExperiment(id));
      return ok(what === 'cells' ? cellsCsv(record.order, found.value) : pairsCsv(record.order, found.value));
    },
    onChange: (listener) => changes.on(listener),
    onRemoved: (listener) => removals.on(listener),
    dispose: () => conductor.dispose(),
  };
}

/** What the trainings' service says against the first seed of each row; null: nothing. */
async function whatPlansSay(trainings: Trainings, order: ExperimentOrder): Promise<string | null> {
  for (const row of order.rows) {
    const plan = await trainings.plan(trainingOrderOf(order, row, order.seeds[0] ?? 0), false);
    const problem = plan.ok ? plan.value.problems[0] : plan.error.message;
    if (problem !== undefined) return `The row "${row.label}": ${problem}`;
  }
  return null;
}

function noExperiment(id: string): Refusal {
  return {
    code: 'not-found',
    message: `There is no experiment "${id}".`,
    hint: 'See them with: experiment list',
  };
}
