import type {
  Exhibit,
  ExhibitConfiguration,
  ExhibitProblem,
  MetricName,
  SearchOptions,
} from '../../../preload/contract';

/** Lists the scales whose benchmark, seeds or search settings cannot fill the cells. */
export function scaleProblems(exhibit: Exhibit): ExhibitProblem[] {
  const { paper } = exhibit.scales;
  const problems: ExhibitProblem[] = [];
  if (paper !== null && paper.benchmark.from !== null && paper.benchmark.to !== null) {
    if (paper.benchmark.from > paper.benchmark.to) {
      problems.push({ path: 'scales.paper.benchmark.to', message: 'It is earlier than "from".' });
    }
  }
  for (const scale of ['paper', 'pocket'] as const) {
    const search = exhibit.scales[scale]?.search;
    if (search !== undefined) problems.push(...searchProblems(exhibit, scale, search));
    const seeds = exhibit.scales[scale]?.seeds ?? [];
    if (new Set(seeds).size < seeds.length) {
      problems.push({ path: `scales.${scale}.seeds`, message: 'A seed is listed twice.' });
    }
  }
  return problems;
}

/** The first cell that needs more first attempts than there are. */
function searchProblems(
  { cells, configurations }: Exhibit,
  scale: 'paper' | 'pocket',
  search: SearchOptions,
): ExhibitProblem[] {
  for (const { configuration: id, measure, row, column } of cells) {
    const configuration = configurations.find((candidate) => candidate.id === id);
    if (configuration === undefined || measure.kind !== 'metric') continue;
    const [needed, available] = [FIRST_ATTEMPTS[measure.metric] ?? 0, firstAttempts(configuration, search)];
    if (available >= needed) continue;
    const attempts = needed === 1 ? 'first attempts' : `${needed} first attempts`;
    const message = `The cell ${row}.${column} shows ${measure.metric}, which needs ${attempts} per problem; the search makes ${available}.`;
    return [{ path: `scales.${scale}.search.samplesPerAgent`, message }];
  }
  return [];
}

const FIRST_ATTEMPTS: Partial<Record<MetricName, number>> = { 'pass@1': 1, 'pass@10': 10 };

/** First attempts per problem, of all agents together. */
function firstAttempts({ models, roles, search: own }: ExhibitConfiguration, search: SearchOptions): number {
  if (search.samplesPerAgent > 0) return search.samplesPerAgent * models.length * roles;
  const { kind } = own.strategy ?? search.strategy;
  return kind === 'repeated' ? (own.nodes ?? search.nodes) : 0;
}
