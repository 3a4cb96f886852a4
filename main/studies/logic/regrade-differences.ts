import type {
  Benchmark,
  GradingLimits,
  RegradeStarted,
  RunConfig,
  RunEvent,
} from '../../../preload/contract';

type Grader = NonNullable<Extract<RunEvent, { kind: 'run-started' }>['grader']>;

const ISOLATIONS = { sandbox: 'in the sandbox', none: 'without the sandbox' } as const;
const MODES = { 'as-program': 'as a program', 'as-published': 'as published' } as const;
const LIMITS: Record<keyof GradingLimits, readonly [name: string, text: (value: number) => string]> = {
  cpuSeconds: ['CPU time', (value) => `${value} s`],
  wallSeconds: ['time', (value) => `${value} s`],
  memoryBytes: ['memory', (value) => `${value / 1_048_576} MiB`],
  processes: ['processes', String],
  outputBytes: ['output', (value) => `${value} bytes`],
};

/**
 * How a re-grade ran the programs otherwise than the search's own grading, e.g. "Python 3.12.1 instead of 3.11.2"; which tests it
 * ran is not in it. What is not known of the search, as in journals of older versions, is left out.
 */
export function regradeDifferences(
  { grader, grading, tests }: RegradeStarted,
  searched: readonly { readonly config: Pick<RunConfig, 'search'>; readonly grader: Grader | undefined }[],
  benchmarkOf: (id: string, digest: string) => Pick<Benchmark, 'limits' | 'rules'> | undefined,
): string[] {
  const graders = searched.flatMap(({ grader: own }) => own ?? []);
  const packagesOf = (packages: readonly string[]): string => [...packages].sort().join(', ');
  const packages = graders.flatMap(({ packages: own }) => (own === undefined ? [] : packagesOf(own)));
  const modes = grading === null ? [] : searched.map(({ config }) => MODES[config.search.grading]);
  return [
    ...differing(
      'Python ',
      grader.python,
      graders.map(({ python }) => python),
    ),
    ...(packages.some((own) => own !== packagesOf(grader.packages)) ? ['other Python packages'] : []),
    ...differing(
      '',
      ISOLATIONS[grader.isolation],
      graders.map(({ isolation }) => ISOLATIONS[isolation]),
    ),
    ...(grading === null ? [] : differing('graded ', MODES[grading], modes)),
    ...differing(
      'CPU limits times ',
      factorText(grader.cpuFactor),
      graders.map(({ cpuFactor }) => factorText(cpuFactor)),
    ),
    ...new Set(
      tests.flatMap(({ benchmarkId, benchmarkDigest, limits, rules }) => {
        const own = benchmarkOf(benchmarkId, benchmarkDigest);
        return own === undefined
          ? []
          : [...limitDifferences(limits, own.limits), ...differing('rules ', rules, [own.rules])];
      }),
    ),
  ];
}

function limitDifferences(now: GradingLimits, first: GradingLimits): string[] {
  return Object.entries(LIMITS).flatMap(([key, [name, text]]) => {
    const at = key as keyof GradingLimits;
    return differing(`limit of ${name} `, text(now[at]), [text(first[at])]);
  });
}

/** "Python 3.12.1 instead of 3.11.2"; nothing where all are alike. */
function differing(name: string, now: string, first: readonly string[]): string[] {
  const others = [...new Set(first)].filter((one) => one !== now);
  return others.length === 0 ? [] : [`${name}${now} instead of ${others.join(' and ')}`];
}

const factorText = (factor: number): string => String(Number(factor.toFixed(1)));
