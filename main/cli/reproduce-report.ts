import type {
  Amount,
  PlanStep,
  ReproductionDecision,
  ReproductionPlan,
  ReproductionView,
} from '../../preload/contract/index';
import {
  hasDamage,
  type JournalDamage,
  localTime,
  type MissingGroup,
  missingByRemedy,
} from '../../preload/contract/plans/index';
import { counted } from '../base/index';
import { duration, remainingText } from './experiment-report';
import { barLine, columns } from './report';

/** "[####......] 40 % of the time, about 4 min to go" within `width` columns, with what runs now. */
export function reproductionLine(view: ReproductionView, width: number): string {
  const { progress, secondsLeft, steps } = view;
  const going = steps.filter(({ state }) => state.kind === 'running');
  const now =
    going[0] === undefined
      ? ''
      : `: ${going[0].title}${going.length > 1 ? ` and ${going.length - 1} more` : ''}`;
  const { share01, of } = progress;
  const text = ` ${Math.round(share01 * 100)} % of the ${of}${remainingText(secondsLeft)}${now}`;
  return barLine(share01, text, width, 20);
}

/** The list of them; what rests on a damaged journal says so. */
export function reproductionsText(
  views: readonly ReproductionView[],
  studies: readonly JournalDamage[],
  stateOf: (view: ReproductionView) => string,
): string {
  const rows = views.map((view) => [
    view.id.slice(0, 8),
    view.order.exhibitId,
    view.scale,
    `${view.done} of ${view.total}`,
    `${stateOf(view)}${hasDamage(view, studies) ? ', damaged' : ''}`,
  ]);
  return `${columns(['reproduction', 'exhibit', 'scale', 'steps', 'state'], rows).join('\n')}\n`;
}

/** The scales at which an exhibit was measured, and which of that is damaged. */
export function measuredText(
  exhibitId: string,
  views: readonly ReproductionView[],
  studies: readonly JournalDamage[],
): string {
  const done = views.filter(({ order, state }) => order.exhibitId === exhibitId && state.kind === 'done');
  const scales = [...new Set(done.map(({ scale }) => scale))].sort().map((scale) => {
    const isDamaged = done.some((view) => view.scale === scale && hasDamage(view, studies));
    return `${scale}${isDamaged ? ' (damaged)' : ''}`;
  });
  return scales.join(', ') || '-';
}

export function decisionLine({ at, stepId, text }: ReproductionDecision): string {
  return `${localTime(at)}  ${stepId === null ? '' : `${stepId}: `}${text}`;
}

/** With more models in one sentence, the first ones show the pattern. */
const MAX_NAMES = 2;

/**
 * What it takes, what is missing and what to know; then a line per kind of step and machine, which add up to all steps.
 * `verbose`: a line per step, and one for those that take no time of their own.
 */
export function planText(plan: ReproductionPlan, verbose: boolean): string {
  const { order: request, steps, missing, notes } = plan;
  const shown = steps.filter(({ kind }) => kind !== 'metrics' && kind !== 'cell');
  const groups = missingByRemedy(missing, verbose ? Number.POSITIVE_INFINITY : MAX_NAMES);
  return [
    `"${request.exhibitId}" at ${request.scale} scale: ${counted(steps.length, 'step')}. ${costText(plan)}`,
    ...(missing.length === 0 ? [] : ['', 'Missing, so it cannot start:']),
    ...groups.flatMap(missingLines),
    ...(notes.length === 0 && plan.oneSeed === undefined ? [] : ['']),
    ...notes,
    ...oneSeedLines(plan),
    ...(shown.length === 0 ? [] : ['', ...(verbose ? stepTable(shown) : kindTable(steps))]),
    ...trainingLines(steps),
    ...(verbose ? countedLines(steps) : []),
    ...(verbose || shown.length === 0
      ? []
      : ['', 'Each training, server and search in a line of its own: add --verbose.']),
    '',
  ].join('\n');
}

/** The missing inputs, each with a line about what to do. */
function missingLines({ messages, todo, field }: MissingGroup): string[] {
  const key = field === undefined ? '' : ` ("${field}" in a file for --places; docs/reproductions.md)`;
  return [...messages.map((message) => `  ${message}`), `    ${todo.replace(/\.$/, '')}${key}.`];
}

function stepTable(steps: readonly PlanStep[]): string[] {
  const rows = steps.map((step) => [
    step.title,
    step.machineId ?? '-',
    step.kind === 'search' || step.kind === 'serve' ? String(step.wave + 1) : '',
    step.reuse === null ? amountText(step.estimate) : 'reused',
    step.missing.length === 0 ? '' : 'missing',
  ]);
  return columns(['step', 'machine', 'batch', 'estimate', ''], rows);
}

function kindTable(steps: readonly PlanStep[]): string[] {
  const groups = new Map<string, PlanStep[]>();
  for (const step of steps) {
    const key = `${step.kind} ${step.machineId ?? '-'}`;
    groups.set(key, [...(groups.get(key) ?? []), step]);
  }
  const numberOf = (of: readonly PlanStep[], isCounted: (step: PlanStep) => boolean): string => {
    const number = of.filter(isCounted).length;
    return number === 0 ? '' : String(number);
  };
  const rows = [...groups.values()].map((of) => [
    of[0]?.kind ?? '',
    of[0]?.machineId ?? '-',
    String(of.length),
    numberOf(of, ({ reuse }) => reuse !== null),
    numberOf(of, ({ missing }) => missing.length > 0),
  ]);
  return columns(['kind of step', 'machine', 'steps', 'reused', 'blocked'], rows);
}

/** The text before it starts: its cost, and which part of it is ours or of later seeds. */
export function startText(plan: ReproductionPlan): string {
  return [costText(plan), ...plan.notes, ...oneSeedLines(plan)].join('\n');
}

function oneSeedLines({ oneSeed }: ReproductionPlan): string[] {
  return oneSeed === undefined ? [] : [`${oneSeed.note} To run it alone: --seeds ${oneSeed.seed}.`];
}

function costText({ estimate, diskBytes, modelLoads }: ReproductionPlan): string {
  const amount = amountText(estimate);
  const isUnknown = estimate.seconds === null || estimate.gpuSeconds === null;
  const time = isUnknown ? ['How long it takes is not known.'] : [];
  const cost = amount === '' ? [] : [`It takes ${amount}.`];
  const disk = diskBytes === null ? '' : `, and it writes ${(diskBytes / 1e9).toFixed(2)} GB`;
  return [...time, ...cost, `It loads ${counted(modelLoads, 'model')}${disk}.`].join(' ');
}

/** How trainings are made: a line for each way. */
function trainingLines(steps: readonly PlanStep[]): string[] {
  const details = steps.filter(({ kind }) => kind === 'train').map(({ detail }) => detail);
  const lines = [...new Set(details)].map((detail) => {
    const number = details.filter((other) => other === detail).length;
    return `${counted(number, 'training')}: ${detail}.`;
  });
  return lines.length === 0 ? [] : ['', ...lines];
}

/** Steps that take no time of their own are one line. */
function countedLines(steps: readonly PlanStep[]): string[] {
  const number = (stepKind: PlanStep['kind']): number => steps.filter(({ kind }) => kind === stepKind).length;
  const measured = number('metrics') === 0 ? [] : [`measures ${counted(number('metrics'), 'configuration')}`];
  const filled =
    number('cell') === 0 ? [] : [`fills ${counted(number('cell'), 'cell or line', 'cells and lines')}`];
  const parts = [...measured, ...filled];
  return parts.length === 0 ? [] : ['', `Then it ${parts.join(' and ')} (--json lists them).`];
}

function amountText({ seconds, gpuSeconds, tokens }: Amount): string {
  return [
    seconds === null || seconds === 0 ? [] : [duration(seconds)],
    gpuSeconds === null || gpuSeconds === 0 ? [] : [`${(gpuSeconds / 3_600).toFixed(1)} GPU-hours`],
    tokens === null || tokens === 0 ? [] : [`${tokens.toExponential(1)} tokens`],
  ]
    .flat()
    .join(', ');
}
