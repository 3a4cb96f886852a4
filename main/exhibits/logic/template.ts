import { type Exhibit, exhibitSchema } from '../../../preload/contract';

/** An example with every field, small enough to be read and run in a minute; defaults are written out. */
export function exhibitTemplate(): string {
  return `${JSON.stringify(exhibitSchema.parse(TEMPLATE), null, 2)}\n`;
}

const TEMPLATE = {
  version: 1,
  id: 'my-exhibit',
  paper: { title: 'Our paper', arxiv: null },
  place: 'Table 1',
  title: 'Two models alone and together',
  note: 'What question the exhibit answers, and what is unknown about it.',
  models: [
    {
      id: 'first',
      name: 'Qwen3-8B',
      paper: { hub: 'Qwen/Qwen3-8B', weightsGib: 15.3 },
      pocket: { family: 'reader' },
    },
    {
      id: 'second',
      name: 'AReaL-8B',
      paper: { hub: 'inclusionAI/AReaL-boba-2-8B', weightsGib: 15.3 },
      pocket: { family: 'tracer' },
    },
  ],
  configurations: [
    { id: 'alone', label: 'First model alone', models: ['first'], method: 'base', search: { nodes: 10 } },
    { id: 'roles', label: 'First model in two roles', models: ['first'], method: 'homo-mars2', roles: 2 },
    {
      id: 'learned',
      label: 'First model, trained together with the second',
      models: ['first'],
      method: 'heter-mars2',
      partners: ['second'],
    },
    {
      id: 'samples',
      label: 'First model in two roles, independent samples',
      models: ['first'],
      method: 'homo-mars2',
      roles: 2,
      search: { strategy: { kind: 'repeated' }, nodes: 20 },
      tokensOf: 'roles',
    },
  ],
  rows: [
    { id: 'alone', label: 'Alone', group: 'Untrained' },
    { id: 'roles', label: 'Two roles', group: 'Trained' },
    {
      id: 'samples',
      label: 'Ours: independent samples, at most the same tokens',
      group: 'Trained',
      ours: true,
    },
  ],
  columns: [
    { id: 'chosen', label: 'Pass@1(MCTS)', group: 'Accuracy' },
    { id: 'algorithms', label: 'DA@10', group: 'Diversity' },
  ],
  cells: [
    ...['alone', 'roles'].flatMap((row) => [
      {
        row,
        column: 'chosen',
        configuration: row,
        measure: { kind: 'metric', metric: 'pass@1(mcts)' },
        reference: [{ value: 50, unit: '%', source: 'Our paper, table 1' }],
      },
      {
        row,
        column: 'algorithms',
        configuration: row,
        measure: { kind: 'diversity', measure: 'da@k', k: 10 },
      },
    ]),
    {
      row: 'samples',
      column: 'chosen',
      configuration: 'samples',
      measure: { kind: 'metric', metric: 'pass@1(mcts)' },
    },
  ],
  series: [
    {
      id: 'over-nodes',
      label: 'Two roles',
      configuration: 'roles',
      curve: { kind: 'nodes', measure: 'pass@n' },
      reference: [{ x: 10, y: 60, source: 'Our paper, figure 2' }],
    },
    {
      id: 'while-learning',
      label: 'First model, trained with the second',
      configuration: 'learned',
      curve: { kind: 'learning', key: 'pass@1', model: 'first', x: 'updates' },
      ours: true,
    },
  ],
  paperLines: [
    {
      label: 'A line that only the figure of the paper has',
      reference: [{ x: 60, y: 58, source: 'Our paper, Figure 2' }],
    },
  ],
  scales: {
    paper: {
      benchmark: {
        name: 'LiveCodeBench v6',
        format: 'livecodebench',
        from: '2025-01-01',
        to: '2025-05-31',
        problems: 175,
      },
      search: search(60, 8),
      seeds: [1, 2, 3, 4, 5],
    },
    pocket: {
      benchmark: { split: 'test', problems: 20 },
      search: search(10, 4),
      seeds: [1, 2, 3, 4, 5],
      training: {
        updates: 20,
        problems: 100,
        evaluation: { split: 'validation', problems: 10, nodes: 1, samples: 4, every: 5 },
      },
    },
  },
  claims: [
    {
      text: 'Gain of two roles over one agent in Pass@1(MCTS)',
      reference: [{ value: 5, unit: 'points', source: 'Our paper, abstract' }],
    },
  ],
} satisfies Record<keyof Exhibit, unknown>;

function search(nodes: number, samplesPerAgent: number) {
  return {
    strategy: { kind: 'ab-mcts-a', beliefs: 'beta', selection: 'thompson', depthGuidance: null },
    nodes,
    batch: 1,
    score: 'all',
    tie: 'latest',
    samplesPerAgent,
  };
}
