import { describe, expect, test } from 'vitest';
import { newStudy } from '../../../main/studies';
import { commands, type Study } from '../../../preload/contract';
import { pocketServer, singleTeam } from '../../../preload/contract/plans';
import { copyOfStudy } from '../../../renderer/new-study/study-copy';
import type { StudyEdits } from '../../../renderer/new-study/study-draft';
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
    const copied = copyOfStudy(created(edits), library);
    expect(copied.lost).toEqual([]);
    expect(composed(copied.edits).request).toEqual(request);
  });

  test('of an earlier version takes as many problems', () => {
    const { choice: _choice, ...old } = created({ problems: '7' });
    expect(copyOfStudy(old, library).edits.problems).toBe('7');
    const { choice: _whole, ...all } = created({});
    expect(copyOfStudy(all, library).edits.problems).toBeUndefined();
  });

  test('says what the form cannot hold', () => {
    const study = created({ benchmarkId: pocket.id });
    const trained = singleTeam(pocketServer('reader', { checkpointSeed: 7, latencyMs: 0 }));
    const runs = study.runs.map((run, at) => (at === 0 ? { ...run, team: trained } : run));
    expect(copyOfStudy({ ...study, runs }, library).lost).toEqual([
      '"reader" has settings of its agents that this form cannot show. Check its row.',
    ]);
    const elsewhere = created({ name: 'Theirs' });
    expect(copyOfStudy(elsewhere, { ...library, benchmarks: [pocket] }).lost).toEqual([
      `The benchmark ${real.id} of "Theirs" is not in the library.`,
    ]);
  });
});
