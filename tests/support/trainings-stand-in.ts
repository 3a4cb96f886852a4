import { Emitter, failed, ok } from '../../main/base';
import type { TrainingService } from '../../main/trainings';
import {
  isOwnTraining,
  type JobState,
  jobHasEnded,
  type TrainingRequest,
  type TrainingSpec,
  type TrainingView,
} from '../../preload/contract';
import { madeUpEvaluation } from './sample-evaluations';

/**
 * Stands in for the trainings' service, without processes: a training runs until the test ends it. It is handed to a
 * second service after the first one was let go of, as trainings outlive the app.
 */
export class TrainingsStandIn
  implements
    Pick<
      TrainingService,
      | 'list'
      | 'plan'
      | 'start'
      | 'startMany'
      | 'stop'
      | 'resume'
      | 'erase'
      | 'curves'
      | 'evaluation'
      | 'onChange'
      | 'onRemoved'
    >
{
  readonly views = new Map<string, TrainingView>();
  readonly started: string[] = [];
  readonly resumed: string[] = [];
  readonly #changes = new Emitter<TrainingView>();
  readonly #removals = new Emitter<string>();
  nowMs = Date.parse('2026-01-01T00:00:00Z');
  /** Before a start answers: one that never ends is a crash of the app between the start and the note of it. */
  beforeAnswer: () => Promise<void> = async () => undefined;
  planProblems: string[] = [];
  withEvaluation = true;

  going = (): TrainingView[] => this.list().filter(({ state }) => !jobHasEnded(state));
  list: TrainingService['list'] = () => [...this.views.values()];
  onChange: TrainingService['onChange'] = (listener) => this.#changes.on(listener);
  onRemoved: TrainingService['onRemoved'] = (listener) => this.#removals.on(listener);

  plan: TrainingService['plan'] = async () =>
    ok({
      commandLine: '',
      gpus: 0,
      notes: [],
      problems: this.planProblems,
      checks: [],
      estimateSeconds: null,
    });

  start: TrainingService['start'] = async (request, part) => {
    const id = `training-${this.views.size + 1}`;
    this.started.push(request.name);
    this.#put(viewOf(id, request, part?.experimentId ?? null, this.#iso()));
    await this.beforeAnswer();
    return ok(this.#view(id));
  };

  startMany: TrainingService['startMany'] = (orders, part) =>
    Promise.all(orders.map((request) => this.start(request, part)));

  stop: TrainingService['stop'] = async (id) => {
    this.end(id, 75);
    return ok(this.#view(id));
  };

  resume: TrainingService['resume'] = async (id) => {
    this.resumed.push(this.#view(id).name);
    this.#put({
      ...this.#view(id),
      state: { kind: 'running', pid: 1 },
      startedAt: this.#iso(),
      endedAt: null,
    });
    return ok(this.#view(id));
  };

  erase: TrainingService['erase'] = async (id) => {
    if (!jobHasEnded(this.#view(id).state)) return failed({ code: 'conflict', message: 'It has not ended.' });
    this.views.delete(id);
    this.#removals.emit(id);
    return ok(null);
  };

  curves: TrainingService['curves'] = async (id) => {
    const { agents } = this.#view(id);
    const of = (key: string, agentId: string, values: number[]) => ({
      agentId,
      key,
      part: 'train' as const,
      steps: values.map((_, step) => step + 1),
      values,
      samples: null,
      seconds: null,
    });
    return ok(
      agents.flatMap((agent) => [
        of('reward', agent.id, [9, 9]),
        of('zero-advantage', agent.id, [0.25, 0.75]),
      ]),
    );
  };

  evaluation: TrainingService['evaluation'] = async (id) => {
    const { spec } = this.#view(id);
    if (!isOwnTraining(spec) || !this.withEvaluation) return ok(null);
    const alone = Object.fromEntries(agentsOf(spec).map((agent) => [agent, 0.3]));
    return ok(madeUpEvaluation(spec.seed, { alone, searched: 0.2, team: 0.6 }, 10));
  };

  /** Ends a training; `code` null: killed, 'lost': how is unknown. */
  end(id: string, code: number | null | 'lost'): void {
    const endedAt = this.#iso();
    const state: JobState =
      code === 'lost'
        ? { kind: 'lost', why: 'The machine was restarted.' }
        : { kind: 'exited', code, endedAt };
    this.#put({ ...this.#view(id), state, endedAt });
  }

  /** Ends the training of this name (its end, e.g. "Base, seed 1"). */
  endNamed(name: string, code: number | null | 'lost'): void {
    const found = this.going().find((view) => view.name.endsWith(name));
    if (found === undefined) throw new Error(`No training "${name}" is going on`);
    this.end(found.id, code);
  }

  /** How far a training says it is. */
  progress(id: string, secondsLeft: number): void {
    this.#put({ ...this.#view(id), secondsLeft });
  }

  #iso(): string {
    return new Date(this.nowMs).toISOString();
  }

  #view(id: string): TrainingView {
    const view = this.views.get(id);
    if (view === undefined) throw new Error(`No training ${id}`);
    return view;
  }

  #put(view: TrainingView): void {
    this.views.set(view.id, view);
    this.#changes.emit(view);
  }
}

function agentsOf(spec: TrainingSpec): string[] {
  if (spec.kind === 'pocket') return spec.families;
  return spec.kind === 'model' ? spec.agents.map(({ id }) => id) : [];
}

function viewOf(id: string, request: TrainingRequest, experimentId: string | null, at: string): TrainingView {
  return {
    id,
    name: request.name,
    machineId: request.machineId,
    jobId: null,
    spec: request.spec,
    scale: 'pocket',
    title: request.name,
    agents: agentsOf(request.spec).map((agent) => ({ id: agent, name: agent })),
    state: { kind: 'running', pid: 1 },
    stage: null,
    createdAt: at,
    startedAt: at,
    endedAt: null,
    step: 0,
    steps: null,
    secondsLeft: null,
    latest: [],
    alarms: [],
    experimentId,
  };
}
