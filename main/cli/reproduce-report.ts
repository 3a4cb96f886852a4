import type {
  Amount,
  ReproductionDecision,
  ReproductionPlan,
  ReproductionView,
} from '../../preload/contract/index';
import { duration } from './experiment-report';
import { columns } from './report';

/** "[####......] 12 of 60 steps, about 4 min to go" within `width` columns, with what goes on now. */
export function reproductionLine(view: ReproductionView, width: number): string {
  const { done, total, secondsLeft, steps } = view;
  const left = secondsLeft === null ? '' : `, about ${duration(secondsLeft)} to go`;
  const going = steps.filter(({ state }) => state.kind === 'running');
  const now =
    going[0] === undefined
      ? ''
      : `: ${going[0].title}${going.length > 1 ? ` and ${going.length - 1} more` : ''}`;
  const text = ` ${done} of ${total} steps${left}${now}`;
  const full = Math.round((done / Math.max(1, total)) * 20);
  return `[${'#'.repeat(full)}${'.'.repeat(20 - full)}]${text}`.slice(0, Math.max(20, width - 1));
}

export function decisionLine({ at, stepId, text }: ReproductionDecision): string {
  return `${at}  ${stepId === null ? '' : `${stepId}: `}${text}`;
}

/** A line a step, then what it costs, what is missing and what to know. */
export function planText(plan: ReproductionPlan): string {
  const rows = plan.steps.map((step) => [
    step.kind,
    step.title,
    step.machineId ?? '-',
    step.kind === 'search' || step.kind === 'serve' ? String(step.wave + 1) : '',
    step.reuse === null ? amountText(step.estimate) : 'reused',
    step.missing.length === 0 ? '' : 'missing',
  ]);
  const { estimate, diskBytes, modelLoads } = plan;
  const disk = diskBytes === null ? '' : `, ${(diskBytes / 1e9).toFixed(2)} GB on the disk`;
  return [
    ...columns(['step', 'task', 'machine', 'batch', 'estimate', ''], rows),
    '',
    `In all ${amountText(estimate) || 'not known'}, ${modelLoads} model loads${disk}.`,
    ...(plan.missing.length === 0 ? [] : ['', 'Missing:']),
    ...plan.missing.map(({ what, todo }) => `  ${what} ${todo}`),
    ...(plan.notes.length === 0 ? [] : ['']),
    ...plan.notes,
    '',
  ].join('\n');
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
