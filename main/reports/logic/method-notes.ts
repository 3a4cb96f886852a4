import type { ReportTable } from './report-table';

/** How methods of training learn, for a reader who has nothing but the file (docs/training.md, "Methods"). */
const METHODS: readonly (readonly [name: RegExp, meaning: string])[] = [
  [/\bGRPO\b/, 'GRPO: each policy alone, on groups of independent samples'],
  [
    /all-wrong groups count/,
    '"all-wrong groups count" (a control): GRPO in which the samples of a group that fails as a whole have a negative advantage, where GRPO gives them 0, so that failures teach something without a tree or a partner',
  ],
  [/\bmixed groups\b/i, 'mixed groups: on groups of first attempts of all policies'],
  [/\bRS\u00b2/, 'RS\u00b2 (arXiv 2604.14564): each alone, on its own search trees'],
  [/\bHomo-MARS\u00b2(?!-)/, 'Homo-MARS\u00b2: one policy in two roles, on trees of both'],
  [
    /(?<!Homo-)\bMARS\u00b2(?!-)/,
    'MARS\u00b2 (arXiv 2604.14564; in 2602.07848 Heter-MARS\u00b2): several together, on shared search trees',
  ],
];

const IS_BASE = /\bbase\b/i;

/** What the methods are that these names have; none but "base": nothing to say. */
export function methodsIn(names: readonly string[]): string[] {
  const text = names.join('\n');
  const meanings = METHODS.flatMap(([name, meaning]) => (name.test(text) ? meaning : []));
  if (meanings.length === 0) return [];
  return [`Training. ${[...meanings, ...(IS_BASE.test(text) ? ['base: none'] : [])].join('; ')}.`];
}

/** What the methods are that its rows, columns and cells name. */
export function methodNotes({
  rows,
  columns,
  namesNoMethods,
}: Pick<ReportTable, 'rows' | 'columns' | 'namesNoMethods'>): string[] {
  if (namesNoMethods) return [];
  return methodsIn([
    ...columns.flatMap(({ label, printed }) => (printed ? label : [])),
    ...rows.flatMap(({ label, group }) => [label, group]),
  ]);
}
