import type { CountedConfig, Exhibit, ExhibitCaution } from '../../../preload/contract';
import { differentTestsSentence, testsName } from '../../../preload/contract/plans';

/** By which tests rows and lines of one benchmark are graded, where these differ. `configsOf`: a configuration's runs. */
export function testsCautions(
  { rows, columns, cells, series }: Exhibit,
  configsOf: (configurationId: string) => readonly CountedConfig[],
): ExhibitCaution[] {
  const named = new Map<string, { readonly benchmarkId: string; readonly names: Set<string> }>();
  const add = (name: string, configs: readonly CountedConfig[]): void => {
    for (const config of configs) {
      const tests = testsName(config);
      const { benchmarkId, names } = named.get(tests) ?? { ...config, names: new Set() };
      named.set(tests, { benchmarkId, names: names.add(name) });
    }
  };
  for (const { id, label, group } of rows) {
    const own = cells.filter(({ row }) => row === id);
    const configs = own.flatMap(({ configuration }) => configsOf(configuration));
    const name = group === '' ? label : `${group}, ${label}`;
    if (new Set(configs.map(testsName)).size < 2) add(name, configs);
    else
      for (const { column, configuration } of own)
        add(`${name} in ${columns.find(({ id }) => id === column)?.label}`, configsOf(configuration));
  }
  for (const { label, curve, configuration } of series)
    if (curve.kind === 'nodes') add(label, configsOf(configuration));
  const benchmarks = new Set([...named.values()].map(({ benchmarkId }) => benchmarkId));
  if (benchmarks.size === named.size) return [];
  const values = [...named].map(([tests, { names }]) => `${tests} (${[...names].join(', ')})`).join('; ');
  const short = 'The rows were graded by different tests, so not all compare.';
  return [{ kind: 'tests', text: differentTestsSentence('rows', values), short }];
}

/** Whether the verdicts of these runs compare: not where one benchmark's problems were graded by different tests. */
export function haveSameTests(all: readonly CountedConfig[]): boolean {
  const digests = new Set(all.map(({ tests, benchmarkDigest }) => tests?.digest ?? benchmarkDigest));
  const isRegraded = all.some(({ tests }) => tests !== undefined);
  return digests.size < 2 || (!isRegraded && new Set(all.map(({ benchmarkId }) => benchmarkId)).size > 1);
}
