import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { FAMILIES } from '../../../main/pocket';
import { weightCount } from '../../../main/pocket/policy';
import { type ReportTable, renderTable } from '../../../main/reports';
import { exhibitCosts } from '../../../main/reports/logic/exhibit-costs';
import { exhibitFigures } from '../../../main/reports/logic/exhibit-figures';
import { type ExhibitSource, exhibitTable } from '../../../main/reports/logic/exhibit-tables';
import { figureCsv } from '../../../main/reports/logic/figure-csv';
import { latexLayout, PAGE } from '../../../main/reports/logic/latex-layout';
import { mainOf } from '../../../main/reports/logic/main-documents';
import { printedTable } from '../../../main/reports/logic/printed-table';
import { buildDocuments, resolveSource } from '../../../main/reports/report-source';
import { type Exhibit, type ExhibitResult, exhibitAtScale, exhibitSchema } from '../../../preload/contract';
import {
  ALL_LINES_OURS,
  COMPLEMENT_SENTENCE,
  COMPLEMENT_SHORT,
  POCKET_SENTENCES,
} from '../../../preload/contract/plans';
import { rowsOfCsv } from '../../support/by-python';
import { GOLDEN_SOURCE, goldenProject } from '../../support/golden-exhibit';
import { temporaryFolder } from '../../support/temporary-folder';

/** A note that no table has room for in print. */
const LONG = `So ${'many '.repeat(200)}words.`;

const ALL = [
  'homogeneous',
  'heterogeneous-pass1',
  'mars2-systems',
  'learning-curves',
  'scaling-law',
  'diversity',
  't-plus-ablation',
];

/** The built-in exhibits. */
function exhibitNames(): string[] {
  const folder = join(import.meta.dirname, '../../../resources/exhibits');
  return readdirSync(folder).flatMap((name) => /^(.+)\.json$/.exec(name)?.[1] ?? []);
}

function hasLatex(): boolean {
  return spawnSync('pdflatex', ['--version']).status === 0;
}

function exhibitOf(name: string): Exhibit {
  const path = join(import.meta.dirname, '../../../resources/exhibits', `${name}.json`);
  return exhibitSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
}

/** Made-up values, each as far from zero as its cell is from the first; every second cell when `half`. */
function resultOf(exhibit: Exhibit, half = false): ExhibitResult {
  return {
    exhibitId: exhibit.id,
    scale: 'pocket',
    reproductionId: 'r',
    cells: exhibit.cells.map(({ row, column }, at) => ({
      row,
      column,
      state: half && at % 2 === 1 ? { kind: 'planned' } : { kind: 'done', reused: false },
      ours:
        half && at % 2 === 1
          ? null
          : { value: at / 100, low: at / 100 - 0.01, high: at / 100 + 0.01, problems: 100, seeds: 2 },
      difference: half && at % 2 === 1 ? null : at / 10,
      notComparable: [],
      runs: [],
      trainingIds: [],
      cost: { seconds: at, gpuSeconds: null, tokens: 10 * at },
    })),
    series: exhibit.series.map(({ id }) => ({
      id,
      state: { kind: 'done', reused: false },
      points: [1, 2, 4, 60].map((x) => ({ x, y: 0.1 + x / 100, low: 0.1, high: 0.8 })),
      notComparable: [],
      runs: [],
      trainingIds: [],
    })),
    sentences: ['What can be said.'],
    method: 'How it was made.',
    complete: !half,
  };
}

function sourceOf(exhibit: Exhibit, result = resultOf(exhibit)): ExhibitSource {
  return { exhibit, seeds: [11, 12], result };
}

it.each(ALL)(
  '%s: nothing that is written at pocket scale has a model of the paper as what answered',
  (name) => {
    const exhibit = exhibitOf(name);
    const tables =
      exhibit.cells.length === 0 ? [] : [exhibitTable(sourceOf(exhibit)), exhibitCosts(sourceOf(exhibit))];
    const figures = exhibitFigures({ ...sourceOf(exhibit), hues: new Map() });
    // Claims are of the paper's own models.
    for (const table of tables.map((one) => ({ ...one, claims: [] }))) {
      const rows = rowsOfCsv(renderTable({ ...table, notes: [] }, 'csv').toString());
      for (const row of rows) {
        for (const model of exhibit.models) expect(`${row.group} ${row.row}`).not.toContain(model.name);
      }
      const printed = renderTable({ ...table, title: '', notes: [], asides: [] }, 'markdown').toString();
      for (const line of printed.split('\n')) {
        for (const model of exhibit.models) {
          if (line.includes(model.name)) expect(line).toMatch(/[a-z-]+( \+ [a-z-]+)*, in the place of /);
        }
      }
    }
    const content = JSON.stringify(figures, (key, value) =>
      key === 'notes' || /ofPaper/i.test(key) ? undefined : value,
    );
    for (const model of exhibit.models) expect(content).not.toContain(`"${model.name}`);
  },
);

it('the paper’s models stand in their own column in a file, and behind the stand-in in print', () => {
  const exhibit = exhibitOf('mars2-systems');
  const table = exhibitTable(sourceOf(exhibit));
  const [first] = rowsOfCsv(renderTable(table, 'csv').toString());
  expect(first).toMatchObject({
    group: 'reader + tracer',
    row: 'Base',
    answered_by: 'reader + tracer',
    in_place_of: 'Qwen3-8B + AReaL-8B',
    seeds: '2',
    seed_numbers: '11 12',
  });
  expect(renderTable(table, 'markdown').toString()).toContain(
    'reader + tracer, in the place of Qwen3-8B + AReaL-8B',
  );
});

it.each(ALL.filter((name) => exhibitOf(name).cells.length > 0))(
  '%s has its rows, its columns, and every number of the paper',
  (name) => {
    const exhibit = exhibitOf(name);
    const paper = exhibitTable(sourceOf(exhibit, { ...resultOf(exhibit), scale: 'paper' }));
    expect(paper.rows.map(({ label, group }) => [label, group])).toEqual(
      exhibit.rows.map(({ label, group }) => [label, group]),
    );
    const table = exhibitTable(sourceOf(exhibit));
    const references = table.rows.flatMap(({ cells }) =>
      cells.flatMap((cell) => (cell.kind === 'estimate' ? cell.reference : [])),
    );
    expect(references.length).toBe(exhibit.cells.flatMap(({ reference }) => reference).length);
    // Every cell of every row is printed, with any missing values.
    const latex = renderTable(table, 'latex').toString();
    const values = latex.split('\\begin{tabular}{@{}').flatMap((part) => {
      const columns = /^[lr]+/.exec(part)?.[0].length ?? 0;
      const [head, ...lines] = part
        .split('\n')
        .filter((line) => /\\\\(\[2pt\])?$/.test(line) && !line.includes('\\multicolumn'));
      for (const line of head === undefined ? [] : [head, ...lines]) {
        expect(line.split(/(?<!\\)&/)).toHaveLength(columns);
      }
      return lines.flatMap((line) => line.split(/(?<!\\)&/).slice(1));
    });
    expect(values).toHaveLength(exhibit.rows.length * (printedTable(table).columns.length - 1));
  },
);

describe('the marks of a value', () => {
  const exhibit = exhibitOf('homogeneous');
  const [bold, tie, untested, lower] = exhibit.cells.filter(({ column }) => column === 'pass-1-mcts');
  const against = 'Homo-MARS\u00b2';
  const marked = resultOf(exhibit);
  const result: ExhibitResult = {
    ...marked,
    cells: marked.cells.map((own) => {
      const is = (other: typeof bold): boolean => own.row === other?.row && own.column === other.column;
      if (is(bold)) return { ...own, highestOf: 'column', test: { against, isSignificant: false } };
      if (is(tie)) return { ...own, test: { against, isSignificant: false } };
      if (is(untested)) return { ...own, test: { against, isSignificant: null } };
      return is(lower) ? { ...own, test: { against, isSignificant: true } } : own;
    }),
  };
  const rowOf = (cell: typeof bold): number => exhibit.rows.findIndex(({ id }) => id === cell?.row);

  it('are those of its own tests: the highest can be a tie with the method, too', () => {
    const table = exhibitTable(sourceOf(exhibit, result));
    const printed = printedTable(table);
    const marks = [bold, tie, untested, lower].map((cell) => {
      const own = printed.rows[rowOf(cell)]?.cells.find((one) => one.bold || one.marks !== '');
      return own === undefined ? null : [own.bold, own.marks];
    });
    expect(marks).toEqual([[true, '\u2020'], [false, '\u2020'], [false, '\u00a7'], null]);
    expect(printed.notes.join(' ')).toMatch(
      /column and group of rows, significantly or not\. Tested in Pass@1\(MCTS\) only\. \u2020: no significant difference from "Homo-MARS\u00b2" was found .*; \u00a7: not tested against it; our values of other methods without a mark there differ significantly\./,
    );
    const said = rowsOfCsv(renderTable(table, 'csv').toString()).map((row) => row['pass-1-mcts_comparison']);
    expect([bold, tie, untested, lower].map((cell) => said[rowOf(cell)])).toEqual([
      'best; no significant difference from "Homo-MARS\u00b2" was found (p >= 0.05 after Holm)',
      'no significant difference from "Homo-MARS\u00b2" was found (p >= 0.05 after Holm)',
      'not tested against "Homo-MARS\u00b2"',
      'significantly different from "Homo-MARS\u00b2" (p < 0.05 after Holm)',
    ]);
  });

  it('are the same of every value that is level with the highest', () => {
    const cells = marked.cells.map((own) =>
      [bold, tie].some((other) => own.row === other?.row && own.column === other.column)
        ? { ...own, highestOf: 'column' as const }
        : own,
    );
    const source = sourceOf(exhibit, { ...marked, cells });
    const isBold = printedTable(exhibitTable(source)).rows.map((row) => row.cells.some((one) => one.bold));
    expect(isBold.flatMap((is, at) => (is ? [at] : []))).toEqual([rowOf(bold), rowOf(tie)]);
  });

  it('are no conclusions without a test, and name the row where methods are columns', () => {
    const cells = marked.cells.map((cell) => ({ ...cell, highestOf: 'row' as const }));
    const printed = printedTable(exhibitTable(sourceOf(exhibit, { ...marked, cells })));
    expect(printed.notes).toContain('Bold: the highest of our values in its row; no test was made.');
    expect(printed.rows.flatMap((row) => row.cells).some(({ marks }) => marks.includes('\u2020'))).toBe(
      false,
    );
  });
});

it('names what bands are: intervals over nodes, the span of the seeds while models learn', () => {
  const notesOf = (name: string) =>
    exhibitFigures({ ...sourceOf(exhibitOf(name)), hues: new Map() })[0]?.legend.join(' ');
  expect(notesOf('scaling-law')).toContain(
    'Bands: 95 % bootstrap intervals over problems and seeds; too narrow where seeds are few and differ much.',
  );
  expect(notesOf('learning-curves')).toContain('Bands: from the lowest to the highest seed.');
  expect(notesOf('learning-curves')).not.toContain('95 %');
});

/** Numbers as long as those of five seeds really are. */
function fiveSeeds(exhibit: Exhibit): ExhibitSource {
  const seedSpread = { sd: 0.123, min: 0.1, max: 0.4 };
  const result = resultOf(exhibit, false);
  const cells = result.cells.map((cell) => ({
    ...cell,
    ours: { value: 0.456, low: -0.345, high: 1, problems: 100, seeds: 5, seedSpread },
    notComparable: ['It has 100 problems, the paper has 175 & more_than that.'],
  }));
  return { exhibit, seeds: [11, 12, 13, 14, 15], result: { ...result, cells } };
}

/** The same with every mark that tests give. */
function markedFiveSeeds(exhibit: Exhibit): ExhibitSource {
  const source = fiveSeeds(exhibit);
  const found = [false, null, true].map((isSignificant) => ({ test: { against: 'MARS²', isSignificant } }));
  const cells = source.result.cells.map((cell, at) => ({
    ...cell,
    ...(at === 0 ? { highestOf: 'column' as const } : found[at - 1]),
    notComparable: ['Pocket scale: small policies on generated problems replace those of the paper.'],
  }));
  const sentences = [...POCKET_SENTENCES, ...source.result.sentences];
  return { ...source, result: { ...source.result, cells, sentences } };
}

const wordsIn = (notes: readonly string[]): number => notes.join(' ').split(/\s+/).length;

const benchmark = 'pocket-test-1-100';
const measured = ALL.filter((name) => exhibitOf(name).cells.length > 0);
const tablesOf = (source: ExhibitSource): ReportTable[] =>
  [exhibitTable(source), exhibitCosts(source)].map((table) => ({ ...table, benchmark, searched: 100 }));

describe.each(measured)('%s in LaTeX', (name) => {
  const printed = tablesOf(fiveSeeds(exhibitOf(name))).map(printedTable);

  it('is at most as wide as a page of an article with values in 8 points and intervals in 7, which nothing scales', () => {
    for (const table of printed) {
      const { pages } = latexLayout(table, table.placed.latex.under.join(' * '));
      for (const { width } of pages.flat()) expect(width).toBeLessThanOrEqual(PAGE.width);
      const shown = pages.flatMap((parts) => parts.flatMap(({ rows }) => rows));
      expect(new Set(shown).size).toBe(table.rows.length);
    }
    for (const table of tablesOf(fiveSeeds(exhibitOf(name)))) {
      const latex = renderTable(table, 'latex').toString();
      expect(latex).not.toMatch(/\\(resizebox|scalebox|tiny|fontsize)/);
      expect(latex).toMatch(/\\footnotesize.*\\valueover#1#2.*\\scriptsize/s);
    }
  });

  it('is read in 900 words in Markdown, with every claim of the paper, and in 1,500 characters in a file', () => {
    for (const table of tablesOf(markedFiveSeeds(exhibitOf(name)))) {
      const { under } = printedTable(table).placed.markdown;
      expect(wordsIn(under)).toBeLessThanOrEqual(900);
      for (const { text } of table.claims ?? []) expect(under.join(' ')).toContain(text);
      for (const [format, most] of [
        ['csv', 1_500],
        ['csv-long', 2_000],
      ] as const) {
        const [first] = rowsOfCsv(renderTable(table, format).toString());
        expect(first?.about_table?.length).toBeLessThanOrEqual(most);
        expect(first?.about_table).toContain('manifest of this export');
      }
    }
  });

  it('has a caption of at most 142 characters, which are two lines of a page', () => {
    for (const { caption } of printed) expect(caption.length).toBeLessThanOrEqual(142);
  });

  it('prints what a reader of its numbers must know in 200 words, and has everything else in comments', () => {
    const notes = [COMPLEMENT_SENTENCE, LONG];
    const table = { ...exhibitTable(markedFiveSeeds(exhibitOf(name))), notes };
    const [print = '', comments = ''] = renderTable(table, 'latex').toString().split('% What else');
    expect(print).toContain(`${COMPLEMENT_SHORT}.`);
    expect(print).toContain('[interval: 95');
    expect(print).toContain('In the layout of ');
    expect(print).toContain('All methods and tests: manifest of this export.');
    for (const one of [table, exhibitCosts(markedFiveSeeds(exhibitOf(name)))])
      expect(wordsIn(printedTable(one).placed.latex.under)).toBeLessThanOrEqual(200);
    expect(print).not.toContain(LONG);
    for (const claim of table.claims ?? []) expect(comments).toContain(`% Reported: ${claim.text}`);
    for (const line of comments.split('\n').slice(1)) expect(line).toMatch(/^(% .*)?$/);
    expect(comments).toContain(`% ${LONG}`);
  });
});

it.skipIf(!hasLatex())(
  'a LaTeX document of every exhibit, and of every table of one with the longest names, compiles in one column and in two: no table leaves its page, no caption has more than two lines',
  async () => {
    const folder = process.env.MARS2_LATEX_FOLDER ?? (await temporaryFolder());
    const { deps } = await goldenProject();
    const content = resolveSource(GOLDEN_SOURCE, deps);
    const golden = content.ok ? await buildDocuments(content.value, deps) : content;
    if (!golden.ok) throw new Error(golden.error.message);
    const tables = measured.flatMap((name) => tablesOf(fiveSeeds(exhibitOf(name))));
    const all = [...tables, ...golden.value.tables].map((table) => renderTable(table, 'latex').toString());
    for (const layout of ['onecolumn', 'twocolumn']) {
      const file = `exhibits-${layout}.tex`;
      await writeFile(join(folder, file), latexDocument(layout, all));
      // Without a PDF no fonts are needed, only their measures.
      const draft = process.env.MARS2_LATEX_FOLDER === undefined ? ['-draftmode'] : [];
      const args = ['-interaction=nonstopmode', '-halt-on-error', ...draft, file];
      const { status, stdout } = spawnSync('pdflatex', args, { cwd: folder, encoding: 'utf8' });
      expect(status, stdout.slice(-2_000)).toBe(0);
      expect(stdout).not.toMatch(/Overfull .hbox \((?:[3-9]|\d\d+)\./);
      expect(stdout).not.toContain('Float too large');
      const captions = [...stdout.matchAll(/caption of (\d+) lines/g)].map(([, lines]) => Number(lines));
      expect(captions.length).toBeGreaterThanOrEqual(all.length);
      expect(Math.max(...captions)).toBeLessThanOrEqual(2);
    }
  },
);

/** Says in its log how many lines each caption has. */
function latexDocument(layout: string, tables: readonly string[]): string {
  return [
    `\\documentclass[${layout}]{article}`,
    ...['[T1]{fontenc}', '[utf8]{inputenc}', '{booktabs}'].map((name) => `\\usepackage${name}`),
    '\\makeatletter\\let\\plaincaption\\@makecaption',
    '\\long\\def\\@makecaption#1#2{\\setbox0\\vbox{#1: #2\\par\\global\\@tempcnta\\prevgraf}%',
    '\\typeout{caption of \\the\\@tempcnta\\space lines}\\plaincaption{#1}{#2}}\\makeatother',
    '\\begin{document}',
    ...tables.flatMap((table) => [table, '\\clearpage']),
    '\\end{document}',
  ].join('\n');
}

it('a row of independent samples says of itself what it measures, how many programs count and whose searches it needs', () => {
  const exhibit = exhibitOf('mars2-systems');
  const samples = exhibit.configurations.filter(({ tokensOf }) => tokensOf !== undefined);
  expect(samples.length).toBeGreaterThan(0);
  const counted = samples.map(({ id }) => ({
    configuration: id,
    programs: 7.96,
    written: 16,
    tokens01: 0.94,
  }));
  const source = sourceOf(exhibit, { ...resultOf(exhibit), counted });
  const wide = rowsOfCsv(renderTable(exhibitTable(source), 'csv').toString());
  const noted = wide.filter(({ note, claim }) => note !== '' && claim === '');
  expect(noted).toHaveLength(samples.length);
  for (const row of noted) {
    expect(row.note).toContain(
      '(on average 8.0 of 16 programs written for a problem, with 94.0 % of these tokens)',
    );
    expect(row.note).toContain(
      'Pass@1(MCTS) is of their answer: of the programs that pass all public tests, or of all if none does, the latest; Pass@N asks whether any of them passes.',
    );
  }
  const [sample] = exhibitOf('t-plus-ablation').configurations.filter(({ tokensOf }) => tokensOf);
  const rewarded = exhibitTable(sourceOf(exhibitOf('t-plus-ablation'))).notes.join(' ');
  expect(sample?.search).toHaveProperty('rewardModel');
  expect(rewarded).toContain(
    'or of all if none does, the one with the best reward, of equal ones the latest',
  );
  // What the whole table is stands in its first row alone.
  expect(wide[0]?.about_table).toContain('some program of the search tree');
  expect(wide.slice(1).map((row) => row.about_table)).toEqual(wide.slice(1).map(() => ''));
  const costs = rowsOfCsv(renderTable(exhibitCosts(source), 'csv').toString());
  const notes = costs.map(({ note = '' }) => note);
  expect(notes.filter((note) => note.includes('of all programs that were written'))).toHaveLength(
    2 * samples.length,
  );
  expect(
    notes.filter((note) => note.startsWith('A share of the cost of its trainings and searches')),
  ).not.toHaveLength(0);
});

it('costs of the cells add up to the last line', () => {
  const exhibit = exhibitOf('homogeneous');
  const { rows } = exhibitCosts(sourceOf(exhibit));
  const seconds = rows.map(({ cells }) => (cells[0]?.kind === 'number' ? (cells[0].value ?? 0) : 0));
  const sum = seconds.slice(0, -1).reduce((total, one) => total + one, 0);
  expect(seconds.at(-1)).toBe(sum);
  expect(sum).toBe((exhibit.cells.length * (exhibit.cells.length - 1)) / 2);
});

it.each(ALL)('%s: figures hold its lines, its bars and the numbers of the paper, on one scale', (name) => {
  const exhibit = exhibitOf(name);
  const figures = exhibitFigures({
    ...sourceOf(exhibit, resultOf(exhibit, true)),
    hues: new Map(),
  });
  const lines = figures.flatMap((figure) => (figure.kind === 'lines' ? figure.series : []));
  expect(new Set(lines.map(({ label }) => label))).toEqual(
    new Set(exhibitAtScale(exhibit, 'pocket').series.map(({ label }) => label)),
  );
  expect(new Set(figures.map(({ id }) => id)).size).toBe(figures.length);
  for (const figure of figures) {
    expect(figure.complete).toBe(false);
    // No more than there are colours.
    expect(figure.kind === 'grid' ? [] : figure.series).toSatisfy((all: unknown[]) => all.length <= 8);
    if (figure.kind !== 'bars') continue;
    for (const { bars, reference } of figure.series) {
      expect(bars).toHaveLength(figure.groups.length);
      if (figure.y.unit !== 'rate') continue;
      for (const value of reference) if (value !== null) expect(value.y).toBeLessThanOrEqual(1);
    }
  }
});

it.each(exhibitNames())(
  '%s: every value of its table and every number of the paper is in a figure',
  (name) => {
    const exhibit = exhibitOf(name);
    const source = { ...sourceOf(exhibit), hues: new Map() };
    const bars = exhibitFigures(source).flatMap((figure) => (figure.kind === 'bars' ? figure.series : []));
    const drawn = bars.flatMap((one) => one.bars.flatMap((bar) => bar?.y ?? []));
    expect(drawn.sort((a, b) => a - b)).toEqual(source.result.cells.map(({ ours }) => ours?.value));
    const references = bars.flatMap(({ reference }) => reference.flatMap((value) => value?.source ?? []));
    expect(references).toHaveLength(exhibit.cells.filter(({ reference }) => reference.length > 0).length);
  },
);

it('a folder has the first figure with a value of ours, and every figure of the exhibit where all are asked for', () => {
  const exhibit = exhibitOf('mars2-systems');
  const whole = resultOf(exhibit);
  const [, second] = exhibitFigures({ ...sourceOf(exhibit), hues: new Map() });
  if (second?.kind !== 'bars') throw new Error('It has several');
  const rows = exhibit.rows.filter(({ group }) => group !== exhibit.rows[0]?.group).map(({ id }) => id);
  const cells = whole.cells.map((cell) => (rows.includes(cell.row) ? cell : { ...cell, ours: null }));
  const figures = exhibitFigures({ ...sourceOf(exhibit, { ...whole, cells }), hues: new Map() });
  const tables = tablesOf(sourceOf(exhibit));
  const ids = (asked?: 'all') => mainOf({ tables, figures }, asked).figures.map(({ id }) => id);
  expect(ids()).toEqual([second.id]);
  expect(ids('all')).toEqual(figures.map(({ id }) => id));
  const none = exhibitFigures({ ...sourceOf(exhibit, { ...whole, cells: [] }), hues: new Map() });
  expect(mainOf({ tables, figures: none }, undefined)).toEqual({ tables: tables.slice(0, 1), figures: [] });
});

it('a figure names the sources of the numbers that are in it, and no other', () => {
  const figures = exhibitFigures({ ...sourceOf(exhibitOf('mars2-systems')), hues: new Map() });
  const ids = figures.map(({ id }) => id);
  expect(ids[0]).toBe('bars-pass-1-mcts-1');
  expect(figures[0]?.title).toContain('Pass@1(MCTS), reader + tracer');
  expect(figures[0]?.legend).toContain('Rows: reader + tracer, in the place of Qwen3-8B + AReaL-8B.');
  for (const { id, legend } of figures) {
    const named = legend.filter((text) => text.startsWith('Paper: ')).join();
    if (id.endsWith('-1')) expect(named).toContain('main results table');
    else if (id === 'bars-pass-1-mcts-2')
      expect(named).toMatch(/^Paper: Article of 2026-04-18 on MARS² \(second-hand\)\. /);
    else expect(named).toBe('');
  }
});

it('bars name the row that each other one is tested against, and how much was trained, as the table does', () => {
  const exhibit = exhibitOf('mars2-systems');
  const [first, ...others] = resultOf(exhibit).cells;
  if (first === undefined) throw new Error('cells');
  const tested = { ...first, test: { against: 'MARS²', isSignificant: false } };
  const source = sourceOf(exhibit, { ...resultOf(exhibit), cells: [tested, ...others] });
  const [figure] = exhibitFigures({ ...source, hues: new Map() });
  expect(figure?.legend.join(' ')).toContain(
    'not tested here, but in the tables "exhibit" (each against "MARS²") and "pairs" (of whole runs).',
  );
  const trained =
    'Every training runs 300 updates of 128 samples (programs) for each policy, on 1,000 generated problems, none of which asks for the same function as a problem of the searches.';
  expect(figure?.legend).toContain(trained);
  for (const table of [exhibitTable(source), exhibitCosts(source)]) expect(table.notes).toContain(trained);
});

it('a pocket table says what a pocket policy is, also where its values say already what they stand for', () => {
  const counts = FAMILIES.map(weightCount);
  const [least, most] = [Math.min(...counts), Math.max(...counts)].map((count) => Math.round(count / 1_000));
  const policy = `A pocket policy is a log-linear model with ${least},000 to ${most},000 weights`;
  const exhibit = exhibitOf('mars2-systems');
  const result = resultOf(exhibit);
  const standing = result.cells.map((cell) => ({ ...cell, notComparable: ['Pocket scale: stands in.'] }));
  for (const cells of [result.cells, standing]) {
    const said = printedTable(exhibitTable(sourceOf(exhibit, { ...result, cells }))).notes.join(' ');
    expect(said.split(policy)).toHaveLength(2);
    expect(said.split('Pocket scale: ')).toHaveLength(2);
  }
});

it('a figure without a line of the paper says so in its picture, its file and its sentences', () => {
  const exhibit = exhibitOf('learning-curves');
  const figures = exhibitFigures({ ...sourceOf(exhibit), hues: new Map() });
  expect(figures.map(({ id }) => id)).toEqual(['curves', 'curves-controls']);
  for (const figure of figures) {
    expect(figure.legend).toContain(ALL_LINES_OURS);
    const rows = rowsOfCsv(figureCsv(figure).text);
    expect(rows.length).toBeGreaterThan(0);
    expect(rows[0]?.about).toContain(ALL_LINES_OURS);
    expect(rows[0]?.about).toMatch(
      /^Pocket scale: 60 problems of the pocket validation split \(problem seed 5\), seeds 11, 12\. .*share of 8 independent first attempts/,
    );
    for (const { series, whose } of rows) {
      expect(series).toMatch(/^(Ours|Control of ours): /);
      expect(whose).toBe('ours');
    }
  }
  const others = exhibitFigures({ ...sourceOf(exhibitOf('scaling-law')), hues: new Map() });
  expect(others.flatMap(({ legend }) => legend)).not.toContain(ALL_LINES_OURS);
});

it('controls that one chart cannot hold are beside the method that they are controls of', () => {
  const [first, second] = exhibitFigures({ ...sourceOf(exhibitOf('scaling-law')), hues: new Map() });
  const labels = [first, second].map((one) =>
    one?.kind === 'lines' ? one.series.map(({ label }) => label) : [],
  );
  expect(labels[0]).toHaveLength(6);
  expect(labels[1]?.[0]).toBe('Heterogeneous, Heter-MARS²');
  expect(labels[1]?.slice(1).every((label) => label.startsWith('Control of ours: '))).toBe(true);
  expect(labels[1]).toHaveLength(6);
  expect(second?.legend.join(' ')).toContain(
    'independent samples, at most the same tokens": no tree, but over its first programs',
  );
});

it('the heterogeneous figure has the models along x and a colour for each method, as the paper has', () => {
  const exhibit = exhibitOf('heterogeneous-pass1');
  const [figure] = exhibitFigures({ ...sourceOf(exhibit), hues: new Map() });
  if (figure?.kind !== 'bars') throw new Error('bars');
  expect(figure.groups).toHaveLength(exhibit.rows.length);
  expect(figure.series.map(({ label }) => label)).toEqual(exhibit.columns.map(({ label }) => label));
  const first = exhibit.cells[0];
  expect(figure.series[0]?.reference[0]).toEqual({
    y: (first?.reference[0]?.value ?? 0) / 100,
    source: first?.reference[0]?.source,
  });
});
