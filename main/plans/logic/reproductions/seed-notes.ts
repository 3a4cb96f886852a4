import type { Exhibit, ReproductionRequest } from '../../../../preload/contract';
import { counted } from '../../../base';
import { partsOf } from './demand';
import { groupKey, trainingGroups } from './models';
import type { PlannedSearches } from './planned-searches';
import type { PlannedTraining } from './trainings';
import type { wallSeconds } from './wall-time';

/** Why it is not five, as at pocket scale. */
const ONE_PAPER_SEED =
  'One seed: at paper scale each further one costs all trainings and searches again, in GPU-days. With one nothing is known of the chance of training; ask for more where you can pay for them (the seeds in the plan, --seeds 11-15 in a terminal).';

type Work = Parameters<typeof wallSeconds>[0];

type Planned = {
  readonly exhibit: Exhibit;
  readonly scale: ReproductionRequest['scale'];
  readonly trainings: readonly PlannedTraining[];
  readonly searched: PlannedSearches;
  /** Seconds of a part of the plan by itself. */
  readonly secondsOf: (work: Work) => number | null;
};

/** What several seeds and the controls of ours cost, in sentences: both can be left out. */
export function seedNotes(planned: Planned): string[] {
  return [...oursNotes(planned), ...firstSeedNotes(planned)];
}

/** Work that no row or line of the paper needs. */
function oursNotes({ exhibit, trainings, searched, secondsOf }: Planned): string[] {
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
  const searches = work.batches.flat().length;
  const parts = [
    ...(work.trainings.length === 0 ? [] : [counted(work.trainings.length, 'training')]),
    ...(searches === 0 ? [] : [counted(searches, 'search', 'searches')]),
  ];
  if (parts.length === 0) return [];
  return [
    `Of these, ${parts.join(' and ')} are for rows and lines of ours, which the paper does not have${timeText(secondsOf(work))}. To leave them out, untick what is ours in the plan; in a terminal: mars2 reproduce, --without-controls.`,
  ];
}

function papersConfigurations(exhibit: Exhibit): ReadonlySet<string> {
  return new Set(partsOf(exhibit).flatMap(({ ours, configuration }) => (ours ? [] : [configuration.id])));
}

function firstSeedNotes({ scale, trainings, searched, secondsOf }: Planned): string[] {
  const run = trainings.filter(({ existing }) => existing === null);
  const seeds = [...new Set([...run, ...searched.batches.flat()].map(({ seed }) => seed))];
  const [first] = seeds;
  if (scale === 'paper' && first !== undefined && seeds.length === 1) return [ONE_PAPER_SEED];
  if (scale !== 'pocket' || first === undefined || seeds.length < 2) return [];
  const seconds = secondsOf({
    trainings: run.filter(({ seed }) => seed === first),
    batches: searched.batches.map((batch) => batch.filter(({ seed }) => seed === first)),
  });
  return [
    `${seeds.length} seeds: all of seed ${first} comes first${timeText(seconds)}, then the table has its first values and the other seeds go on. One seed is quicker, but shows nothing of the chance of training.`,
  ];
}

function timeText(seconds: number | null): string {
  if (seconds === null) return '';
  return seconds < 90 ? `, about ${Math.round(seconds)} s` : `, about ${Math.round(seconds / 60)} min`;
}
