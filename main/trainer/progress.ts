import { join } from 'node:path';
import type { TeamEvaluation, TrainingEvaluation } from '../../preload/contract/index';
import { encodeCheckpoint } from '../pocket/index';
import type { RunFolder } from './run-folder';
import { STATE_VERSION, type TrainerState } from './trainer-state';
import type { TrainingInput } from './training-input';
import type { AgentCheckpoint, MetricLine, RoundReport, TrainingLoop } from './training-loop';
import type { VerdictCache } from './verdict-cache';

/** Minimum interval between writes of stage.json. */
const STAGE_EVERY_MS = 1_000;

type ProgressOptions = {
  readonly input: TrainingInput;
  readonly folder: RunFolder;
  readonly rounds: TrainingLoop;
  /** Grows as groups are evaluated. */
  readonly evaluation: readonly TeamEvaluation[];
  readonly cache: VerdictCache;
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
  #stagedAt = Number.NEGATIVE_INFINITY;

  constructor(options: ProgressOptions) {
    this.#options = options;
    this.#startedAt = options.now();
    this.#savedAt = this.#startedAt;
  }

  /** `untrained`: computes the metrics before the first round; called only if they are not written yet. */
  async begin(untrained: () => Promise<readonly MetricLine[]>): Promise<void> {
    const { folder, input, rounds } = this.#options;
    if ((await folder.read('spec.json')) === null) await folder.replace('spec.json', asText(input));
    await this.#stage('rollout');
    if (rounds.round === 0 && folder.sizes.metrics === 0) await this.#write(await untrained());
  }

  async roundDone({ lines, rollouts, checkpoints }: RoundReport): Promise<void> {
    await this.#options.folder.append('rollouts', rollouts);
    await this.#write(lines);
    await this.#saveCheckpoints(checkpoints);
    await this.#stage('rollout');
    await this.#saveWhenDue();
  }

  async evaluated(done: number, problems: number): Promise<void> {
    await this.#stage(`evaluation, ${done} of ${problems} problems`);
    await this.#saveWhenDue();
  }

  async stopped(): Promise<'stopped'> {
    await this.#save(false);
    await this.#stage('stopped', true);
    return 'stopped';
  }

  async finish(teams: readonly { team: TeamEvaluation; values: MetricLine['values'] }[]): Promise<void> {
    const { folder, rounds, input } = this.#options;
    const { split } = input.spec.evaluation;
    // Also for a training without updates: its checkpoints are what was evaluated.
    await this.#saveCheckpoints(rounds.checkpoints());
    await this.#write(teams.map(({ team, values }) => this.#evaluationLine(team, values)));
    const evaluation: TrainingEvaluation = {
      split,
      seed: input.spec.seed,
      teams: teams.map(({ team }) => team),
    };
    if (teams.length > 0) await folder.replace('evaluation.json', asText(evaluation));
    await this.#save(true);
    await this.#stage('done', true);
  }

  #evaluationLine({ agentIds }: TeamEvaluation, values: MetricLine['values']): MetricLine {
    const { rounds, input } = this.#options;
    const [agent = null, ...others] = agentIds;
    const step = Math.min(...agentIds.map((id) => rounds.updates[id] as number));
    return {
      step,
      round: rounds.round,
      agent: others.length === 0 ? agent : null,
      part: 'evaluation',
      samples: step * input.spec.batch * agentIds.length,
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

  async #saveCheckpoints(checkpoints: readonly AgentCheckpoint[]): Promise<void> {
    for (const { agentId, checkpoint } of checkpoints) {
      const name = `${agentId}-${String(checkpoint.updates).padStart(6, '0')}.json`;
      await this.#options.folder.replace(join('checkpoints', name), encodeCheckpoint(checkpoint));
    }
  }

  async #stage(stage: string, isLast = false): Promise<void> {
    const { now, folder, rounds } = this.#options;
    if (!isLast && now() - this.#stagedAt < STAGE_EVERY_MS) return;
    this.#stagedAt = now();
    const { asked, pairs } = this.#options.cache.statistics;
    await folder.replace('stage.json', asText({ stage, updates: rounds.updates, graded: { asked, pairs } }));
  }

  async #saveWhenDue(): Promise<void> {
    if (this.#options.now() - this.#savedAt >= this.#options.saveEveryMs) await this.#save(false);
  }

  async #save(done: boolean): Promise<void> {
    const { folder, rounds, evaluation, input } = this.#options;
    await folder.sync();
    const state: TrainerState = {
      kind: 'pocket-training',
      version: STATE_VERSION,
      input,
      ...rounds.state(),
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
    const { rounds, evaluation, input, cache, onProgress } = this.#options;
    const updates = Object.entries(rounds.updates).map(([id, made]) => `${id} ${made}`);
    const evaluated = evaluation[0]?.problems.length ?? 0;
    const { asked, pairs } = cache.statistics;
    onProgress?.(
      `Round ${rounds.round}. Updates, of ${input.spec.updates}: ${updates.join(', ')}. Held-out problems: ${evaluated} of ` +
        `${input.spec.evaluation.problems}. Programs: ${asked}, ${pairs} different ones graded.`,
    );
  }

  #seconds(): number {
    const { now, saved } = this.#options;
    return (saved?.seconds ?? 0) + (now() - this.#startedAt) / 1_000;
  }
}

function asText(value: unknown): string {
  return `${JSON.stringify(value)}\n`;
}
