import type { AtHand } from '../at-hand';
import type { Exhibit, ExhibitConfiguration, ExhibitSeries } from '../exhibit';
import type { TrainingView } from '../training';
import type { TrainingSpec } from '../training-spec';
import { counted } from './number-text';
import { plainId } from './plain-id';
import { isOwnTraining } from './training-methods';
import { nameWithoutSeed } from './training-seed';
import { firstFreeName } from './unique-names';

/** The trainings at hand that a line names, as they stand in the file; empty: it is measured, or not over a training. */
export function trainingsOfLine({ curve }: Pick<ExhibitSeries, 'curve'>): readonly string[] {
  if (curve.kind !== 'learning' || curve.training === undefined) return [];
  return typeof curve.training === 'string' ? [curve.training] : curve.training;
}

/** Do a study or trainings at hand answer for all that a configuration is shown in? Then nothing is measured for it. */
export function isAtHand(
  { cells, series }: Pick<Exhibit, 'cells' | 'series'>,
  { id, study }: Pick<ExhibitConfiguration, 'id' | 'study'>,
): boolean {
  if (study !== undefined) return true;
  const lines = series.filter(({ configuration }) => configuration === id);
  const isInCell = cells.some(({ configuration }) => configuration === id);
  return !isInCell && lines.length > 0 && lines.every((line) => trainingsOfLine(line).length > 0);
}

/** Do studies and trainings at hand answer for all of it? Then nothing is left to be measured. */
export function isAllAtHand(exhibit: Exhibit): boolean {
  return exhibit.configurations.every((configuration) => isAtHand(exhibit, configuration));
}

/** The exhibit with these trainings in one of its lines; none: it is measured. */
export function withTrainingsAtHand(
  exhibit: Exhibit,
  seriesId: string,
  trainings: readonly string[],
): Exhibit {
  return {
    ...exhibit,
    series: exhibit.series.map((line) => {
      if (line.id !== seriesId || line.curve.kind !== 'learning') return line;
      const { training: _, agent, ...rest } = line.curve;
      const named = { training: [...trainings], ...(agent === undefined ? {} : { agent }) };
      return { ...line, curve: trainings.length === 0 ? rest : { ...rest, ...named } };
    }),
  };
}

/** What an added line needs of a training. */
export type AddedTraining = Pick<TrainingView, 'id' | 'name' | 'spec' | 'agents'>;

/** With one more line in its figure: what an agent of the training, by its id, did on held-out problems. */
export function withAddedTraining(exhibit: Exhibit, training: AddedTraining, agentId: string): Exhibit {
  const { configurations, models, rows, series } = exhibit;
  const isOneOfSeveral = training.agents.length > 1;
  const name = `${nameWithoutSeed(training.name)}${isOneOfSeveral ? `, ${agentId}` : ''}`;
  const ids = new Set([...configurations, ...rows, ...series].map(({ id }) => id));
  const id = firstFreeName(plainId(name, { most: 50 }) || 'training', '-', ids);
  const labels = new Set([...configurations, ...series].map(({ label }) => label));
  const label = firstFreeName(name.slice(0, 70), ' ', labels);
  const model = models[0]?.id ?? '';
  const like = series.findLast(({ curve }) => curve.kind === 'learning')?.curve;
  const { key, x } = like?.kind === 'learning' ? like : { key: 'pass@1', x: 'updates' as const };
  return {
    ...exhibit,
    configurations: [
      ...configurations,
      {
        ...{ id, label, models: [model], method: methodOf(training.spec) },
        ...{ partners: [], roles: 1, search: {} },
      },
    ],
    series: [
      ...series,
      {
        ...{ id, label, configuration: id, reference: [] },
        curve: {
          ...{ kind: 'learning' as const, key, model, x, training: [training.id] },
          ...(isOneOfSeveral ? { agent: agentId } : {}),
        },
      },
    ],
  };
}

const PRESETS = { grpo: 'grpo', single: 'rs2', shared: 'homo-mars2', multi: 'heter-mars2' } as const;

/** base: not known. */
function methodOf(spec: TrainingSpec): ExhibitConfiguration['method'] {
  if (isOwnTraining(spec)) return spec.method;
  return spec.kind === 'marti' ? PRESETS[spec.preset] : 'base';
}

/** Scale, problems, seeds, models and trainings of a line, e.g. for its caption. */
export function atHandText(atHand: AtHand): string {
  const { scale, seeds, benchmarks, models, problems, searches = [], trainings } = atHand;
  const on = benchmarks.join(' and ');
  return [
    `${scale} scale`,
    problems === undefined ? on : `${counted(problems, 'problem')} of ${on}`,
    seeds.length === 0 ? 'seed not known' : `${seeds.length === 1 ? 'seed' : 'seeds'} ${seeds.join(', ')}`,
    models.join(' + '),
    ...searches.map(({ name, nodes }) => `${name}, N = ${nodes}`),
    ...(trainings === undefined ? [] : [trainingsText(trainings.map(({ name }) => `"${name}"`))]),
  ].join('; ');
}

function trainingsText(names: readonly string[]): string {
  return names.length === 1
    ? `training ${names[0]} alone: the chance of training is not shown`
    : `mean of the trainings ${names.join(', ')}, band from the lowest to the highest of them`;
}
