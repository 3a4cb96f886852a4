import { describe, expect, test } from 'vitest';
import { readExhibit } from '../../../main/exhibits/logic/read-exhibit';
import { exhibitTemplate } from '../../../main/exhibits/logic/template';
import { diversityCells } from '../../../main/metrics';
import { type Exhibit, exhibitSchema } from '../../../preload/contract';

const template: Exhibit = exhibitSchema.parse(JSON.parse(exhibitTemplate()));

type Draft = Record<string, unknown> & { [K in keyof Exhibit]: Exhibit[K] };

/** The template with a change; what `problems` reports for it. */
function problemsOf(change: (draft: Draft) => void): readonly string[] {
  const draft = structuredClone(template) as Draft;
  change(draft);
  const read = readExhibit(JSON.stringify(draft));
  return read.ok ? [] : read.error.map(({ path, message }) => `${path}: ${message}`);
}

function at<T>(items: readonly T[], index = 0): T {
  const item = items[index];
  if (item === undefined) throw new Error('nothing there');
  return item;
}

describe('the template', () => {
  test('is an exhibit without a problem', () => {
    expect(readExhibit(exhibitTemplate())).toEqual({ ok: true, value: template });
  });

  test('shows every field', () => {
    const fields = (value: unknown): string[] =>
      typeof value !== 'object' || value === null
        ? []
        : Array.isArray(value)
          ? value.flatMap(fields)
          : Object.entries(value).flatMap(([key, inner]) => [key, ...fields(inner)]);
    const shown = new Set(fields(JSON.parse(exhibitTemplate())));
    for (const schema of [
      exhibitSchema.shape,
      exhibitSchema.shape.models.element.shape,
      exhibitSchema.shape.configurations.element.shape,
      exhibitSchema.shape.cells.unwrap().element.shape,
      exhibitSchema.shape.series.unwrap().element.shape,
    ]) {
      for (const field of Object.keys(schema)) {
        // A study at hand is not on every computer.
        if (field !== 'study') expect(shown, field).toContain(field);
      }
    }
  });
});

describe('a problem of an exhibit file is reported with its exact location', () => {
  const wrong: ReadonlyArray<readonly [string, (draft: Draft) => void, string, RegExp]> = [
    ['a field too many', (d) => Object.assign(d, { more: 1 }), '', /more/],
    ['a field too few', (d) => Object.assign(d, { title: undefined }), 'title', /missing: a text/],
    [
      'a wrong type deep inside',
      (d) => Object.assign(at(d.cells, 3), { row: 3 }),
      'cells[3].row',
      /Only a text/,
    ],
    ['a later version', (d) => Object.assign(d, { version: 2 }), 'version', /1/],
    ['the id of the template', (d) => Object.assign(d, { id: 'template' }), 'id', /reserved/],
    ['two rows alike', (d) => Object.assign(at(d.rows, 1), { id: 'alone' }), 'rows[1].id', /rows\[0\]/],
    [
      'two labels alike',
      (d) => Object.assign(at(d.configurations, 2), { label: 'First model alone' }),
      'configurations[2].label',
      /configurations\[0\]/,
    ],
    [
      'two cells at a place',
      (d) => Object.assign(at(d.cells, 1), { column: 'chosen' }),
      'cells[1].column',
      /cells\[0\]/,
    ],
    [
      'a cell of no configuration',
      (d) => Object.assign(at(d.cells, 3), { configuration: 'nobody' }),
      'cells[3].configuration',
      /Defined: alone, roles, learned/,
    ],
    ['a cell in no row', (d) => Object.assign(at(d.cells, 2), { row: 'x' }), 'cells[2].row', /no row "x"/],
    [
      'a cell in no column',
      (d) => Object.assign(at(d.cells, 2), { column: 'x' }),
      'cells[2].column',
      /no column/,
    ],
    [
      'a configuration of no model',
      (d) => Object.assign(at(d.configurations), { models: ['third'] }),
      'configurations[0].models[0]',
      /no model "third"/,
    ],
    [
      'a model twice in a configuration',
      (d) => Object.assign(at(d.configurations, 2), { partners: ['first'] }),
      'configurations[2]',
      /listed twice/,
    ],
    [
      'partners of a training alone',
      (d) => Object.assign(at(d.configurations), { partners: ['second'] }),
      'configurations[0].partners',
      /Only heter-mars2 and mixed-groups/,
    ],
    [
      'a heterogeneous training of one model',
      (d) => Object.assign(at(d.configurations, 2), { partners: [] }),
      'configurations[2].models',
      /two models/,
    ],
    [
      'a method that is of no single model',
      (d) => Object.assign(at(d.configurations), { method: 'mixed-groups' }),
      'configurations[0].models',
      /mixed-groups needs at least two models/,
    ],
    [
      'a row of ours with a value of the paper',
      (d) => Object.assign(at(d.rows), { ours: true }),
      'cells[0].reference',
      /marked as ours/,
    ],
    [
      'the tokens of an unknown configuration',
      (d) => Object.assign(at(d.configurations), { tokensOf: 'nobody' }),
      'configurations[0].tokensOf',
      /no configuration "nobody"/,
    ],
    [
      'the tokens of another configuration for a tree',
      (d) => Object.assign(at(d.configurations), { tokensOf: 'roles' }),
      'configurations[0].tokensOf',
      /independent samples/,
    ],
    [
      'roles of a team',
      (d) => Object.assign(at(d.configurations, 1), { models: ['first', 'second'] }),
      'configurations[1].roles',
      /single model/,
    ],
    [
      'a configuration that nothing shows',
      (d) => d.series.splice(1, 1),
      'configurations[2]',
      /No cell or series/,
    ],
    [
      'an unknown pocket family',
      (d) => Object.assign(at(d.models), { pocket: { family: 'writer' } }),
      'models[0].pocket.family',
      /reader, tracer, weak/,
    ],
    [
      'da@k without k',
      (d) => Object.assign(at(d.cells, 1), { measure: { kind: 'diversity', measure: 'da@k', k: 7 } }),
      'cells[1].measure.k',
      /2, 5, 10, 25/,
    ],
    [
      'a k of another measure',
      (d) => Object.assign(at(d.cells, 1), { measure: { kind: 'diversity', measure: 'ea', k: 5 } }),
      'cells[1].measure.k',
      /Remove it/,
    ],
    [
      'a number of the paper in percent where the measure is none',
      (d) => Object.assign(at(d.cells, 1), { reference: [{ value: 2, unit: '%', source: 's' }] }),
      'cells[1].reference[0].unit',
      /Set the unit to "number"/,
    ],
    [
      'a learning curve of the untrained',
      (d) => Object.assign(at(d.series, 1), { configuration: 'alone' }),
      'series[1].configuration',
      /not trained/,
    ],
    [
      'a learning curve of a model elsewhere',
      (d) =>
        Object.assign(at(d.series, 1), { configuration: 'roles', curve: { ...learning, model: 'second' } }),
      'series[1].curve.model',
      /no model in its configuration "second"/,
    ],
    [
      'no scale',
      (d) => Object.assign(d.scales, { paper: null, pocket: null }),
      'scales',
      /paper scale, the pocket scale or both/,
    ],
    [
      'a window that ends before it begins',
      (d) => Object.assign(d.scales.paper?.benchmark ?? {}, { to: '2024-01-01' }),
      'scales.paper.benchmark.to',
      /earlier than/,
    ],
    [
      'Pass@1 without first attempts',
      (d) => {
        Object.assign(at(d.cells), { measure: { kind: 'metric', metric: 'pass@1' } });
        Object.assign(d.scales.paper?.search ?? {}, { samplesPerAgent: 0 });
      },
      'scales.paper.search.samplesPerAgent',
      /alone\.chosen shows pass@1/,
    ],
    [
      'Pass@10 of nine first attempts',
      (d) => {
        Object.assign(at(d.cells), { measure: { kind: 'metric', metric: 'pass@10' } });
        Object.assign(d.scales.pocket?.search ?? {}, { samplesPerAgent: 9 });
        Object.assign(d.scales.paper?.search ?? {}, { samplesPerAgent: 10 });
      },
      'scales.pocket.search.samplesPerAgent',
      /10 first attempts per problem; the search makes 9/,
    ],
    [
      'a seed twice',
      (d) => Object.assign(d.scales.pocket ?? {}, { seeds: [3, 3] }),
      'scales.pocket.seeds',
      /twice/,
    ],
    [
      'a method that there is not',
      (d) => Object.assign(at(d.configurations), { method: 'gpro' }),
      'configurations[0].method',
      /One of: base, grpo/,
    ],
    ['nothing to show', (d) => Object.assign(d, { cells: [], series: [] }), '', /neither cells nor series/],
  ];
  const learning = { kind: 'learning', key: 'pass@1', x: 'updates' };

  test.each(wrong)('%s', (_, change, path, message) => {
    const problems = problemsOf(change);
    const problemsAtPath = problems.filter((line) => line.startsWith(`${path}: `));
    expect(problemsAtPath, problems.join('\n')).not.toEqual([]);
    expect(problemsAtPath.join('\n')).toMatch(message);
  });

  test('text that is not JSON, with line and column', () => {
    const text = exhibitTemplate().replace('"id": "my-exhibit",', '"id": my-exhibit,');
    expect(readExhibit(text)).toEqual({
      ok: false,
      error: [{ path: '', message: expect.stringMatching(/line 3, column 9/) }],
    });
    expect(readExhibit(text.slice(0, 30))).toMatchObject({ ok: false, error: [{ path: '' }] });
    expect(readExhibit('')).toMatchObject({ ok: false });
  });
});

test('da@k is refused for every k that is not counted, and for no other', () => {
  const tree = { distinct: 1, sizes: [30], vendi: 1, gVendi: null };
  const problem = { configuration: 'a', problemId: 'p', trees: [tree] };
  const cells = diversityCells([problem], { seed: 1, resamples: 10 });
  const counted = new Set(cells.flatMap(({ k }) => k ?? []));
  for (let k = 1; k <= 30; k++) {
    const problems = problemsOf((d) =>
      Object.assign(at(d.cells, 1), { measure: { kind: 'diversity', measure: 'da@k', k } }),
    );
    expect(problems.length === 0, `k = ${k}`).toBe(counted.has(k));
  }
});
