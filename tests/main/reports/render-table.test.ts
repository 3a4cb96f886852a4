import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ReportCell, renderTable } from '../../../main/reports';
import { latexText } from '../../../main/reports/logic/latex-text';
import { printDifference, printNumber } from '../../../main/reports/logic/printed-number';
import { column, number, RATE } from '../../../main/reports/logic/report-table';
import { sampleEstimate, sampleTable } from '../../support/sample-report';

type Estimate = Extract<ReportCell, { kind: 'estimate' }>;

const write = (format: Parameters<typeof renderTable>[1], table = sampleTable()): string =>
  renderTable(table, format).toString('utf8');

/** Reads a CSV as Python's own reader does. */
function byPython(csv: string): Record<string, string>[] {
  const program = 'import csv,json,sys;print(json.dumps(list(csv.DictReader(sys.stdin))))';
  return JSON.parse(execFileSync('python3', ['-c', program], { input: csv, encoding: 'utf8' }));
}

it('prints no spread of a number that is missing', () => {
  const spread = { sd: 0, min: 0, max: 0 };
  expect(number(null, spread)).toEqual(number(null));
  expect(number(0, spread)).toMatchObject({ seedSpread: spread });
});

describe('a table as CSV', () => {
  it('wide: a row a configuration, in full precision, with interval, counts and the sources', () => {
    const [first, second] = byPython(write('csv'));
    expect(first).toMatchObject({
      group: 'Qwen3-8B',
      seeds: '2',
      seed_numbers: '11 12',
      scale: 'pocket',
      complete: 'yes',
      team: 'a, b',
      'pass@1': String(1 / 3),
      'pass@1_problems': '60',
      'pass@1_seeds': '2',
      'pass@1_letters': 'a',
      'pass@1_paper': '0.554',
      'pass@1_paper_source': 'Table 1: 0.554; Text: 0.56',
      'pass@1_not_comparable': 'It has 60 problems, the paper has 175.',
      tokens: '1234567',
    });
    expect(Number(first?.['pass@1_low'])).toBe(1 / 3 - 0.05);
    // A number of another scale is not subtracted from a paper's.
    expect(first).not.toHaveProperty('pass@1_difference');
    expect(second?.tokens).toBe('');
  });

  it('runs as a formula in no spreadsheet', () => {
    expect(byPython(write('csv'))[0]?.row).toBe('\'=HYPERLINK("evil"), one | two');
  });

  it('long: a row a value with the same names for every table, the paper\u2019s of their own scale', () => {
    const rows = byPython(write('csv-long'));
    expect(rows).toHaveLength(10);
    expect(rows[1]).toMatchObject({
      ...{ whose: 'paper', value: '0.554', unit: 'rate', scale: 'paper', source: 'Table 1', seeds: '' },
    });
    expect(rows[3]).toMatchObject({
      whose: 'ours',
      table: 'results',
      row_group: 'Qwen3-8B',
      column: 'pass@1',
      value: String(1 / 3),
      unit: 'rate',
      problems: '60',
      seeds: '2',
      seed_numbers: '11 12',
      comparison: 'best',
      candidates: '120',
    });
    expect(rows[0]).toMatchObject({ column: 'team', text: 'a, b', value: '' });
    const [, unused = ''] =
      /Empty here, as the columns are those of every table: ([^.]*)\./.exec(rows[0]?.about_table ?? '') ?? [];
    const names = Object.keys(rows[0] ?? {}).slice(0, Object.keys(rows[0] ?? {}).indexOf('note') + 1);
    expect(unused.split(', ')).toEqual(names.filter((name) => rows.every((row) => row[name] === '')));
  });
});

describe('a table as LaTeX', () => {
  it('has booktabs rules, the best in bold, marks, the paper next to ours, and no special character unescaped', () => {
    const latex = write('latex');
    expect(latex).toContain('\\caption{MARS\\textsuperscript{2} \\& co: 100 \\% of \\{it\\} in');
    expect(latex).toContain('\\begin{tabular}{@{}lrrrrr@{}}');
    expect(latex).toContain('& \\multicolumn{2}{c}{Pass@1 (\\%)} & \\multicolumn{2}{c}{Cost} \\\\');
    expect(latex).toContain('\\cmidrule(lr){3-4} \\cmidrule(lr){5-6}');
    expect(latex).toContain(
      'Configuration & Seeds & Paper & \\shortstack[r]{Ours, \\\\ pocket} & Tokens & Seconds \\\\\n',
    );
    expect(latex).toContain(
      "=HYPERLINK(``evil''), one \\textbar{} two & 11, 12 & 55.4 / 56.0\\textsuperscript{a, b} & \\valueover{\\textbf{33.3}\\textsuperscript{\\textdaggerdbl}}{[28.3, 38.3]} & 1,234,567 & 12.3 \\\\",
    );
    expect(latex).toContain('\\valueover{30.0\\textsuperscript{\\textdagger}}{[25.0, 35.0]}');
    expect(latex).toContain('It has 60 problems, the paper has 175.');
    expect(latex).toContain('Pocket scale: 60 problems, N = 30 nodes a tree.');
    expect(latex).toContain('Paper: a: Table 1; b: Text.');
    expect(latex).not.toContain('How it was computed');
  });

  it('has as many places in every row as columns', () => {
    const rows = write('latex')
      .split('\n')
      .filter((line) => /\\\\(\[2pt\])?$/.test(line) && !line.includes('\\multicolumn'));
    expect(rows.length).toBe(3);
    for (const row of rows) expect(row.split(/(?<!\\)&/)).toHaveLength(6);
  });

  it('opens a quotation where a word begins, and closes it behind one', () => {
    expect(latexText('"a b" (table "pairs", "Base")')).toBe("``a b'' (table ``pairs'', ``Base'')");
  });

  it('escapes every special character of LaTeX, in any text', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const written = latexText(text);
        // What stands after taking away our own commands has no bare special character.
        const rest = written
          .replaceAll(/\\(text[a-z]+|ensuremath|ldots)(\{[^{}]*\}|\{\\[a-z]+\})?/g, '')
          .replaceAll(/\\[{}$&#%_]/g, '')
          .replaceAll('{}', '');
        expect(rest).not.toMatch(/[\\{}$&#%_~^<>|"]/);
        expect(written).not.toMatch(/[\n\r]/);
      }),
    );
  });
});

describe('a table as Markdown', () => {
  it('has bold, marks and bars that do not end a cell', () => {
    const markdown = write('markdown');
    expect(markdown).toContain(
      '| *Qwen3-8B* |  |  |  |  |  |\n| =HYPERLINK("evil"), one \\| two | 11, 12 | 55.4 / 56.0<sup>a, b</sup> | **33.3**\u2021 \\[28.3, 38.3\\] | 1,234,567 | 12.3 |',
    );
    expect(markdown).toContain('30.0\u2020');
    const lines = markdown.split('\n').filter((line) => line.startsWith('|'));
    for (const line of lines) expect(line.split(/(?<!\\)\|/)).toHaveLength(8);
  });
});

describe('numbers in print', () => {
  it.each([
    [0.12345, { kind: 'rate' }, '12.3'],
    [-0.0004, { kind: 'rate' }, '0.0'],
    [-0.021, { kind: 'points' }, '\u22122.1'],
    [1234567.5, { kind: 'number', digits: 1 }, '1,234,567.5'],
    [-1000, { kind: 'number', digits: 0 }, '\u22121,000'],
    [0.000_04, { kind: 'number', digits: 4, isProbability: true }, '< 0.0001'],
    [0, { kind: 'number', digits: 4, isProbability: true }, '0.0000'],
  ] as const)('%d as %o is %s', (value, unit, expected) => {
    expect(printNumber(value, unit)).toBe(expected);
  });

  it.each([
    [1.26, '%', '+1.3'],
    [-1.26, '%', '\u22121.3'],
    [0.04, '%', '0.0'],
    [-0.04, '%', '0.0'],
    [0.1234, 'number', '+0.123'],
  ] as const)('the difference %d in %s is %s', (value, unit, expected) => {
    expect(printDifference(value, unit)).toBe(expected);
  });
});

describe('what a printed table says of its values', () => {
  const rowsWith = (change: Partial<Estimate>, best: Partial<Estimate> = {}) => {
    const table = sampleTable();
    const [first, second] = table.rows;
    if (first === undefined || second === undefined) throw new Error('Two rows');
    const cellsOf = (row: typeof first, more: Partial<Estimate>) =>
      row.cells.map((cell) => (cell.kind === 'estimate' ? { ...cell, ...more } : cell));
    return {
      ...table,
      rows: [
        { ...first, cells: cellsOf(first, best) },
        { ...second, cells: cellsOf(second, change) },
      ],
    };
  };

  it('bold and \u2020 are no conclusions where no test was made', () => {
    const untested = rowsWith({ test: { against: null, isSignificant: null } });
    expect(write('markdown', untested)).toContain('group of rows; no test was made.');
    expect(write('markdown', untested)).not.toContain('\u2020');
    expect(write('markdown')).toContain(
      'no significant difference from the bold value was found (p \u2265 0.05',
    );
  });

  it('the scale stands once over columns side by side, and what has no value says why', () => {
    const table = sampleTable();
    const plain = (at: number, more: Partial<Estimate> = {}) => {
      const cell = table.rows[at]?.cells[1];
      if (cell?.kind !== 'estimate') throw new Error('It has an estimate');
      return { ...cell, reference: [], notComparable: [], ...more };
    };
    const [first, second] = table.rows;
    if (first === undefined || second === undefined) throw new Error('Two rows');
    const why = 'missing: fewer than 10 independent samples of some problem';
    const own = {
      ...table,
      columns: [
        column('pass@1', 'Pass@1', RATE),
        column('pass@10', 'Pass@10', RATE),
        column('nodes', 'Nodes'),
      ],
      rows: [
        { ...first, cells: [plain(0), plain(0), number(8)] },
        { ...second, cells: [plain(1), plain(1, { ours: null, best: false, state: why }), number(8)] },
      ],
      sentences: ['A pair does not differ significantly.'],
    };
    const latex = write('latex', own);
    expect(latex).toContain(' &  & \\multicolumn{2}{c}{pocket} &  \\\\\n    \\cmidrule(lr){3-4}\n');
    expect(latex).toContain(
      'Configuration & Seeds & \\shortstack[r]{Pass@1 \\\\ (\\%)} & \\shortstack[r]{Pass@10 \\\\ (\\%)} & Nodes \\\\\n',
    );
    expect(latex).toContain('No value (--): Pass@10: fewer than 10 independent samples of some problem.');
    expect(write('markdown', own)).toContain('| pocket: Pass@1 (%) | pocket: Pass@10 (%) | Nodes |');
    // What each test found is in the manifest and in JSON.
    expect(latex).not.toContain('A pair does not');
    expect(write('json', own)).toContain('A pair does not differ significantly.');
  });

  it('rows over other problems say so each', () => {
    const ours = { value: 1, low: 0.9, high: 1, problems: 1, seeds: 1 };
    const markdown = write('markdown', rowsWith({ ours }));
    expect(markdown).toContain('| Configuration | Problems | Seeds |');
    expect(markdown).toMatch(/MARS\u00b2 \| 1 \| 11 \|/);
  });

  it('at paper scale the difference is shown', () => {
    const table = sampleTable();
    const paper = { ...table, rows: table.rows.map((row) => ({ ...row, scale: 'paper' as const })) };
    expect(write('markdown', paper)).toContain('Pass@1 (%): Difference');
    expect(write('markdown', paper)).toContain('\u221222.1');
    expect(byPython(write('csv', paper))[0]?.['pass@1_difference']).toBe('-0.220666666667');
  });
});

it('an interval of no width is in no format, and a value over fewer problems than its row says over how many', () => {
  const table = sampleTable();
  const same = sampleEstimate(0.5, { ours: { value: 0.5, low: 0.5, high: 0.5, problems: 6, seeds: 2 } });
  const columns = [...table.columns, column('aec', 'AEC', RATE)];
  const rows = table.rows.map((row) => ({ ...row, cells: [...row.cells, same] }));
  const own = { ...table, columns, rows };
  expect(byPython(write('csv', own))[0]).toMatchObject({ aec: '0.5', aec_low: '', aec_high: '' });
  const long = byPython(write('csv-long', own)).find((row) => row.column === 'aec');
  expect(long).toMatchObject({ value: '0.5', low: '', high: '' });
  const read = JSON.parse(write('json', own));
  expect(read.rows[0].cells.at(-1).ours).toMatchObject({ value: 0.5, low: null, high: null });
  expect(write('markdown', own)).toContain('| 50.0 (n = 6) |');
  expect(write('latex', own)).toContain('\\valueover{50.0}{(n = 6)}');
  expect(write('markdown')).not.toContain('(n = ');
});

it('claims of the paper are rows of their own in files, and one note in print', () => {
  const claims = [
    {
      text: 'A team, members not stated',
      remark: 'It is not known which.',
      reference: [
        { value: 71.2, unit: '%' as const, source: 'Text' },
        { value: 4.5, unit: 'points' as const, source: 'README' },
      ],
    },
  ];
  const table = {
    ...sampleTable(),
    claims,
    asides: ['Reported: A team, members not stated: 71.2 % [Text]; ...'],
  };
  const claim = { row: 'A team, members not stated', scale: 'paper', note: 'It is not known which.' };
  const wide = byPython(write('csv', table));
  expect(wide.map((row) => row.claim)).toEqual(['', '', '0.712', '0.045']);
  expect(wide[2]).toMatchObject({ ...claim, group: 'Claims', claim_unit: 'rate', claim_source: 'Text' });
  expect(wide[3]).toMatchObject({
    ...claim,
    claim_unit: 'difference of rates',
    claim_source: 'README',
    'pass@1': '',
  });
  const long = byPython(write('csv-long', table)).filter(({ whose }) => whose === 'claim');
  expect(long).toMatchObject([
    { ...claim, table: 'results', value: '0.712', unit: 'rate', source: 'Text', seeds: '' },
    { ...claim, value: '0.045', unit: 'difference of rates', source: 'README' },
  ]);
  // Two sources of the table have letters.
  expect(write('latex', table).replaceAll(/^%.*$/gm, '')).toContain(
    'Reported of the paper, in no cell and not compared. A team, members not stated: 71.2 \\% [b], 4.5 points [README].',
  );
  expect(write('markdown', table).match(/A team, members not stated/g)).toHaveLength(1);
  expect(JSON.parse(write('json', table)).claims).toMatchObject([{ value: 0.712, unit: 'rate' }, {}]);
  for (const format of ['csv', 'csv-long', 'latex', 'json'] as const)
    expect(write(format)).not.toContain('in no cell');
});

it('equal tables are equal bytes in every format', () => {
  for (const format of ['csv', 'csv-long', 'latex', 'markdown', 'json'] as const) {
    expect(
      renderTable(sampleTable(), format).equals(renderTable(structuredClone(sampleTable()), format)),
    ).toBe(true);
  }
});

it('JSON has the table with all that is said of it once, and rates for a paper\u2019s percent', () => {
  const { asides: _, sentences: __, ...table } = { asides: [], sentences: [], ...sampleTable() };
  const read = JSON.parse(write('json', { ...sampleTable(), asides: ['A claim.'], sentences: ['A claim.'] }));
  expect(read.rows[0].cells[1].reference[0]).toEqual({
    value: 0.554,
    unit: 'rate',
    scale: 'paper',
    source: 'Table 1',
  });
  expect(read.notes).toEqual(expect.arrayContaining([...table.notes, 'A claim.']));
  expect(read.notes.filter((note: string) => note === 'A claim.')).toHaveLength(1);
  expect(Object.keys(read)).toEqual([...Object.keys(table), 'fields']);
  const parts = [
    read,
    ...read.columns,
    ...read.rows,
    ...read.rows.flatMap(({ cells }: { cells: object[] }) => cells),
  ];
  for (const key of Object.keys(read.fields))
    expect(
      parts.some((part) => key in part),
      key,
    ).toBe(true);
  expect(Object.keys(read.fields)).toEqual(expect.arrayContaining(['complete', 'value', 'ours', 'unit']));
  expect(read.fields.unit).toContain('rate: a share, from 0 to 1');
});

it('what stands against every value is said once and marked nowhere, and a wide table has its columns in parts', () => {
  const table = sampleTable();
  const reason = 'Pocket scale stands for the paper.';
  const more = Array.from({ length: 6 }, (_, at) => ({
    ...table.columns[1],
    id: `m${at}`,
    label: `Measure ${at}`,
  }));
  const wide = {
    ...table,
    columns: [...table.columns, ...more] as typeof table.columns,
    rows: table.rows.map((row) => ({
      ...row,
      cells: [...row.cells, ...more.map(() => row.cells[1] as (typeof row.cells)[number])].map((cell) =>
        cell.kind === 'estimate' ? { ...cell, notComparable: [...cell.notComparable, reason] } : cell,
      ),
    })),
  };
  const markdown = write('markdown', wide);
  expect(markdown.split(reason)).toHaveLength(2);
  // The first row has its own reason next to it, the second has none.
  expect(markdown).toContain('**33.3**\u2021');
  expect(markdown).toMatch(/30\.0\u2020 /);
  const latex = write('latex', wide);
  expect(latex).toContain('\\begin{table*}');
  const parts = latex.split('\\begin{tabular}{@{}l').slice(1);
  expect(parts.length).toBeGreaterThan(1);
  // Each with the names of its rows, and the paper's beside ours.
  for (const part of parts) {
    expect(part).toMatch(/HYPERLINK|MARS\\textsuperscript/);
    expect(part.split('& Paper &').length).toBe(part.split('{Ours, ').length);
  }
});
