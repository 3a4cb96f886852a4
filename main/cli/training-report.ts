import {
  CURVE_COLUMNS,
  curveRows,
  EVALUATION_INTERVALS,
  heldOutPart,
  isOwnTraining,
  isUntrained,
  jobHasEnded,
  MARTI_FLAGS,
  MARTI_GROUP_TITLES,
  type MartiPreset,
  NOT_TRAINED,
  passOneLabel,
  percentText,
  ROUNDING_NOISE,
  type TrainingCurve,
  type TrainingEvaluationView,
  type TrainingPlan,
  type TrainingRate,
  type TrainingView,
  trainingGainText,
} from '../../preload/contract/index';
import { assertNever, csvFile, shellWord } from '../base/index';
import { duration } from './experiment-report';
import { columns, intervalText } from './report';

/** The values shown of a live training, in this order and with the window's names; the others are in its curves. */
export const LIVE_NAMES: Readonly<Record<string, string>> = {
  reward: 'Reward',
  'pass@1': 'Pass@1',
  entropy: 'Entropy',
  kl: 'KL',
  'policy-loss': 'Policy loss',
  'tokens-per-second': 'Tokens per second',
};

/** "done", "running", "stopped" ... */
export function trainingStateText({ state, wasStopped }: Pick<TrainingView, 'state' | 'wasStopped'>): string {
  switch (state.kind) {
    case 'exited':
      if (wasStopped === true && state.code !== 0) return 'stopped';
      return state.code === 0 ? 'done' : `ended, ${state.code === null ? 'killed' : `code ${state.code}`}`;
    case 'queued':
      return state.why === '' ? 'waits' : `waits: ${state.why}`;
    case 'lost':
      return `lost: ${state.why}`;
    case 'unknown':
      return `machine silent since ${state.since}`;
    case 'starting':
    case 'running':
      return state.kind;
    default:
      return assertNever(state);
  }
}

/** "update 34 of 300; rollout; Reward: reader 0.341, tracer 0.402; Training Pass@1: reader 20.6 %; about 3 min to go". */
export function liveLine(view: TrainingView): string {
  const { step, steps, stage, secondsLeft, latest, agents } = view;
  const of = steps === null ? '' : ` of ${steps}`;
  const nameOf = (agentId: string | null) => agents.find(({ id }) => id === agentId)?.name ?? 'team';
  const plain = (value: number): string => {
    const size = Math.abs(value);
    if (size < ROUNDING_NOISE) return '0';
    return size < 1e-3 ? value.toExponential(1) : value.toPrecision(3);
  };
  const inPercent = (rate: number): string => `${percentText(rate)} %`;
  const numbersOf = (label: string, values: TrainingView['latest'], number = plain): string[] => {
    if (values.length === 0) return [];
    const own = values.map(({ agentId, value }) => `${nameOf(agentId)} ${number(value)}`);
    return [`${label}: ${own.join(', ')}`];
  };
  const numbers = Object.entries(LIVE_NAMES).flatMap(([key, label]) => {
    const values = latest.filter((value) => value.key === key);
    const measured = values.filter(({ part }) => part === 'evaluation');
    const own = values.filter(({ part }) => part !== 'evaluation');
    if (key !== 'pass@1') return numbersOf(label, own.length > 0 ? own : measured);
    return [
      ...numbersOf(passOneLabel('train', view.spec), own, inPercent),
      ...numbersOf(passOneLabel('evaluation', view.spec), measured, inPercent),
    ];
  });
  const left = secondsLeft === null || secondsLeft < 0.5 ? [] : [`about ${duration(secondsLeft)} to go`];
  const name = isOwnTraining(view.spec) ? 'update' : 'step';
  const made = isUntrained(view.spec) ? NOT_TRAINED : `${name} ${step}${of}`;
  return [made, ...(stage === null ? [] : [stage]), ...numbers, ...left].join('; ');
}

export function trainingTable(list: readonly TrainingView[]): string {
  const rows = list.map((view) => [
    view.id.slice(0, 8),
    view.machineId,
    view.scale,
    isUntrained(view.spec)
      ? NOT_TRAINED
      : view.steps === null
        ? String(view.step)
        : `${view.step} of ${view.steps}`,
    jobHasEnded(view.state) || view.secondsLeft === null ? '' : `about ${duration(view.secondsLeft)}`,
    trainingStateText(view),
    view.name === view.title ? view.name : `${view.name} (${view.title})`,
  ]);
  return columns(['training', 'machine', 'scale', 'step', 'left', 'state', 'name'], rows).join('\n');
}

/** One line a point, in the order of the curves. */
export function curvesCsv(curves: readonly TrainingCurve[]): string {
  return csvFile(CURVE_COLUMNS, curveRows(curves)).text;
}

/** Pass@1 before and after, a line per agent; empty: not measured before. */
export function gainLines(
  { gains }: Pick<TrainingEvaluationView, 'gains'>,
  view: TrainingView,
): readonly string[] {
  return gains.map((gain) => trainingGainText(agentName(view, gain.agentId), gain));
}

function agentName({ agents }: TrainingView, id: string): string {
  return agents.find((agent) => agent.id === id)?.name ?? id;
}

/**
 * First attempts of each agent alone, per problem, before and after the training; then their means with the paired 95 %
 * interval of the difference, and the odds ratio. Shares in [0, 1].
 */
export function beforeAfterCsv({ before = [], teams, gains }: TrainingEvaluationView): string {
  const earlier = new Map(before.map(({ problemId, samples }) => [problemId, samples]));
  const rows = gains.flatMap(({ agentId, ...gain }) => {
    const alone = teams.find(({ agentIds }) => agentIds.length === 1 && agentIds[0] === agentId);
    const problems = (alone?.problems ?? []).flatMap(({ problemId, samples }) => {
      const [one, other] = [earlier.get(problemId), samples].map((of) =>
        of?.find((sample) => sample.agentId === agentId),
      );
      if (one === undefined || other === undefined) return [];
      const [from, to] = [one.passed / one.count, other.passed / other.count];
      return [[agentId, problemId, from, to, to - from, null, null, null, null, null]];
    });
    const { before: from, after: to, difference, low, high, oddsRatio: odds } = gain;
    const oddsCells =
      odds === null ? [null, null, null] : [odds.value ?? Infinity, odds.low, odds.high ?? Infinity];
    return [...problems, [agentId, 'mean', from, to, difference, low, high, ...oddsCells]];
  });
  const odds = ['odds_ratio', 'odds_ratio_low', 'odds_ratio_high'];
  const titles = ['agent', 'problem', 'before', 'after', 'difference', 'low', 'high', ...odds];
  return csvFile(titles, rows).text;
}

/** Agents alone, then the team: what the trainer measured at its end, in percent of problems. */
export function evaluationText(evaluation: TrainingEvaluationView, view: TrainingView): string {
  const { split, seed, teams, rates, caution } = evaluation;
  const gains = gainLines(evaluation, view);
  const rows = teams.map(({ agentIds, nodes, problems }, at) => [
    agentIds.map((id) => agentName(view, id)).join(' + '),
    rateText(rates[at]?.passOne),
    rateText(rates[at]?.passOneSearch),
    rateText(rates[at]?.passAny),
    String(nodes),
    String(problems.length),
  ]);
  const titles = ['agents', 'Pass@1', 'Pass@1(MCTS)', 'Pass@N', 'N', 'problems'];
  return [
    ...columns(titles, rows),
    '',
    ...gains,
    ...(gains.length === 0 ? [] : ['']),
    `Percent of problems of ${heldOutPart(split, view.spec)}, training seed ${seed}; scale: ${view.scale}. ${EVALUATION_INTERVALS}`,
    ...(caution === null ? [] : [caution]),
    '',
  ].join('\n');
}

function rateText(rate: TrainingRate | null | undefined): string {
  return rate ? `${percentText(rate.value)}${intervalText(rate)}` : '-';
}

/** Of a plan's set-up; MARTI's is a program of its own. */
const MAX_SET_UP_LINES = 12;

function setUpLines(setUp: string): string[] {
  const lines = setUp.split('\n');
  const more = lines.length - MAX_SET_UP_LINES;
  return [
    'Set-up, runs first:',
    ...lines.slice(0, MAX_SET_UP_LINES).map((line) => `  ${line}`),
    ...(more > 0 ? [`  ... and ${more} more (all of them: --json)`] : []),
  ];
}

/** A plan for the terminal: set-up, variables and command as the machine gets them, notes, checks and problems. */
export function planText({
  commandLine,
  env = {},
  setUp,
  gpus,
  expected = [],
  notes,
  problems,
  checks,
  estimateSeconds,
}: TrainingPlan): string {
  const variables = Object.entries(env).map(([name, value]) => `${name}=${shellWord(value)}`);
  const marks = { good: 'ok  ', warning: '!   ', bad: 'BAD ', unknown: '?   ' } as const;
  return [
    ...expected,
    ...(expected.length === 0 ? [] : ['']),
    ...(setUp === undefined ? [] : setUpLines(setUp)),
    ...(variables.length === 0 ? [] : ['Variables:', ...variables.map((line) => `  ${line}`)]),
    ...(setUp === undefined && variables.length === 0 ? [] : ['', 'Command:']),
    commandLine,
    '',
    ...(gpus === 0 ? [] : [`GPUs: ${gpus}`]),
    ...(expected.length > 0 ? [] : [timeText(estimateSeconds)]),
    ...notes.map((note) => `- ${note}`),
    ...checks.flatMap(({ state, title, found, todo }) => [
      `${marks[state]} ${title}: ${found}`,
      ...(todo === null ? [] : [`     ${todo}`]),
    ]),
    ...problems.map((problem) => `Problem: ${problem}`),
    '',
  ].join('\n');
}

/** For language models the hours are part of the expectation. */
function timeText(seconds: number | null): string {
  return seconds === null
    ? 'How long it takes is known once one like it has run.'
    : `Takes about ${duration(seconds)}, as earlier ones did.`;
}

/** Every setting with what it is for, by group. */
export function settingsText(preset: MartiPreset): string {
  const lines: string[] = [];
  let group = '';
  for (const flag of MARTI_FLAGS) {
    if (flag.group !== group) lines.push('', MARTI_GROUP_TITLES[flag.group]);
    group = flag.group;
    const own = flag.defaults[preset];
    const value =
      own === null
        ? `not passed${flag.martiDefault === null ? '' : `: ${flag.martiDefault}`}`
        : own === true
          ? 'on'
          : own === false
            ? 'off'
            : String(own);
    lines.push(`  ${flag.name} (${value})`, `      ${flag.label}. ${flag.help}`);
  }
  return `${lines.slice(1).join('\n')}\n`;
}
