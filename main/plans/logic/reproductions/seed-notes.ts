import type { Amount, Exhibit, ReproductionPlan, ReproductionRequest } from '../../../../preload/contract';
import { fixedText } from '../../../../preload/contract/plans';
import { counted } from '../../../base';
import { partsOf } from './demand';
import { groupKey, trainingGroups } from './models';
import type { PlannedSearches } from './planned-searches';
import type { PlannedTraining } from './trainings';
import type { wallSeconds } from './wall-time';

type Work = Parameters<typeof wallSeconds>[0];

type Planned = {
  readonly exhibit: Exhibit;
  readonly scale: ReproductionRequest['scale'];
  readonly trainings: readonly PlannedTraining[];
  readonly searched: PlannedSearches;
  /** The cost of a part of the plan by itself. */
  readonly costOf: (work: Work) => Amount;
};

/** What the controls of ours cost, in a sentence: they can be left out. */
export function oursNotes({ exhibit, trainings, searched, costOf }: Planned): string[] {
  const papers = papersConfigurations(exhibit);
  if (papers.size === 0 || papers.size === exhibit.configurations.length) return [];
  const theirs = exhibit.configurations.filter(({ id }) => papers.has(id));
  const theirGroups = new Set(theirs.flatMap((one) => trainingGroups(exhibit, one)).map(groupKey));
  const work: Work = {
    trainings: trainings.filter(
      ({ existing, group }) => existing === null && !theirGroups.has(groupKey(group)),
    ),
    batches: searched.batches.map((batch) =>
      batch.filter(({ configuration }) => !papers.has(configuration.id)),
    ),
  };
  const text = workText(work);
  if (text === '') return [];
  return [
    `Of these, ${text} are for rows and lines of ours, which the paper does not have${costText(costOf(work))}. To leave them out, untick what is ours in the plan; in a terminal: mars2 reproduce, --without-controls.`,
  ];
}

function papersConfigurations(exhibit: Exhibit): ReadonlySet<string> {
  return new Set(partsOf(exhibit).flatMap(({ ours, configuration }) => (ours ? [] : [configuration.id])));
}

/** What the first seed alone would take, where several are to be run. */
export function oneSeedOf({
  scale,
  trainings,
  searched,
  costOf,
}: Planned): NonNullable<ReproductionPlan['oneSeed']> | null {
  const run = trainings.filter(({ existing }) => existing === null);
  const seeds = [...new Set([...run, ...searched.batches.flat()].map(({ seed }) => seed))];
  const [first] = seeds;
  if (first === undefined || seeds.length < 2) return null;
  const work: Work = {
    trainings: run.filter(({ seed }) => seed === first),
    batches: searched.batches.map((batch) => batch.filter(({ seed }) => seed === first)),
  };
  const order =
    scale === 'pocket'
      ? `: all of seed ${first} comes first, then the table has its first values and the other seeds go on`
      : '';
  const cost = `${workText(work)}${costText(costOf(work))}`;
  return {
    seed: first,
    note: `${seeds.length} seeds${order}. Seed ${first} alone takes ${cost}, but shows nothing of the chance of training.`,
  };
}

/** "15 trainings and 25 searches". */
function workText({ trainings, batches }: Work): string {
  const searches = batches.flat().length;
  return [
    ...(trainings.length === 0 ? [] : [counted(trainings.length, 'training')]),
    ...(searches === 0 ? [] : [counted(searches, 'search', 'searches')]),
  ].join(' and ');
}

/** ", about 3.5 hours, 28.0 GPU-hours"; what is not known is left out. */
function costText({ seconds, gpuSeconds }: Amount): string {
  const gpus =
    gpuSeconds === null || gpuSeconds === 0 ? '' : `, ${fixedText(gpuSeconds / 3_600, 1)} GPU-hours`;
  if (seconds === null) return gpus;
  const minutes = seconds / 60;
  const time =
    seconds < 90
      ? `${Math.round(seconds)} s`
      : minutes < 90
        ? `${Math.round(minutes)} min`
        : `${fixedText(minutes / 60, 1)} hours`;
  return `, about ${time}${gpus}`;
}
