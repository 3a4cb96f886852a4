import type { BenchmarkFormat } from '../../../preload/contract';
import { failed, ok, parsedJson, type Result } from '../../base';
import { appsLimits, appsProblem, codeTreeProblem, mapCoderProblem } from './apps';
import { codeContestsLimits, codeContestsProblem } from './codecontests';
import { evalPlusLimits, humanEvalPlusProblem, mbppPlusProblem } from './evalplus';
import { humanEvalLimits, humanEvalProblem } from './humaneval';
import type { RowFormat } from './imported-row';
import {
  liveCodeBenchLimits,
  liveCodeBenchProblem,
  liveCodeBenchVersion,
  PRIVATE_FIELD,
} from './livecodebench';
import { codeTMbppProblem, googleMbppProblem, interCodeMbppProblem, mbppPlusTableProblem } from './mbpp';
import { rawFields } from './raw-json';
import { workbenchLimits, workbenchProblem } from './workbench-rows';

export type KnownFormat = Exclude<BenchmarkFormat, 'auto'>;

/** The first row, as far as needed to identify its form. */
type FirstRow = {
  readonly has: (...fields: readonly string[]) => boolean;
  /** The field's text where it is one; else ''. */
  readonly text: (field: string) => string;
};

export type PublishedForm = RowFormat & {
  readonly format: KnownFormat;
  readonly fits: (row: FirstRow) => boolean;
};

const evalPlus = { rules: 'evalplus', limits: evalPlusLimits, keepsFirstOfRepeated: false } as const;
const mbpp = { rules: 'mbpp', limits: humanEvalLimits, keepsFirstOfRepeated: false } as const;
const apps = { format: 'apps', rules: 'plain', limits: appsLimits, keepsFirstOfRepeated: true } as const;
const isMbpp = (row: FirstRow): boolean => /^mbpp/i.test(row.text('task_id'));
const hasNumpyTest = (row: FirstRow): boolean => /^[ \t]*import numpy\b/m.test(row.text('test'));
const humanEvalFields = ['task_id', 'prompt', 'entry_point', 'canonical_solution', 'test'] as const;

/**
 * Every published form that can be imported. The first form that fits a file's first row is taken, so the more specific
 * ones come first; the first one of a format is its usual form.
 */
export const PUBLISHED_FORMS: readonly PublishedForm[] = [
  {
    format: 'livecodebench',
    name: 'LiveCodeBench',
    rules: 'livecodebench',
    limits: liveCodeBenchLimits,
    keepsFirstOfRepeated: true,
    fits: (row) => row.has('question_id', 'question_content', 'public_test_cases'),
    read: liveCodeBenchProblem,
    packedField: PRIVATE_FIELD,
    versionOf: liveCodeBenchVersion,
  },
  {
    ...evalPlus,
    format: 'mbpp-plus',
    name: 'MBPP+',
    fits: (row) => row.has('base_input', 'plus_input') && isMbpp(row),
    read: mbppPlusProblem,
  },
  {
    ...mbpp,
    format: 'mbpp-plus',
    name: 'MBPP+ as a table',
    fits: (row) => row.has('code', 'test_list', 'test') && hasNumpyTest(row),
    read: mbppPlusTableProblem,
  },
  {
    ...evalPlus,
    format: 'humaneval-plus',
    name: 'HumanEval+',
    fits: (row) => row.has('base_input', 'plus_input'),
    read: humanEvalPlusProblem,
  },
  {
    format: 'humaneval-plus',
    name: 'HumanEval+ (OriginFmt)',
    rules: 'humaneval',
    limits: humanEvalLimits,
    keepsFirstOfRepeated: false,
    fits: (row) => row.has(...humanEvalFields) && hasNumpyTest(row),
    read: humanEvalProblem,
  },
  {
    ...mbpp,
    format: 'mbpp',
    name: 'MBPP',
    fits: (row) => row.has('code', 'test_list') && (row.has('prompt') || row.has('text')),
    read: googleMbppProblem,
  },
  {
    ...mbpp,
    format: 'mbpp',
    name: 'MBPP (CodeT)',
    fits: (row) => row.has(...humanEvalFields) && isMbpp(row),
    read: codeTMbppProblem,
  },
  {
    ...mbpp,
    format: 'mbpp',
    name: 'MBPP (InterCode)',
    fits: (row) => row.has('query', 'gold', 'tests'),
    read: interCodeMbppProblem,
  },
  {
    format: 'humaneval',
    name: 'HumanEval',
    rules: 'humaneval',
    limits: humanEvalLimits,
    keepsFirstOfRepeated: false,
    fits: (row) => row.has('prompt', 'entry_point', 'canonical_solution'),
    read: humanEvalProblem,
  },
  { ...apps, name: 'APPS', fits: (row) => row.has('question', 'input_output'), read: appsProblem },
  {
    ...apps,
    name: "APPS (CodeTree's selection)",
    fits: (row) =>
      row.has('description', 'public_tests', 'private_tests') &&
      /^(?:introductory|interview|competition)$/.test(row.text('difficulty')),
    read: codeTreeProblem,
  },
  {
    ...apps,
    name: "APPS (MapCoder's selection)",
    fits: (row) => row.has('description', 'test_list') && row.has('sample_io'),
    read: mapCoderProblem,
  },
  {
    format: 'codecontests',
    name: 'CodeContests',
    rules: 'plain',
    limits: codeContestsLimits,
    keepsFirstOfRepeated: true,
    fits: (row) => row.has('name', 'description', 'public_tests'),
    read: codeContestsProblem,
  },
  {
    format: 'workbench',
    name: 'the workbench',
    rules: 'plain',
    limits: workbenchLimits,
    keepsFirstOfRepeated: false,
    fits: (row) => row.has('statement', 'privateTests') || row.has('workbench', 'benchmark'),
    read: workbenchProblem,
  },
];

/** Fields that may be too large to read a row as a whole before its form is known. */
export const PACKED_FIELDS: readonly string[] = PUBLISHED_FORMS.flatMap(
  ({ packedField }) => packedField ?? [],
);

/**
 * The form of a file by its first row; `format` narrows the choice to one format. The error is the end of a
 * sentence that begins with the row's place.
 */
export function formOf(row: string, format: BenchmarkFormat): Result<PublishedForm, string> {
  const fields = rawFields(row);
  if (fields === null) {
    return failed(
      parsedJson(row) === undefined
        ? 'is not JSON; one JSON object a line is needed.'
        : 'is JSON, but not an object; one JSON object a line is needed.',
    );
  }
  const first: FirstRow = {
    has: (...names) => names.every((name) => fields.has(name)),
    text: (field) => {
      const value = parsedJson(fields.get(field) ?? '');
      return typeof value === 'string' ? value : '';
    },
  };
  const candidates = PUBLISHED_FORMS.filter((known) => format === 'auto' || known.format === format);
  const form =
    candidates.find((candidate) => candidate.fits(first)) ?? (format === 'auto' ? undefined : candidates[0]);
  if (form !== undefined) return ok(form);
  const isSample = first.has('completion') || first.has('solution') || first.has('samples');
  if (isSample && !first.has('prompt')) {
    return failed('is a recorded sample. This is a file of recorded samples: import it as a recording.');
  }
  const names = [...fields.keys()].slice(0, 12).join(', ');
  const near = nearestForm(first);
  const what =
    near === null
      ? `has the fields of no known benchmark (${names}).`
      : `looks like the form of ${near.form.name}, but has no ${near.missing.map((field) => `"${field}"`).join(' and no ')} (it has ${names}).`;
  return failed(
    `${what} Choose its format if you know it (--format in a terminal): docs/benchmarks.md describes each.`,
  );
}

/** The form of whose fields the row has at least half, and lacks the fewest; null: none. */
function nearestForm(row: FirstRow): { readonly form: PublishedForm; readonly missing: string[] } | null {
  const near = PUBLISHED_FORMS.flatMap((form) => {
    const fields = fieldsOf(form, row);
    const missing = fields.filter((field) => !row.has(field));
    const isNear = missing.length > 0 && missing.length * 2 <= fields.length;
    return isNear ? [{ form, missing }] : [];
  });
  return near.sort((a, b) => a.missing.length - b.missing.length)[0] ?? null;
}

/** The fields that a form is recognised by: those that `fits` asks for where each is there. */
function fieldsOf(form: PublishedForm, { text }: FirstRow): readonly string[] {
  const fields: string[] = [];
  const has = (...names: readonly string[]): boolean => {
    fields.push(...names);
    return true;
  };
  return form.fits({ has, text }) ? fields : [];
}
