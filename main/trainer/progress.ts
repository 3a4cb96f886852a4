import type {
  PassCount,
  ProblemsKept,
  TeamEvaluation,
  TrainingEvaluation,
} from '../../preload/contract/index';
import { problemsKeptText } from '../../preload/contract/plans/index';
import { counted } from '../base/index';
import { sealed } from '../storage/index';
import type { LearningInput } from './learning-input';
import type { MetricLine, RoundReport } from './round-report';
import type { RunFolder } from './run-folder';
import { STATE_VERSION, stateKind, type TrainedInput, type TrainerState } from './trainer-state';
import type { TrainingEnvironment } from './training-environment';
import type { TrainingLoop } from './training-loop';

/** Minimum interval between writes of stage.json while it says the same but for its numbers. */
const STAGE_EVERY_MS = 1_000;

type ProgressOptions = {
  /** The whole input: it is written beside the results, and no other one continues from the state. */
  readonly input: TrainedInput;
  readonly learning: LearningInput;
  readonly folder: RunFolder;
  readonly rounds: Pick<TrainingLoop<never>, 'round' | 'updates' | 'state' | 'saveCheckpoints'>;
  /** Grows as groups are evaluated. */
  readonly evaluation: readonly TeamEvaluation[];
  readonly environment: Pick<TrainingEnvironment, 'split' | 'verdicts'>;
  readonly saved: TrainerState | null;
  readonly now: () => number;
  readonly saveEveryMs: number;
  readonly onProgress?: (line: string) => void;
};

/** Writes a training's files while it runs, and the state from which it can continue. */
export class Progress {
  readonly #options: ProgressOptions;
  readonly #startedAt: number;
  #savedAt: number;
  /** When a stage was written last, by its first word. */
  readonly #stagedAt = new Map<string, number>();
  #staging: Promise<void> = Promise.resolve();
  #kept: ProblemsKept | null = null;
  #reported = '';

  constructor(options: ProgressOptions) {
    this.#options = options;
    this.#startedAt = options.now();
    this.#savedAt = this.#startedAt;
  }

  /** Before the first round. `subject`: what is measured on, e.g. "problems". */
  async measuring(done: number, of: number, subject: string): Promise<void> {
    await this.#stage(`Measuring Pass@1: ${done} of ${of} ${subject}`);
  }

  /** The training is on these problems only; repeated with every later stage. */
  async choseProblems(counts: ProblemsKept): Promise<void> {
    this.#kept = counts;
    const { saved, onProgress } = this.#options;
    if (saved === null) onProgress?.(problemsKeptText(counts));
    await this.#stage('rollout', true);
  }

  /** `untrained`: computes the metrics before the first round; called only if they are not written yet. */
  async begin(untrained: () => Promise<readonly MetricLine[]>): Promise<void> {
    const { folder, input, rounds } = this.#options;
    if ((await folder.read('spec.json')) === null) await folder.replace('spec.json', asText(input));
    await this.#stage('rollout');
    if (rounds.round === 0 && folder.sizes.metrics === 0) await this.#write(await untrained());
  }

  /** Trees of a round; when all are grown, it learns of them. */
  async grown(done: number, of: number): Promise<void> {
    await this.#stage(done < of ? `rollout, ${done} of ${counted(of, 'tree')}` : 'learning');
  }

  async roundDone({ lines, rollouts }: RoundReport): Promise<void> {
    await this.#options.folder.append('rollouts', rollouts);
    await this.#write(lines);
    await this.#stage('rollout');
    await this.#saveWhenDue();
  }

  async evaluated(done: number, problems: number): Promise<void> {
    await this.#stage(`evaluation, ${done} of ${counted(problems, 'problem')}`);
    await this.#saveWhenDue();
  }

  async stopped(): Promise<'stopped'> {
    await this.#save(false);
    return this.cancelled();
  }

  /** Stopped in the middle of a round or evaluation, which will be done again from the last saved state. */
  async cancelled(): Promise<'stopped'> {
    await this.#stage('stopped', true);
    return 'stopped';
  }

  /** `before`: first attempts at the same problems before the first update, where they were counted. */
  async finish(
    teams: readonly { team: TeamEvaluation; values: MetricLine['values'] }[],
    before: readonly PassCount[] | null,
  ): Promise<void> {
    const { folder, rounds, learning, environment } = this.#options;
    // Also for a training without updates: its checkpoints are what was evaluated.
    await rounds.saveCheckpoints();
    await this.#write(teams.map(({ team, values }) => this.#evaluationLine(team, values)));
    const evaluation: TrainingEvaluation = {
      split: environment.split,
      seed: learning.spec.seed,
      teams: teams.map(({ team }) => team),
      ...(before === null ? {} : { before: [...before] }),
    };
    if (teams.length > 0) await folder.replace('evaluation.json', asText(sealed(evaluation)));
    await this.#save(true);
    await this.#stage('done', true);
  }

  #evaluationLine({ agentIds }: TeamEvaluation, values: MetricLine['values']): MetricLine {
    const { rounds, learning } = this.#options;
    const [agent = null, ...others] = agentIds;
    const step = Math.min(...agentIds.map((id) => rounds.updates[id] as number));
    return {
      step,
      round: rounds.round,
      agent: others.length === 0 ? agent : null,
      part: 'evaluation',
      samples: step * learning.spec.batch * agentIds.length,
      values,
    };
  }

  async #write(lines: readonly MetricLine[]): Promise<void> {
    const at = new Date(this.#options.now()).toISOString();
    const seconds = this.#seconds();
    const { folder } = this.#options;
    await folder.append('metrics', lines);
    await folder.append(
      'times',
      lines.map(({ step, agent, part }) => ({
        step,
        agent,
        ...(part === undefined ? {} : { part }),
        at,
        seconds,
      })),
    );
  }

  async #stage(stage: string, isLast = false): Promise<void> {
    const { now, folder, rounds } = this.#options;
    const [kind = ''] = stage.split(/\W/);
    if (!isLast && now() - (this.#stagedAt.get(kind) ?? Number.NEGATIVE_INFINITY) < STAGE_EVERY_MS) return;
    this.#stagedAt.set(kind, now());
    const { asked, pairs } = this.#options.environment.verdicts.statistics;
    const problemsKept = this.#kept === null ? {} : { kept: this.#kept };
    const progress = { stage, updates: rounds.updates, graded: { asked, pairs }, ...problemsKept };
    // Trees that end together must not overtake each other.
    this.#staging = this.#staging.then(() => folder.replace('stage.json', asText(progress)));
    await this.#staging;
  }

  async #saveWhenDue(): Promise<void> {
    if (this.#options.now() - this.#savedAt >= this.#options.saveEveryMs) await this.#save(false);
  }

  async #save(done: boolean): Promise<void> {
    const { folder, rounds, evaluation, input } = this.#options;
    await folder.sync();
    const state: TrainerState = {
      kind: stateKind(input),
      version: STATE_VERSION,
      input,
      ...(await rounds.state()),
      evaluation: [...evaluation],
      bytes: folder.sizes,
      seconds: this.#seconds(),
      done,
    };
    await folder.replace('state.json', asText(state));
    this.#savedAt = this.#options.now();
    this.#reportProgress();
  }

  #reportProgress(): void {
    const { rounds, evaluation, learning, environment, onProgress } = this.#options;
    const updates = Object.entries(rounds.updates).map(([id, made]) => `${id} ${made}`);
    const evaluated = evaluation[0]?.problems.length ?? 0;
    const { asked, pairs } = environment.verdicts.statistics;
    const line =
      `Round ${rounds.round}. Updates, of ${learning.spec.updates}: ${updates.join(', ')}. Evaluated at the end: ${evaluated} of ` +
      `${counted(learning.spec.evaluation.problems, 'held-out problem')}. Programs: ${asked}, ${pairs} different ones graded.`;
    // The end is saved once more after the last evaluation, which was saved too.
    if (line === this.#reported) return;
    this.#reported = line;
    onProgress?.(line);
  }

  #seconds(): number {
    const { now, saved } = this.#options;
    return (saved?.seconds ?? 0) + (now() - this.#startedAt) / 1_000;
  }
}

function asText(value: unknown): string {
  return `${JSON.stringify(value)}\n`;
}
