import type { SweepMeasure, TrainingSweep, TrainingView } from '../../preload/contract/index';
import {
  fixedText,
  pText,
  SIGNIFICANCE_LEVEL,
  sweepMeasureText,
  sweepNumber,
} from '../../preload/contract/plans/index';
import type { CliOptions } from './cli-options';
import { ask, EXIT, type Host, printJson, printRefusal, printStatus } from './host';
import { columns, intervalText, spreadText } from './report';

/** The sweep that a training is part of, a row for each combination of values. */
export async function showSweep(workbench: Host, { id }: TrainingView, options: CliOptions): Promise<number> {
  const result = await ask(workbench, 'training.sweep', { trainingId: id });
  if (!result.ok) return printRefusal(result.error);
  if (options.flag('json')) return printJson(result.value);
  if (result.value === null) {
    printStatus(
      'It is part of no sweep by MARTI or a recipe. Sweeps of our own trainers are experiments: mars2 experiments list',
    );
    return EXIT.failed;
  }
  process.stdout.write(sweepText(result.value));
  return EXIT.done;
}

export function sweepText(sweep: TrainingSweep): string {
  const { name, rows, measures, cells, sentences } = sweep;
  const lines = rows.map(({ label, trainings, missing }) => [
    label,
    ...measures.map((measure) =>
      cellText(cells.find((cell) => cell.label === label && isSame(cell, measure))),
    ),
    `${trainings.length - missing.length} of ${trainings.length}`,
  ]);
  const absent = rows.flatMap(({ label, missing }) =>
    missing.map(({ seed, why }) => `  ${label}${seed === null ? '' : `, seed ${seed}`}: ${why}`),
  );
  return [
    name,
    ...columns(['row', ...measures.map(sweepMeasureText), 'seeds'], lines),
    ...(absent.length === 0 ? [] : ['', 'Missing:', ...absent]),
    '',
    ...(measures.length === 0 ? [] : [LEGEND, '', ...pairLines(sweep)]),
    ...sentences,
    '',
  ].join('\n');
}

const LEGEND =
  "Mean over the seeds [95 % interval over the seeds], SD: standard deviation over the seeds. † differs: p below 0.05 by the paired t test over the seeds, after Holm's correction over the pairs of the measure.";

function isSame(one: SweepMeasure, other: SweepMeasure): boolean {
  return one.agentId === other.agentId && one.key === other.key && one.of === other.of;
}

function cellText(cell: TrainingSweep['cells'][number] | undefined): string {
  if (cell === undefined || cell.value === null) return 'missing';
  const { value, interval, seedSpread, missing } = cell;
  const range = interval === null ? '' : ` [${sweepNumber(interval.low)}, ${sweepNumber(interval.high)}]`;
  const absent = missing.length === 0 ? '' : ` (${missing.length} missing)`;
  return `${sweepNumber(value)}${range}${spreadText(seedSpread, sweepNumber)}${absent}`;
}

const twoDigits = (value: number): string => fixedText(value, 2);

function pairLines({ rows, pairs }: TrainingSweep): string[] {
  if (rows.length < 2) return [];
  if (pairs.length === 0) return ['No two rows have a seed in common.', ''];
  const lines = pairs.map((pair) => [
    `${sweepMeasureText(pair)}: ${pair.first} - ${pair.second}`,
    `${sweepNumber(pair.difference)}${pair.interval === null ? '' : ` [${sweepNumber(pair.interval.low)}, ${sweepNumber(pair.interval.high)}]`}${pair.pSeeds !== null && pair.pHolm < SIGNIFICANCE_LEVEL ? ' †' : ''}`,
    pair.effect === null ? '-' : `${twoDigits(pair.effect.value)}${intervalText(pair.effect, twoDigits)}`,
    String(pair.seeds),
    pair.pSeeds === null ? '-' : pText(pair.pSeeds),
    pair.pSeeds === null ? '-' : pText(pair.pHolm),
  ]);
  return [...columns(['pair', 'difference', 'effect size', 'seeds', 'p over seeds', 'p (Holm)'], lines), ''];
}
