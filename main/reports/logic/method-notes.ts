import type { ReportTable } from './report-table';

/** How methods of training learn, for a reader who has nothing but the file (docs/training.md, "Methods"). */
const METHODS: readonly (readonly [name: RegExp, meaning: string])[] = [
  [
    /\bGRPO\b/,
    'GRPO: each policy alone, from groups of independent samples that are compared with each other',
  ],
  [
    /all-wrong groups count/,
    '"all-wrong groups count": GRPO that learns from groups in which all samples fail, too',
  ],
  [/\bmixed groups\b/i, 'mixed groups: from groups of the first attempts of all policies'],
  [/\bRS\u00b2/, 'RS\u00b2: each policy alone, from its own search trees'],
  [/\bHomo-MARS\u00b2(?!-)/, 'Homo-MARS\u00b2: one policy in two roles, from trees of both'],
  [
    /(?<!Homo-)\bMARS\u00b2(?!-)/,
    '(Heter-)MARS\u00b2: several policies together, from search trees that they share',
  ],
];

/** What the methods are that its rows, columns and cells name. */
export function methodNotes({ rows, columns }: Pick<ReportTable, 'rows' | 'columns'>): string[] {
  const names = [
    ...columns.flatMap(({ label, printed }) => (printed ? label : [])),
    ...rows.flatMap(({ label, group }) => [label, group]),
  ].join('\n');
  const said = METHODS.flatMap(([name, meaning]) => (name.test(names) ? meaning : []));
  if (/\bbase\b/i.test(names)) said.push('base: not trained further');
  return said.some((one) => !one.startsWith('base')) ? [`How policies learn. ${said.join('; ')}.`] : [];
}
