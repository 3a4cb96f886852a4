import { type Exhibit, exhibitSchema } from '../../preload/contract';

const METRICS = ['pass@1', 'pass@1(mcts)', 'pass@n'] as const;

/** Two small policies, base, alone and in one tree: everything that an exhibit needs, in well under a minute. */
export function tinyExhibit(changes: Partial<Exhibit> = {}): Exhibit {
  const configurations = [
    { id: 'base', label: 'First, base', models: ['first'], method: 'base' as const },
    { id: 'grpo', label: 'First, GRPO', models: ['first'], method: 'grpo' as const },
    { id: 'team', label: 'Both, trained apart', models: ['first', 'second'], method: 'grpo' as const },
  ];
  return exhibitSchema.parse({
    version: 1,
    id: 'tiny',
    paper: { title: 'Tiny', arxiv: null },
    place: 'Table 1',
    title: 'Two small policies',
    models: [
      { id: 'first', name: 'First', pocket: { family: 'weak' } },
      { id: 'second', name: 'Second', pocket: { family: 'reader' } },
    ],
    configurations,
    rows: configurations.map(({ id, label }) => ({ id, label })),
    columns: METRICS.map((metric) => ({
      id: metric.replace(/[^a-z0-9]+/g, '-').replace(/-$/, ''),
      label: metric,
    })),
    cells: configurations.flatMap(({ id }) =>
      METRICS.map((metric) => ({
        row: id,
        column: metric.replace(/[^a-z0-9]+/g, '-').replace(/-$/, ''),
        configuration: id,
        measure: { kind: 'metric', metric },
        reference: [{ value: 50, source: 'Table 1' }],
      })),
    ),
    series: [
      {
        id: 'learned',
        label: 'First, GRPO',
        configuration: 'grpo',
        curve: { kind: 'learning', model: 'first' },
      },
    ],
    scales: {
      pocket: {
        benchmark: { split: 'test', problems: 4 },
        search: {
          strategy: { kind: 'ab-mcts-a', beliefs: 'gaussian', selection: 'thompson' },
          nodes: 6,
          batch: 1,
          score: 'fraction',
          tie: 'earliest',
          samplesPerAgent: 2,
        },
        seeds: [11],
        training: { updates: 2, batch: 8, treesPerRound: 2, problems: 8, checkpointEvery: 2 },
      },
    },
    ...changes,
  });
}
