import type { Recipe } from '../../../../preload/contract';
import { LogLines, type Progress, ProgressBars, stampMs } from './log-lines';
import { type MetricRow, type NameOptions, quantityOf, tagOwner } from './metric-names';
import { nonFiniteNumber, type PythonValue, pythonLiteral } from './python-literal';

export type ConsoleOptions = {
  readonly form: NonNullable<Recipe['log']>['form'];
  /** Name of the value that is the step; null: the step in the line, else the progress bar, else one per line. */
  readonly stepKey: string | null;
  readonly names: NameOptions;
  /** Id of the agent at a position; null: the team, or the only policy. */
  readonly agentAt: (position: number | null) => string | null;
};

/** A row of a log and its time: only differences between these milliseconds are meaningful. */
export type ConsoleRow = { readonly row: MetricRow; readonly ms: number | null };

/** "Global step 3: {", as MARTI and OpenRLHF print it, and "global_step 3, eval_metrics: {". */
const AT_STEP = /global[ _]step:? (\d+)(?:, eval_metrics)?: (?=\{)/i;
const DICTIONARY = /\{\s*['"]/;

/** Markers in MARTI's log, and the stage that begins there. */
const PHASES: ReadonlyArray<readonly [RegExp, string]> = [
  [/\] Begin ROLLOUT/, 'rollout'],
  [/ROLLOUT FINISHED/, 'making experiences'],
  [/Begin Training/, 'training'],
  [/Evaluation start time/, 'evaluating'],
  [/Evaluation completed/, 'rollout'],
];

/** Reads a trainer's console log from pieces of text split anywhere. */
export class ConsoleReader {
  readonly #options: ConsoleOptions;
  readonly #lines = new LogLines();
  readonly #bars = new ProgressBars();
  #stage: string | null = null;
  /** Step of the last row, for rows without their own step. */
  #countedSteps = 0;
  /** Quantities of training logged at that step. */
  #loggedThere = new Set<string>();
  /** Least that the bar has shown since that row. */
  #leastShown = Number.POSITIVE_INFINITY;

  constructor(options: ConsoleOptions) {
    this.#options = options;
  }

  /** What the trainer is doing, by the last marker in its log; null: no marker yet. */
  get stage(): string | null {
    return this.#stage;
  }

  get progress(): Progress | null {
    return this.#bars.last;
  }

  push(piece: string, take: (row: ConsoleRow) => void): void {
    for (const line of this.#lines.push(piece)) this.#line(line, take);
  }

  #line(line: string, take: (row: ConsoleRow) => void): void {
    if (this.#bars.push(line)) this.#leastShown = Math.min(this.#leastShown, this.#bars.last?.done ?? 0);
    const phase = PHASES.find(([mark]) => mark.test(line));
    if (phase !== undefined) this.#stage = phase[1];
    const logged = this.#options.form === 'pairs' ? this.#pairs(line) : this.#dictionary(line);
    if (logged === null) return;
    const bar = this.#bars.last;
    const ms = stampMs(line) ?? (bar === null ? null : bar.seconds * 1_000);
    for (const row of this.#rows(logged)) take({ row, ms });
  }

  #dictionary(line: string): LoggedValues | null {
    const begin = DICTIONARY.exec(line);
    if (begin === null) return null;
    const marked = AT_STEP.exec(line);
    const from = marked === null ? begin.index : marked.index + marked[0].length;
    const literal = pythonLiteral(line, from);
    if (literal === null || !(literal.value instanceof Map)) return null;
    const values = new Map<string, number>();
    for (const [name, value] of literal.value) {
      const number = numberOf(value);
      if (number !== null) values.set(name, number);
    }
    const step = marked === null ? null : Number(marked[1]);
    return step !== null || this.#isMeasured(values) ? { step, values } : null;
  }

  /** "step:3 - actor/pg_loss:0.01 - critic/rewards/mean:0.5", as verl prints it. */
  #pairs(line: string): LoggedValues | null {
    const begin = /(?:^|\s)(step:\d+ - [\s\S]+)/.exec(line);
    if (begin === null && (this.#options.stepKey === null || !line.includes(' - '))) return null;
    const values = new Map<string, number>();
    for (const pair of (begin?.[1] ?? line).split(' - ')) {
      const colon = pair.lastIndexOf(':');
      const number = colon === -1 ? null : numberOf(pair.slice(colon + 1));
      if (number !== null) values.set(pair.slice(0, colon).trim(), number);
    }
    const step = values.get('step') ?? null;
    values.delete('step');
    return this.#isMeasured(values) ? { step, values } : null;
  }

  /** Whether the values are measurements: a printed configuration may look the same, and may contain a learning rate. */
  #isMeasured(values: ReadonlyMap<string, number>): boolean {
    return [...values.keys()].some((name) => {
      const quantity = quantityOf(tagOwner(name).name, this.#options.names);
      return quantity !== null && quantity.part !== 'other' && quantity.key !== 'learning-rate';
    });
  }

  #rows({ step: logged, values }: LoggedValues): readonly MetricRow[] {
    const { stepKey, names, agentAt } = this.#options;
    const keyed = stepKey === null ? undefined : values.get(stepKey);
    const agentValue = values.get('agent_id');
    const points = [...values].flatMap(([name, value]) => {
      const owner = tagOwner(name);
      const quantity = name === stepKey ? null : quantityOf(owner.name, names);
      const position = owner.agent ?? (agentValue === undefined ? null : Math.round(agentValue));
      return quantity === null ? [] : [{ ...quantity, agentId: agentAt(position), value }];
    });
    const trained = points.flatMap(({ part, agentId, key }) => (part === 'train' ? `${agentId}/${key}` : []));
    const step = Math.round(keyed ?? logged ?? this.#stepOfBar(trained));
    if (!Number.isFinite(step)) return [];
    if (step !== this.#countedSteps) this.#loggedThere.clear();
    for (const name of trained) this.#loggedThere.add(name);
    this.#countedSteps = step;
    this.#leastShown = Number.POSITIVE_INFINITY;
    return points.map((row) => ({ ...row, step }));
  }

  /**
   * The step of a row without one. tqdm redraws at most ten times a second: in quick steps the bar still shows the step
   * before. It has gone back where the training resumed from a checkpoint.
   */
  #stepOfBar(trained: readonly string[]): number {
    const shown = this.#bars.last?.done;
    if (shown === undefined) return this.#countedSteps + 1;
    const isAgain = shown === this.#countedSteps && trained.some((name) => this.#loggedThere.has(name));
    return isAgain && this.#leastShown >= shown ? shown + 1 : shown;
  }
}

/** A line's values by name, and its step if the line states it separately. */
type LoggedValues = { readonly step: number | null; readonly values: ReadonlyMap<string, number> };

/** A number, a list of one, or a string with a number, as newer versions of transformers print. */
function numberOf(value: PythonValue): number | null {
  if (typeof value === 'number') return value;
  if (Array.isArray(value)) return value.length === 1 ? numberOf(value[0] ?? null) : null;
  if (typeof value !== 'string') return null;
  const text = value.trim();
  if (/^[+-]?(?:nan|inf(?:inity)?)$/i.test(text))
    return nonFiniteNumber(text.toLowerCase().replace('inity', ''));
  if (/^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i.test(text)) return Number(text);
  const wrapped = /^[a-z][\w.]*\(/i.test(text) ? pythonLiteral(text) : null;
  return typeof wrapped?.value === 'number' ? wrapped.value : null;
}
