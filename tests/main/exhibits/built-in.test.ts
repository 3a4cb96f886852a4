import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { readExhibit } from '../../../main/exhibits/logic/read-exhibit';
import type { Exhibit } from '../../../preload/contract';
import { CONTROL, LAUNCH_PRESETS } from '../../../preload/contract/plans';
import { lackingControls } from '../../support/exhibit-controls';

const FOLDER = join(import.meta.dirname, '../../../resources/exhibits');
const files = readdirSync(FOLDER).sort();
const exhibits = files.map((file): Exhibit => {
  const read = readExhibit(readFileSync(join(FOLDER, file), 'utf8'));
  if (!read.ok) throw new Error(`${file}: ${JSON.stringify(read.error)}`);
  return read.value;
});
const named = (id: string): Exhibit => exhibits.find((one) => one.id === id) as Exhibit;

/** The collected values of both papers, next to the repository; absent on most machines. */
const COLLECTED = join(import.meta.dirname, '../../../../shared/spec/paper-results.json');

/** Every table and figure of both papers, and what else gives numbers of theirs. */
const PAGE: readonly string[] = [
  'MARTI-MARS²: abstract: 77.7 of two 32B models',
  'MARTI-MARS²: Figure 1, both panels',
  'MARTI-MARS²: Figure 3, Homo-MARS²',
  'MARTI-MARS²: Figure 4, learning curves',
  'MARTI-MARS²: Figure 5, Pass@1 after Heter-MARS²',
  'MARTI-MARS²: scaling law over N',
  'MARTI-MARS²: ablation of MARS²-T+',
  'MARTI-MARS²: figure of DeepCoder',
  'MARTI-MARS²: other tables',
  'MARTI, README: gains of 4.6 and 5.1 over GRPO; 8.0, 4.4 and 2.9 of Qwen3-8B',
  'MARTI, README: 71.2 of a heterogeneous 14B team',
  'MARS²: main results, single models',
  'MARS²: main results, systems',
  'MARS²: O4-Mini (Low), 63.7',
  'MARS²: largest gains (8.0; 4.5, 6.0 or 6.5)',
  'MARS²: diversity: DA@K, AEC, G-Vendi',
  'MARS²: ablation of shaping and advantage (68.9, 4.5 points)',
  'MARS²: MATH, 75.6 and 80.4',
];

/** Where a place of the collection, known by a part of its name, is on the page. */
const COLLECTED_AT: Readonly<Record<string, string>> = {
  'Figure 3': 'MARTI-MARS²: Figure 3, Homo-MARS²',
  'Figure 5': 'MARTI-MARS²: Figure 5, Pass@1 after Heter-MARS²',
  'single-model rows': 'MARS²: main results, single models',
  'system rows': 'MARS²: main results, systems',
  'text around the main results': 'MARS²: O4-Mini (Low), 63.7',
  'generalisation to mathematics': 'MARS²: MATH, 75.6 and 80.4',
  'README text': 'MARTI, README: 71.2 of a heterogeneous 14B team',
  abstract: 'MARTI-MARS²: abstract: 77.7 of two 32B models',
  'article text': 'MARS²: ablation of shaping and advantage (68.9, 4.5 points)',
  'of a paper note': 'MARS²: largest gains (8.0; 4.5, 6.0 or 6.5)',
};

/** Where the collection of `COLLECTED` is absent: how many values, their sum, and of claims both. */
const VALUES: Readonly<Record<string, readonly number[]>> = {
  diversity: [8, 465.2, 0, 0],
  'heterogeneous-pass1': [35, 1999.7, 3, 15.3],
  homogeneous: [55, 3413.2, 2, 9.7],
  'learning-curves': [0, 0, 0, 0],
  'mars2-models': [31, 1974.4, 2, 71.7],
  'mars2-systems': [9, 590.7, 8, 317.6],
  'scaling-law': [0, 0, 1, 77.7],
  't-plus-ablation': [0, 0, 1, 77.7],
};

describe('the built-in exhibits', () => {
  test('are those of the two papers', () => {
    expect(exhibits.map(({ id }) => id)).toEqual([
      'diversity',
      'heterogeneous-pass1',
      'homogeneous',
      'learning-curves',
      'mars2-models',
      'mars2-systems',
      'scaling-law',
      't-plus-ablation',
    ]);
  });

  describe.each(exhibits)('$id', (exhibit) => {
    test('is in a file of its name, for both scales, and says what it asks', () => {
      expect(files).toContain(`${exhibit.id}.json`);
      expect(exhibit.scales.paper).not.toBeNull();
      expect(exhibit.scales.pocket).not.toBeNull();
      expect(exhibit.note).toContain('?');
    });

    test('has a hub name and a pocket family for every model, and no two models share a family', () => {
      for (const { paper } of exhibit.models) {
        expect(LAUNCH_PRESETS.map(({ weights }) => weights)).toContain(paper?.hub);
      }
      const families = exhibit.models.map(({ pocket }) => pocket?.family);
      expect(new Set(families).size).toBe(families.length);
      expect(families).not.toContain(undefined);
    });

    test('has five seeds at pocket scale', () => {
      expect(exhibit.scales.pocket?.seeds).toEqual([11, 12, 13, 14, 15]);
    });

    test('has every control of what it compares with the rest', () => {
      expect(lackingControls(exhibit)).toEqual([]);
    });

    test.each(['mixed-groups', 'grpo-all-wrong', 'alone', 'samples'])(
      'is seen to lack %s where it does',
      (what) => {
        const lines = [...exhibit.rows, ...exhibit.columns, ...exhibit.series];
        const controls = lines.filter(({ label }) => label.startsWith(CONTROL)).map(({ id }) => id);
        const isIt = (id: string): boolean => {
          const one = exhibit.configurations.find((other) => other.id === id);
          if (what === 'samples') return one?.tokensOf !== undefined;
          if (what === 'alone')
            return one?.method === 'heter-mars2' && one.partners.length > 0 && !one.tokensOf;
          return one?.method === what;
        };
        const left = {
          ...exhibit,
          cells: exhibit.cells.filter(
            ({ row, column, configuration }) =>
              !(isIt(configuration) && (controls.includes(row) || controls.includes(column))),
          ),
          series: exhibit.series.filter(
            ({ id, configuration }) => !(isIt(configuration) && controls.includes(id)),
          ),
        };
        const had = exhibit.cells.length + exhibit.series.length > left.cells.length + left.series.length;
        expect(lackingControls(left).length > 0).toBe(had);
      },
    );

    test('calls ours what is ours, and nothing else', () => {
      const lines = [...exhibit.rows, ...exhibit.columns, ...exhibit.series];
      for (const { ours = false, label } of lines)
        expect(/^(Control of ours|Ours): /.test(label), label).toBe(ours);
      const ids = new Set(lines.filter(({ ours }) => ours).map(({ id }) => id));
      const controls = exhibit.configurations.filter(({ method }) =>
        /^(grpo-all-wrong|mixed-groups)$/.test(method),
      );
      for (const one of [...exhibit.cells, ...exhibit.series]) {
        if (!controls.some(({ id }) => id === one.configuration)) continue;
        expect('row' in one ? ids.has(one.row) || ids.has(one.column) : ids.has(one.id)).toBe(true);
      }
    });

    test('names a benchmark as our reading of the captions', () => {
      expect(exhibit.note).not.toContain('figures say');
    });

    test('gives no value twice in a cell', () => {
      for (const { reference } of exhibit.cells) {
        expect(new Set(reference.map(({ value }) => value)).size).toBe(reference.length);
      }
    });
  });

  describe('the page of the tables and figures of both papers', () => {
    const page = readFileSync(join(FOLDER, '../../docs/paper-exhibits.md'), 'utf8');
    const rows = [...page.matchAll(/^\| (MART?S?I?[^|]*) \| ([^|]+) \| ([^|]+) \| ([^|]+) \|$/gm)].map(
      ([, paper = '', what = '', exhibit = '', state = '']) => ({ paper, what, exhibit, state }),
    );

    test('names the built-in exhibits and no other', () => {
      const listed = rows.flatMap(({ exhibit }) =>
        [...exhibit.matchAll(/`([a-z0-9-]+)`/g)].map(([, id]) => id),
      );
      expect([...new Set(listed)].sort()).toEqual(exhibits.map(({ id }) => id).sort());
      for (const { exhibit } of rows) expect(exhibit).toMatch(/^(none|(`[a-z0-9-]+`(, )?)+)$/);
    });

    test('says of which exhibits a row has a value that its source gives under another name', () => {
      const renamed = exhibits.filter(({ cells }) =>
        cells.some(({ reference }) => reference.some(({ source }) => source.includes('there called'))),
      );
      const [, named = ''] = /^Where one of them has \(([^)]+)\)/m.exec(page) ?? [];
      expect(named.split(', ').sort()).toEqual(renamed.map(({ id }) => `\`${id}\``).sort());
    });

    test('has each of them once, with its state', () => {
      expect(rows.map(({ paper, what }) => `${paper}: ${what}`)).toEqual(PAGE);
      for (const { state } of rows) expect(state.length).toBeGreaterThan(5);
    });

    test.runIf(existsSync(COLLECTED))('has a line for every place where values were collected', () => {
      const { rows: collected } = z
        .object({ rows: z.array(z.object({ paper: z.string(), exhibit: z.string() })) })
        .parse(JSON.parse(readFileSync(COLLECTED, 'utf8')));
      const places = new Set(collected.map(({ paper, exhibit }) => `${paper}: ${exhibit}`));
      expect(places.size).toBeGreaterThan(10);
      for (const place of places) {
        const lines = Object.entries(COLLECTED_AT).filter(([part]) => place.includes(part));
        expect(lines, place).toHaveLength(1);
        expect(PAGE).toContain(lines[0]?.[1]);
      }
    });
  });

  test('have the models of the scaling law that the paper has, and no table gives RS² what is of Homo-MARS²', () => {
    const { models, configurations, rows } = named('scaling-law');
    expect(models.map(({ name }) => name)).toEqual(['Nemotron-32B', 'Qwen3-32B']);
    const trained = rows
      .filter(({ ours }) => !ours)
      .map(({ id }) => configurations.find((one) => one.id === id));
    expect(trained.map((one) => `${one?.method} ${one?.models.join(' + ')} ${one?.roles}`)).toEqual([
      'grpo nemotron-32b 1',
      'homo-mars2 nemotron-32b 2',
      'heter-mars2 nemotron-32b + qwen3-32b 1',
    ]);
    const valuesOf = (row: string) =>
      named('diversity').cells.flatMap((cell) =>
        cell.row === row ? cell.reference.map(({ value }) => value) : [],
      );
    expect([valuesOf('qwen3-8b-rs2'), valuesOf('qwen3-8b-homo-mars2')]).toEqual([[60.6], [60]]);
  });

  test.each(Object.entries(VALUES))(
    '%s has every value of the paper that is known, unchanged',
    (id, known) => {
      const { cells, claims } = named(id);
      const values = cells.flatMap(({ reference }) => reference.map(({ value }) => value));
      const claimed = claims.flatMap(({ reference }) => reference.map(({ value }) => value));
      const sum = (numbers: readonly number[]): number =>
        Math.round(10 * numbers.reduce((total, one) => total + one, 0)) / 10;
      expect([values.length, sum(values), claimed.length, sum(claimed)]).toEqual(known);
    },
  );

  test('have one place each: every row and column of a table meets in a cell', () => {
    for (const { rows, columns, cells, configurations } of exhibits) {
      const empty = rows.flatMap(({ id: row }) =>
        columns.flatMap(({ id: column }) =>
          cells.filter((cell) => cell.row === row && cell.column === column).length === 1
            ? []
            : [{ row, column }],
        ),
      );
      // Diversity is measured over all programs, so samples that end with the tokens of a tree have none.
      const samples = configurations.flatMap(({ id, tokensOf }) => (tokensOf === undefined ? [] : [id]));
      const ofSamples = cells.flatMap(({ row, configuration }) =>
        samples.includes(configuration) ? [row] : [],
      );
      const diverse = cells.flatMap(({ column, measure }) => (measure.kind === 'diversity' ? [column] : []));
      expect(
        empty.filter(({ row, column }) => !(ofSamples.includes(row) && diverse.includes(column))),
      ).toEqual([]);
    }
  });

  test('call a configuration alike where they mean the same', () => {
    const labels = new Map<string, string>();
    for (const { configurations } of exhibits) {
      for (const { label, id: _, tokensOf: __, search, ...rest } of configurations) {
        // How many independent samples are enough depends on the exhibit's N.
        const meant = { ...rest, search: { ...search, nodes: undefined } };
        const known = labels.get(label);
        if (known !== undefined) expect(known).toBe(JSON.stringify(meant));
        labels.set(label, JSON.stringify(meant));
      }
    }
  });

  test('keep both values where two sources differ, that of the own source first', () => {
    const [own, other] =
      named('homogeneous').cells.find(({ row, column }) => `${row}.${column}` === 'qwen3-8b-grpo.pass-1')
        ?.reference ?? [];
    expect([own?.value, other?.value]).toEqual([52.5, 53.9]);
    expect(own?.source).toMatch(/^MARTI-MARS², Figure 3/);
    const figure5 = named('heterogeneous-pass1').cells.find(
      ({ row, column }) => row === 'qwen3-8b-of-2' && column === 'grpo',
    );
    expect(figure5?.reference.map(({ value }) => value)).toEqual([53.9, 52.5]);
    const team = named('mars2-systems').cells.find(
      ({ row, column }) => row === '14b-heter-mars2' && column === 'pass-1-mcts',
    );
    expect(team?.reference.map(({ value }) => value)).toEqual([68.9]);
    // Its source names no members, so it may be of another team.
    expect(named('mars2-systems').claims.flatMap(({ reference }) => reference)).toContainEqual(
      expect.objectContaining({ value: 71.2 }),
    );
  });
});

describe.runIf(existsSync(COLLECTED))('every value of the built-in exhibits', () => {
  const row = z.object({
    metric: z.string(),
    model: z.string().nullable(),
    system: z.string().nullable(),
    method: z.string(),
    value: z.number(),
  });
  const METHODS: Record<string, readonly string[]> = {
    base: ['base'],
    grpo: ['grpo'],
    rs2: ['rs2', 'homo-mars2'],
    'homo-mars2': ['homo-mars2', 'rs2'],
    'heter-mars2': ['heter-mars2', 'mars2'],
  };
  const METRICS: Record<string, string> = {
    'pass@1': 'Pass@1',
    'pass@1(mcts)': 'Pass@1(MCTS)',
    'pass@n': 'Pass@N',
  };

  /** Values of the collection for what a cell measures: its model's, or the team's. */
  function collected(exhibit: Exhibit, rows: readonly z.infer<typeof row>[], at: number): readonly number[] {
    const cell = exhibit.cells[at] as Exhibit['cells'][number];
    const configuration = exhibit.configurations.find(({ id }) => id === cell.configuration);
    if (configuration === undefined || cell.measure.kind !== 'metric') return [];
    const metric = METRICS[cell.measure.metric];
    const name = (id: string) => exhibit.models.find((model) => model.id === id)?.name ?? '';
    const { models, partners, method, roles } = configuration;
    const ours = [...exhibit.rows, ...exhibit.columns].filter((line) => line.ours).map(({ id }) => id);
    if (ours.includes(cell.row) || ours.includes(cell.column)) return [];
    // Where both have a row, the values of one do not stand for the other.
    const both = ['rs2', 'homo-mars2'].every((one) =>
      exhibit.configurations.some((other) => other.method === one),
    );
    const isEither = method === 'rs2' || method === 'homo-mars2';
    const names = both && isEither ? [method] : METHODS[method];
    // No paper reports an untrained model in several roles.
    if (method === 'base' && roles > 1) return [];
    const searched = models.map(name);
    const learned = [...models, ...partners].map(name);
    return rows
      .filter((one) => one.metric === metric && names?.includes(one.method))
      .filter((one) =>
        models.length > 1
          ? one.model === null && sameNames(one.system, searched)
          : one.model === searched[0] && sameNames(one.system, method === 'heter-mars2' ? learned : searched),
      )
      .map(({ value }) => value);
  }

  function sameNames(system: string | null, names: readonly string[]): boolean {
    return system !== null && [...system.split(' + ')].sort().join() === [...names].sort().join();
  }

  test('is one of the collection, and no value of the collection is left out', () => {
    const { results } = z
      .object({ results: z.array(row) })
      .parse({ results: Object.values(JSON.parse(readFileSync(COLLECTED, 'utf8'))).find(isRows) });
    let compared = 0;
    for (const exhibit of exhibits) {
      for (const [at, { row: r, column, reference }] of exhibit.cells.entries()) {
        const theirs = new Set(collected(exhibit, results, at));
        expect(new Set(reference.map(({ value }) => value)), `${exhibit.id} ${r}.${column}`).toEqual(theirs);
        compared += reference.length;
      }
    }
    expect(compared).toBeGreaterThan(110);
  });

  function isRows(value: unknown): boolean {
    return Array.isArray(value) && z.array(row).safeParse(value).success;
  }
});
