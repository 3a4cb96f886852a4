import type { CountedConfig } from '../../../preload/contract';
import { differentTestsSentence, testsName } from '../../../preload/contract/plans';
import { counted } from '../../base';
import { formatList, formatNames } from '../format';
import type { ComparedConfiguration } from './compared-configuration';
import { differingSettings } from './setting-differences';

/**
 * Reasons to be careful with this comparison. `missing`: runs without data, `unfinished`: runs that do not count, as "configuration, seed 3". Problem names are
 * those of the comparison: problems of two benchmarks never share one.
 */
export function cautionsOf(
  configurations: readonly ComparedConfiguration[],
  { missing, unfinished }: Record<'missing' | 'unfinished', readonly string[]>,
): string[] {
  const otherTests = testsCautions(configurations);
  return [
    ...otherTests,
    ...missing.map((run) => `The run ${run} has not searched anything yet, so it is left out.`),
    ...unfinished.map(
      (run) => `The run ${run} has not finished, so it is left out: other seeds of its configuration have.`,
    ),
    ...benchmarkCautions(configurations),
    ...(otherTests.length === 0 ? sharedCautions(configurations) : []),
    ...differingValue(
      configurations,
      ({ search }) => counted(search.nodes, 'node'),
      (values) =>
        `Trees have ${values}: more nodes alone increase Pass@N. Compare the curves at the same number of nodes.`,
    ),
    ...differingValue(
      configurations,
      ({ search }) => search.grading,
      (values) => `The runs use different grading rules: ${values}.`,
    ),
    ...differingValue(
      configurations,
      ({ scale }) => `${scale} scale`,
      (values) => `The runs have different scales: ${values}.`,
    ),
    ...pooledCautions(configurations),
    ...versionCautions(configurations),
  ];
}

/** "60 nodes (A and B) and 24 nodes (C)", where they are not all alike. */
function differingValue(
  configurations: readonly ComparedConfiguration[],
  valueFor: (config: CountedConfig) => string,
  sentence: (values: string) => string,
): string[] {
  const byValue = new Map<string, string[]>();
  for (const { metrics, configs } of configurations) {
    for (const value of new Set(configs.map(valueFor))) {
      byValue.set(value, [...(byValue.get(value) ?? []), metrics.configuration]);
    }
  }
  if (byValue.size < 2) return [];
  return [sentence(formatList([...byValue].map(([value, names]) => `${value} (${formatNames(names)})`)))];
}

/** Where a re-grade with other tests counts: verdicts by different tests are not compared. */
function testsCautions(configurations: readonly ComparedConfiguration[]): string[] {
  if (configurations.every(({ configs }) => configs.every(({ tests }) => tests === undefined))) return [];
  return differingValue(configurations, testsName, (values) => differentTestsSentence('runs', values));
}

function benchmarkCautions(configurations: readonly ComparedConfiguration[]): string[] {
  const cautions = differingValue(
    configurations,
    ({ benchmarkId }) => benchmarkId,
    (values) => `The runs use different benchmarks: ${values}.`,
  );
  if (cautions.length === 0) {
    cautions.push(
      ...differingValue(
        configurations,
        ({ benchmarkDigest }) => benchmarkDigest.slice(0, 8),
        (values) => `The benchmark changed between the runs; its digests begin with ${values}.`,
      ),
    );
  }
  return cautions;
}

/** Where tests differ, what is shared is so under other names: that caution says what is compared. */
function sharedCautions(configurations: readonly ComparedConfiguration[]): string[] {
  const cautions: string[] = [];
  const sets = configurations.map(({ configs }) => new Set(configs.flatMap(({ problemIds }) => problemIds)));
  const all = new Set(sets.flatMap((set) => [...set]));
  const shared = [...all].filter((id) => sets.every((set) => set.has(id))).length;
  if (sets.length > 1 && shared < all.size) {
    const somePair = sets.some((set, at) =>
      sets.slice(at + 1).some((other) => [...set].some((id) => other.has(id))),
    );
    cautions.push(
      shared === 0
        ? `No problem is shared by all configurations, so they cannot all be compared with each other.${somePair ? ' Differences are of pairs that share problems, each over these.' : ''}`
        : `${shared} of ${counted(all.size, 'problem')} ${shared === 1 ? 'is' : 'are'} in all configurations. Each row is over its own problems; differences are over the shared ones.`,
    );
  }
  return cautions;
}

function pooledCautions(configurations: readonly ComparedConfiguration[]): string[] {
  return configurations.flatMap(({ metrics: { configuration }, configs }) => {
    const cautions: string[] = [];
    const differing = differingSettings(configs);
    if (differing.length > 0) {
      cautions.push(`The runs pooled as ${configuration} differ in ${formatList(differing)}.`);
    }
    const seeds = configs.map(({ seed }) => seed);
    const repeated = [...new Set(seeds.filter((seed, at) => seeds.indexOf(seed) !== at))];
    if (repeated.length > 0) {
      cautions.push(
        `${configuration} has several runs of seed ${formatList(repeated.map(String))}; runs of one seed are not independent replicates.`,
      );
    }
    return cautions;
  });
}

function versionCautions(configurations: readonly ComparedConfiguration[]): string[] {
  const versions = [...new Set(configurations.flatMap(({ appVersions }) => appVersions))];
  if (versions.length < 2) return [];
  return [
    `The runs were made by several versions of the workbench (${formatList(versions)}), whose prompts and graders may differ.`,
  ];
}
