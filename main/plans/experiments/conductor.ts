import { jobHasEnded, type Refusal, type TrainingView } from '../../../preload/contract/index';
import { assertNever, createRounds, type Result } from '../../base/index';
import {
  type ExperimentRecord,
  isSettled,
  type Member,
  memberName,
  trainingOrderOf,
} from '../logic/experiments/experiment-record';
import { type Deed, nextDeed } from '../logic/experiments/next-deed';
import { elapsedSeconds } from './elapsed';
import type { ExperimentBook } from './experiment-book';
import type { ExperimentFiles } from './experiment-files';
import { outcomeOf } from './outcome-of';
import type { Trainings } from './trainings-front';

/** Looks at what no event may have told: a training's end is told by its job, which is looked at every few seconds. */
const LOOK_EVERY_MS = 5_000;

/**
 * Brings experiments forward: in turns, one after the other, each of which does for every training what there is to be
 * done. Whatever it does is noted first, so that a turn that was cut off is taken up by the next one.
 */
export type Conductor = {
  /** Resolves when a turn that began after the call is over. */
  readonly turn: () => Promise<void>;
  readonly dispose: () => Promise<void>;
};

export function createConductor(around: {
  readonly book: ExperimentBook;
  readonly files: ExperimentFiles;
  readonly trainings: Trainings;
  readonly slots: number;
  readonly clock: { readonly now: () => number };
  readonly onTurn: () => void;
  readonly onRemoved: (id: string) => void;
}): Conductor {
  const { book, files, trainings, slots, clock } = around;
  const isoNow = (): string => new Date(clock.now()).toISOString();
  const since = isoNow();

  const changeMember = async (id: string, at: number, change: Partial<Member>): Promise<boolean> => {
    const noted = await book.change(id, (record) => {
      const members = record.members.map((member, i) => (i === at ? { ...member, ...change } : member));
      return { ...record, members, endedAt: members.every(isSettled) ? isoNow() : null };
    });
    return noted.ok;
  };
  const fail = (id: string, at: number, { message }: Refusal) =>
    changeMember(id, at, { state: { kind: 'failed', message } });

  const start = async (record: ExperimentRecord, at: number, member: Member): Promise<void> => {
    const row = record.order.rows.find(({ label }) => label === member.label);
    if (row === undefined) return;
    // Noted by the trainings' service before it runs; one whose start is cut off here is found by its name.
    const started = await trainings.start(trainingOrderOf(record.order, row, member.seed), {
      experimentId: record.id,
    });
    const begun = started.ok
      ? { trainingId: started.value.id, attempts: 1, state: { kind: 'begun' as const } }
      : { state: { kind: 'failed' as const, message: started.error.message } };
    await changeMember(record.id, at, begun);
  };
  const resume = async (record: ExperimentRecord, at: number, member: Member, trainingId: string) => {
    const change = { attempts: member.attempts + 1, state: { kind: 'begun' as const } };
    if (!(await changeMember(record.id, at, change))) return;
    const resumed: Result<unknown, Refusal> = await trainings.resume(trainingId);
    if (!resumed.ok) await fail(record.id, at, resumed.error);
  };
  const collect = async (record: ExperimentRecord, at: number, training: TrainingView): Promise<void> => {
    const outcome = await outcomeOf(trainings, training.id);
    if (!outcome.ok) {
      await fail(record.id, at, outcome.error);
      return;
    }
    const written = await files.writeOutcome(record.id, at, outcome.value);
    if (!written.ok) await fail(record.id, at, written.error);
    else
      await changeMember(record.id, at, {
        state: { kind: 'done', seconds: elapsedSeconds(training, clock.now()) },
      });
  };

  const deedOf = (record: ExperimentRecord, member: Member, all: readonly TrainingView[]): Deed => {
    const name = memberName(record.order, member.label, member.seed);
    const known = new Set(record.members.map(({ trainingId }) => trainingId));
    return nextDeed(
      record,
      member,
      all.find(({ id }) => id === member.trainingId) ?? null,
      all.find((one) => one.experimentId === record.id && one.name === name && !known.has(one.id)) ?? null,
      since,
    );
  };
  /** True where the training takes a slot afterwards. */
  const doDeed = async (
    deed: Deed,
    record: ExperimentRecord,
    at: number,
    free: boolean,
  ): Promise<boolean> => {
    const member = record.members[at] as Member;
    switch (deed.kind) {
      case 'nothing':
        return false;
      case 'wait':
        return true;
      case 'adopt':
        await changeMember(record.id, at, {
          trainingId: deed.trainingId,
          attempts: 1,
          state: { kind: 'begun' },
        });
        return true;
      case 'start':
        if (free) await start(record, at, member);
        return free;
      case 'resume':
        if (free) await resume(record, at, member, deed.trainingId);
        return free;
      case 'halt':
        if (await changeMember(record.id, at, { state: { kind: 'halted' } })) {
          await trainings.stop(deed.trainingId);
        }
        return false;
      case 'collect':
        await collect(record, at, deed.training);
        return false;
      case 'fail':
        await changeMember(record.id, at, { state: { kind: 'failed', message: deed.message } });
        return false;
      case 'forget':
        await changeMember(record.id, at, { trainingId: null, attempts: 0, state: { kind: 'planned' } });
        return false;
      default:
        return assertNever(deed);
    }
  };

  const removeAll = async (record: ExperimentRecord): Promise<void> => {
    const own = trainings.list().filter(({ experimentId }) => experimentId === record.id);
    const removed = await Promise.all(
      own.map(async ({ id, state }) => {
        if (!jobHasEnded(state)) await trainings.stop(id);
        return trainings.remove(id, { checkpoints: true });
      }),
    );
    if (!removed.every(({ ok }) => ok)) return;
    const gone = await book.remove(record.id);
    if (gone.ok) around.onRemoved(record.id);
  };
  /** What goes on keeps its slot before anything is begun: experiments are served by age, each seed by seed. */
  const lookAtAll = async (): Promise<void> => {
    for (const record of book.all().filter(({ removing }) => removing)) await removeAll(record);
    const all = trainings.list();
    let going = 0;
    for (const begins of [false, true]) {
      for (const { id } of book.all()) {
        for (let at = 0; rounds.isOpen(); at++) {
          // Asked for anew each time: what was paused or removed meanwhile is not gone on with.
          const record = book.get(id);
          const member = record?.members[at];
          if (!record || record.removing || member === undefined) break;
          if (isSettled(member)) continue;
          const deed = deedOf(record, member, all);
          if ((deed.kind === 'start' || deed.kind === 'resume') !== begins) continue;
          if (await doDeed(deed, record, at, going < slots)) going += 1;
        }
      }
    }
  };

  const rounds = createRounds(() => lookAtAll().finally(around.onTurn));
  const soon = (): void => void rounds.next();
  const timer = setInterval(soon, LOOK_EVERY_MS);
  timer.unref();
  const listening = [trainings.onChange(soon), trainings.onRemoved(soon)];
  return {
    turn: rounds.next,
    dispose: async () => {
      const over = rounds.close();
      clearInterval(timer);
      for (const one of listening) one.dispose();
      await over;
    },
  };
}
