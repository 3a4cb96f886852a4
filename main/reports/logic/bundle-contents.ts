/** What a bundle would be made of. */
export type BundleParts = {
  readonly studies: readonly string[];
  readonly journals: readonly { readonly bytes: number }[];
  /** Titles; of each its plan and decisions. */
  readonly reproductions: readonly string[];
  readonly reproductionFiles: number;
  readonly tables: number;
};

/** What the bundle holds and what it leaves out, a line each, to be read before it is written. */
export function contentsLines(parts: BundleParts): string[] {
  const { studies, journals, reproductions, reproductionFiles, tables } = parts;
  const megabytes = (journals.reduce((sum, { bytes }) => sum + bytes, 0) / 1e6).toFixed(1);
  return [
    `${counted(studies.length, 'study', 'studies')} with settings, notes and tags: ${studies.join(', ') || 'none'}`,
    `${counted(journals.length, 'journal', 'journals')} with every prompt, answer, program and verdict: ${megabytes} MB`,
    ...(reproductions.length === 0
      ? []
      : [
          `the plan, the decisions and the measurements of ${reproductions.join(', ')}: ${counted(reproductionFiles, 'file', 'files')}`,
        ]),
    `${counted(tables, 'table', 'tables')} in every format, and a manifest with names of models and machines`,
    'dates, difficulty and titles of the problems; no statements and no tests beyond those in prompts',
    'left out: keys, environments and typed commands of servers and trainings, jobs and their logs, settings',
  ];
}

const counted = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;
