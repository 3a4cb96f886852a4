import { describe, expect, test } from 'vitest';
import { newStudy } from '../../../main/studies';
import { commands, type Study } from '../../../preload/contract';
import { checkpointMember, pocketServer, singleTeam } from '../../../preload/contract/plans';
import { overrideTexts } from '../../../renderer/new-study/override-texts';
import { copyOfStudy } from '../../../renderer/new-study/study-copy';
import { type StudyEdits, withoutOverrides, withRowPreset } from '../../../renderer/new-study/study-draft';
import { samplePocketTraining } from '../../support/sample-trainings';
import { composed, library, pocket, real, row, withDetails } from './samples';

/** What main makes of the form. */
function created(edits: StudyEdits): Study {
  const { request, benchmark } = composed(edits);
  return newStudy(commands['study.create'].payload.parse(request), {
    studyId: 's',
    createdAt: '2026-01-01T00:00:00.000Z',
    benchmark,
    problemIds: Array.from({ length: Number(edits.problems ?? benchmark.problems) }, (_, at) => `p${at}`),
    launchScale: () => 'own',
    arePapers: () => false,
  });
}

const FORMS: ReadonlyArray<[string, StudyEdits]> = [
  ['the form as it begins', {}],
  ['a choice of problems', { problems: '20', from: '2025-01-01', to: '2025-04-30', includeExcluded: true }],
  [
    'sizes and limits',
    { nodes: '12', samplesPerAgent: '3', batch: '4', treeTokens: '9000', treeSeconds: '1.5' },
  ],
  [
    'seeds and switches',
    { seeds: '3, 5, 6', order: 'arrival', stopWhenSolved: true, needsPublicTests: true },
  ],
  [
    'a method, and a row with a preset of its own',
    {
      preset: 'mars2-t',
      configurations: [row(0, 'large'), { ...row(1, 'small'), preset: 'repeated', name: 'other' }],
    },
  ],
  [
    'teams with roles and a model elsewhere',
    {
      benchmarkId: pocket.id,
      configurations: [
        row(0, 'reader', 'reader'),
        row(1, 'reader', 'tracer'),
        row(2, 'http://127.0.0.1:1/v1'),
      ],
    },
  ],
  [
    'details of agents',
    {
      benchmarkId: pocket.id,
      configurations: [
        {
          ...row(0),
          agents: [
            withDetails(
              { kind: 'pocket', family: 'reader' },
              { role: 'critic', prompt: 'Look twice.', nodes: '9' },
            ),
            withDetails(
              { kind: 'url', baseUrl: 'http://h/v1', model: 'm', secret: 'KEY' },
              {
                temperature: '0.6',
                topK: '20',
                thinking: 'off',
                extraction: 'whole',
                format: 'file',
                templateUser: 'Solve: {statement}',
              },
            ),
          ],
        },
      ],
    },
  ],
];

describe('a new study like another one', () => {
  test.each(FORMS)('is created as that was: %s', (_, edits) => {
    const { request } = composed(edits);
    const copied = copyOfStudy({ study: created(edits) }, library);
    expect(copied.lost).toBeUndefined();
    expect(composed(copied).request).toEqual(request);
  });

  test.each<[string, StudyEdits]>([
    ['of nodes, with a strategy of one row', { sweep: [{ id: 'nodes', values: '8, 16, 24' }] }],
    [
      'of two settings, one of them of the strategy',
      {
        sweep: [
          { id: 'beliefs', values: 'beta, gaussian' },
          { id: 'nodes', values: '4, 6' },
        ],
        configurations: [
          row(0, 'reader'),
          { ...row(1, 'reader', 'tracer'), name: 'a, b', preset: 'mars2-t' },
        ],
      },
    ],
  ])('has a sweep again under "Several values": %s', (_, sweep) => {
    const rows = [{ ...row(0, 'reader'), preset: 'repeated' }, row(1, 'reader', 'tracer')];
    const edits = { benchmarkId: pocket.id, problems: '30', configurations: rows, ...sweep };
    const copied = copyOfStudy({ study: created(edits) }, library);
    expect(copied.lost).toBeUndefined();
    expect(copied.sweep).toEqual(edits.sweep);
    expect(copied.configurations).toHaveLength(2);
    expect(created(copied).runs).toEqual(created(edits).runs);
  });

  test('has rows that keep their own N where the values are not those of a sweep', () => {
    const swept = created({ benchmarkId: pocket.id, sweep: [{ id: 'nodes', values: '8, 16' }] });
    const runs = swept.runs.filter(({ configuration }) => configuration !== 'reader, nodes 8');
    const copied = copyOfStudy({ study: { ...swept, runs } }, library);
    const { request } = composed(copied);
    const nodes = request?.configurations.map(({ configuration, search }) => [
      configuration,
      search?.nodes ?? request.search.nodes,
    ]);
    expect(nodes).toEqual(runs.map(({ configuration, search }) => [configuration, search.nodes]));
    expect(copied.lost).toBeUndefined();
    const kept = copied.configurations?.map(({ keeps }) => (keeps === undefined ? [] : overrideTexts(keeps)));
    expect(kept?.flat()).toEqual(['Nodes per tree (N) 8', 'Nodes per tree (N) 8']);
    const { draft, warnings } = composed(copied);
    expect(warnings.map(({ message }) => message).join()).not.toContain('the same team');
    const key = copied.configurations?.findIndex(({ keeps }) => keeps !== undefined) ?? -1;
    const rowAfter = ({ configurations = [] }: StudyEdits) => configurations[key];
    expect(rowAfter(withRowPreset(draft, key, 'repeated'))).toMatchObject({ keeps: { nodes: 8 } });
    expect(rowAfter(withoutOverrides(draft, key))).toMatchObject({ name: '' });
    expect(rowAfter(withoutOverrides(draft, key))).not.toHaveProperty('keeps');
  });

  test('carries over the note, and a name that a person gave', () => {
    const study = created({ name: 'Reader vs team' });
    expect(copyOfStudy({ study, note: 'look again' }, library)).toMatchObject({
      name: 'Reader vs team, copy',
      note: 'look again',
    });
    const again = copyOfStudy({ study: { ...study, name: 'Reader vs team, copy' } }, library);
    expect(again.name).toBe('Reader vs team, copy');
    expect(copyOfStudy({ study: created({}) }, library).name).toBeUndefined();
  });

  test('of an earlier version takes as many problems', () => {
    const { choice: _choice, ...old } = created({ problems: '7' });
    expect(copyOfStudy({ study: old }, library).problems).toBe('7');
    const { choice: _whole, ...all } = created({});
    expect(copyOfStudy({ study: all }, library).problems).toBeUndefined();
  });

  test('has the checkpoints of trainings again', () => {
    const training = samplePocketTraining({ id: 'training-of-a-team' }, 5);
    const checkpoint = { id: 'tracer-000300', agentId: 'tracer' };
    const { server } = checkpointMember({ training, checkpoint }, []);
    const agent = {
      kind: 'checkpoint',
      trainingId: training.id,
      checkpointId: checkpoint.id,
      server,
    } as const;
    const configurations = [{ ...row(0, 'reader'), agents: [agent, ...row(0, 'reader').agents] }];
    const edits = { benchmarkId: pocket.id, configurations };
    const copied = copyOfStudy({ study: created(edits) }, library);
    expect(copied.lost).toBeUndefined();
    expect(copied.configurations?.[0]?.agents[0]).toEqual(agent);
    expect(composed(copied).request).toEqual(composed(edits).request);
  });

  test('says what the form cannot hold', () => {
    const study = created({ benchmarkId: pocket.id });
    const trained = singleTeam(pocketServer('reader', { checkpointSeed: 7, latencyMs: 0 }));
    const runs = study.runs.map((run, at) => (at === 0 ? { ...run, team: trained } : run));
    expect(copyOfStudy({ study: { ...study, runs } }, library).lost).toEqual([
      'Settings of the agents of "reader" are left out: this form has no fields for them.',
    ]);
    const elsewhere = created({ name: 'Theirs' });
    expect(copyOfStudy({ study: elsewhere }, { ...library, benchmarks: [pocket] }).lost).toEqual([
      `The benchmark ${real.id} of "Theirs" is not in the library.`,
    ]);
  });
});
