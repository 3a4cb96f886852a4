import type { ExperimentMetric, ExperimentResult, ExperimentView } from '../../preload/contract/index';
import {
  differsByBothTests,
  EXPERIMENT_METRIC_TITLES,
  EXPERIMENT_TESTS_NOTE,
  experimentIntervals,
  fixedText,
  ODDS_NOTE,
  oddsRatioText,
  percentText,
  pText,
} from '../../preload/contract/plans/index';
import { counted } from '../base/index';
import { barLine, columns, intervalText, spreadText } from './report';

/** The columns, in their order. */
const TITLES = EXPERIMENT_METRIC_TITLES;

function chance(p: number | null): string {
  return p === null ? '-' : pText(p);
}

/** "[####......] 3 of 40 trainings, about 12 min to go" within `width` columns. */
export function experimentLine({ done, total, secondsLeft }: ExperimentView, width: number): string {
  return barLine(
    done / total,
    ` ${done} of ${counted(total, 'training')}${remainingText(secondsLeft)}`,
    width,
  );
}

/** ", about 4 min to go"; nothing where it is not known, or as good as over. */
export function remainingText(secondsLeft: number | null): string {
  return secondsLeft === null || secondsLeft < 0.5 ? '' : `, about ${duration(secondsLeft)} to go`;
}

export function duration(seconds: number): string {
  const minutes = Math.round(seconds / 60);
  if (seconds < 90) return `${Math.round(seconds)} s`;
  return minutes < 90 ? `${minutes} min` : `${(minutes / 60).toFixed(1)} h`;
}

/** A row per row of the experiment: agents alone (their mean) and the team; then pairs, budgets and sentences. */
export function experimentText(result: ExperimentResult): string {
  return [
    ...cellLines(result),
    '',
    `Percent (${TITLES['da@k']}: algorithms), [95 % interval ${experimentIntervals(result.cells, 'problems')}; left out where it has no width], SD: standard deviation over the seeds. alone: each agent by itself, mean over the agents.`,
    '',
    ...pairLines(result),
    `${foundText(result)}. ${EXPERIMENT_TESTS_NOTE} ${ODDS_NOTE} Every pair: mars2 experiments export EXPERIMENT --what pairs.`,
    '',
    ...budgetLines(result),
    '',
    ...result.sentences,
    '',
  ].join('\n');
}

function foundText({ pairs }: ExperimentResult): string {
  if (pairs.some(differsByBothTests)) return 'First minus second, of the significant pairs';
  const isTested = pairs.some(({ seeds }) => seeds >= 3);
  return isTested ? 'No pair differs significantly' : 'No pair is tested: that takes three seeds';
}

function cellLines({ cells }: ExperimentResult): string[] {
  const shown = (Object.keys(TITLES) as ExperimentMetric[]).flatMap((metric) =>
    (['alone', 'team'] as const)
      .filter((part) => cells.some((cell) => cell.metric === metric && cell.part === part))
      .map((part) => ({ metric, part, title: `${TITLES[metric]} ${part}` })),
  );
  const labels = [...new Set(cells.map(({ label }) => label))];
  const rows = labels.map((label) => [
    label,
    ...shown.map(({ metric, part }) => {
      const cell = cells.find((cell) => cell.label === label && cell.metric === metric && cell.part === part);
      if (cell === undefined) return '-';
      const number = metric === 'da@k' ? (value: number) => fixedText(value, 2) : percentText;
      return `${number(cell.value)}${intervalText(cell, number)}${spreadText(cell.seedSpread, number)}`;
    }),
    String(Math.max(...cells.filter((cell) => cell.label === label).map(({ seeds }) => seeds))),
    String(Math.max(...cells.filter((cell) => cell.label === label).map(({ problems }) => problems))),
  ]);
  return columns(['row', ...shown.map(({ title }) => title), 'seeds', 'problems'], rows);
}

/** The significant differences; empty: none is. */
function pairLines({ pairs }: ExperimentResult): string[] {
  const rows = pairs.filter(differsByBothTests).map((pair) => {
    const number = pair.metric === 'da@k' ? (value: number) => fixedText(value, 2) : percentText;
    return [
      `${TITLES[pair.metric]} ${pair.part}: ${pair.first} - ${pair.second}`,
      `${number(pair.difference)}${intervalText(pair, number)}${spreadText(pair.seedSpread, number)}`,
      oddsRatioText(pair.oddsRatio),
      chance(pair.pProblems),
      chance(pair.pSeeds),
      chance(pair.pHolm),
    ];
  });
  const titles = ['pair', 'difference', 'odds ratio', 'p over problems', 'p over seeds', 'p (Holm)'];
  return rows.length === 0 ? [] : [...columns(titles, rows), ''];
}

function budgetLines({ budgets }: ExperimentResult): string[] {
  return columns(
    ['row', 'updates per agent', 'samples per agent', 'samples in all', 'seconds'],
    budgets.map((budget) => [
      budget.label,
      String(budget.updatesPerAgent),
      String(budget.samplesPerAgent),
      String(budget.samplesTotal),
      budget.seconds.toFixed(0),
    ]),
  );
}
