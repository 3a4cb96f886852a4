import type { ReportCell, ReportFigure, ReportTable } from '../../main/reports';

/** Made-up numbers for tests of what leaves the workbench. Nothing of it is a measurement. */
type Estimate = Extract<ReportCell, { kind: 'estimate' }>;

export function sampleEstimate(value: number, change: Partial<Estimate> = {}): Estimate {
  return {
    kind: 'estimate',
    ours: { value, low: value - 0.05, high: value + 0.05, problems: 60, seeds: 2 },
    best: false,
    test: null,
    letters: null,
    reference: [],
    difference: null,
    notComparable: [],
    state: null,
    more: {},
    ...change,
  };
}

/** Two groups of rows, a hidden column, a paper's numbers from two sources, and labels that formats could trip over. */
export function sampleTable(): ReportTable {
  const paper = [
    { value: 55.4, unit: '%' as const, source: 'Table 1' },
    { value: 56, unit: '%' as const, source: 'Text' },
  ];
  return {
    id: 'results',
    title: 'MARS\u00b2 & co: 100 % of {it} in $_#^~\\',
    rowTitle: 'Configuration',
    columns: [
      { id: 'team', label: 'Team', group: '', unit: { kind: 'number', digits: 0 }, printed: false },
      { id: 'pass@1', label: 'Pass@1', group: '', unit: { kind: 'rate' }, printed: true },
      { id: 'tokens', label: 'Tokens', group: 'Cost', unit: { kind: 'number', digits: 0 }, printed: true },
      { id: 'seconds', label: 'Seconds', group: 'Cost', unit: { kind: 'number', digits: 1 }, printed: true },
    ],
    rows: [
      {
        label: '=HYPERLINK("evil"), one | two',
        group: 'Qwen3-8B',
        seeds: [11, 12],
        scale: 'pocket',
        nodes: 30,
        cells: [
          { kind: 'text', text: 'a, b' },
          sampleEstimate(1 / 3, {
            best: true,
            letters: 'a',
            reference: paper,
            difference: -22.066_666_666_666_67,
            notComparable: ['It has 60 problems, the paper has 175.'],
            more: { candidates: 120 },
          }),
          { kind: 'number', value: 1_234_567 },
          { kind: 'number', value: 12.34 },
        ],
      },
      {
        label: 'MARS\u00b2',
        group: 'AReaL-8B',
        seeds: [11],
        scale: 'pocket',
        nodes: 30,
        cells: [
          { kind: 'text', text: '' },
          sampleEstimate(0.3, {
            test: { against: null, isSignificant: false },
            letters: 'a',
            more: { candidates: 60 },
          }),
          { kind: 'number', value: null },
          { kind: 'number', value: -0.04 },
        ],
      },
    ],
    notes: ['A note with 5 % & more.'],
    method: 'How it was computed.',
    complete: true,
  };
}

type Lines = Extract<ReportFigure, { kind: 'lines' }>;

export function sampleLines(series: number): Lines {
  return {
    kind: 'lines',
    id: 'pass-n-nodes',
    title: 'Pass@N over nodes',
    scale: 'pocket',
    legend: [],
    notes: [],
    method: '',
    complete: true,
    x: { label: 'First nodes of each tree', scale: 'log' },
    y: { label: 'Pass@N (%), pocket', unit: 'rate' },
    series: Array.from({ length: series }, (_, position) => ({
      label:
        ['single', 'Heter-MARS\u00b2 (Qwen3-8B + AReaL-8B)', '\u03c4 = 0.7', 'Gr\u00f6\u00dfe <&>'][
          position
        ] ?? `${position}`,
      position,
      hue: position,
      reference: position === 0 ? [{ x: 4, y: 0.35, source: 'Figure 1' }] : [],
      points: [1, 2, 4, 8, 16, 32, 60].map((x) => {
        const y = 0.2 + 0.1 * position + 0.06 * Math.log2(x);
        return { x, y, low: y - 0.04, high: y + 0.05 };
      }),
    })),
  };
}

export function sampleBars(): ReportFigure {
  return {
    kind: 'bars',
    id: 'bars',
    title: 'Pass@1',
    scale: 'pocket',
    legend: [],
    notes: [],
    method: '',
    complete: false,
    y: { label: 'Pass@1 (%), pocket', unit: 'rate' },
    groups: ['Qwen3-8B', 'AReaL-8B'],
    series: ['Base', 'Homo-MARS\u00b2'].map((label, position) => ({
      label,
      position,
      hue: position,
      bars: [
        { y: 0.4 + position / 10, low: 0.35, high: 0.6 },
        position === 1 ? null : { y: 0.5, low: 0.4, high: 0.6 },
      ],
      reference: [{ y: 0.45, source: 'Figure 1' }, null],
    })),
  };
}

export function sampleGrid(): ReportFigure {
  return {
    kind: 'grid',
    id: 'solves-grid',
    title: 'Who solves what',
    scale: 'pocket',
    legend: [],
    notes: [],
    method: '',
    complete: true,
    x: '5 problems, the easiest first (pocket scale)',
    problems: ['p/1', 'p/2', 'p/3', 'p/4', 'p/5'],
    rows: ['single', 'team'].map((label, position) => ({
      label,
      position,
      hue: position,
      shares: [1, 1, 0.5, position, position === 0 ? null : 0],
    })),
  };
}
