import {
  PRESETS,
  searchSweepSettings,
  searchWith,
  sweptConfigurations,
} from '../../preload/contract/plans/index';
import type { SearchChange, SearchOptions } from '../../preload/contract/strategy';
import type { Team } from '../../preload/contract/team';
import { readLists, type ValueList } from '../widgets/typed-values';
import { equalSettings } from './equal-settings';
import { methodOfPreset, searchOptionsOf } from './method-draft';

/** A configuration of a study. */
export type SearchedConfiguration = {
  readonly name: string;
  readonly team: Team;
  readonly search: SearchOptions;
};
type SweptName = { readonly base: string; readonly values: readonly (readonly [string, string])[] };

/**
 * The lists of values that produced a study's configurations, and the rows with these lists: each by its first variant,
 * under the name that it had before. Without a sweep: no lists, and the configurations as they are.
 */
export function recoverSweep(configurations: readonly SearchedConfiguration[]): {
  readonly sweep: readonly ValueList[];
  readonly rows: readonly SearchedConfiguration[];
} {
  const none = { sweep: [], rows: configurations };
  const [first] = configurations;
  if (first === undefined) return none;
  const names = configurations.map(sweptName);
  const valuesOf = (id: string): string[] =>
    names.flatMap(({ values }) => values.filter(([own]) => own === id).map(([, text]) => text));
  const sweep = (names[0]?.values ?? []).map(
    ([id]): ValueList => ({
      id,
      values: [...new Set(valuesOf(id))].join(', '),
    }),
  );
  const rows = configurations.flatMap((variant, at) => {
    const name = names[at]?.base ?? '';
    return names.findIndex(({ base }) => base === name) === at ? [{ ...variant, name }] : [];
  });
  const specs = rows.map(({ name, team, search }) => ({
    configuration: name,
    team,
    search: changeOf(search),
  }));
  const swept = sweptConfigurations(specs, first.search, readLists(sweep).fields);
  // Configurations belong to the lists only if the lists would produce exactly the same ones again.
  const made = swept.ok
    ? swept.value.map(({ configuration: name, team, search }) => ({
        ...{ name, team },
        search: searchWith(first.search, search),
      }))
    : [];
  return sweep.length > 0 && rows.every(({ name }) => name !== '') && equalSettings(made, configurations)
    ? { sweep, rows }
    : none;
}

/** "reader, nodes 8" searched with N = 8 is "reader" with the value 8 of nodes. */
function sweptName({ name, search }: Pick<SearchedConfiguration, 'name' | 'search'>): SweptName {
  const parts = name.split(', ');
  const values: (readonly [string, string])[] = [];
  for (const part of parts.toReversed()) {
    const setting = searchSweepSettings(search).find(({ id }) => part.startsWith(`${id} `));
    const text = part.slice((setting?.id.length ?? 0) + 1);
    if (setting === undefined || setting.problem(text) !== null) break;
    if (!equalSettings(searchWith(search, setting.change(text)), search)) break;
    values.unshift([setting.id, text]);
  }
  return { base: parts.slice(0, parts.length - values.length).join(', '), values };
}

/** All that a configuration can have of its own. */
function changeOf({ samplesPerAgent: _samples, grading: _grading, ...change }: SearchOptions): SearchChange {
  return change;
}

/** How a row says what it searches otherwise than the study: by a preset, and for the rest by settings that it keeps. */
export function rowSearch(
  row: SearchOptions,
  study: SearchOptions,
  sweep: readonly ValueList[],
  pocket: boolean,
): { readonly preset: string | null; readonly keeps?: SearchChange } {
  const first = readLists(sweep).fields.map(({ id, values }) => ({ id, values: values.slice(0, 1) }));
  const overridesBesides = (preset: SearchChange): SearchChange => {
    const swept = sweptConfigurations([{ configuration: '', search: preset }], study, first);
    const made = searchWith(study, swept.ok ? swept.value[0]?.search : preset);
    const overrides = Object.entries(changeOf(row)).filter(
      ([key, value]) => !equalSettings(value, Reflect.get(made, key)),
    );
    return Object.fromEntries(overrides);
  };
  const ways = [
    { preset: null, keeps: overridesBesides({}) },
    ...PRESETS.map((preset) => ({
      preset: preset.id,
      keeps: overridesBesides(searchOptionsOf(methodOfPreset(preset, pocket))),
    })),
  ];
  const count = ({ keeps }: { readonly keeps: SearchChange }): number => Object.keys(keeps).length;
  const [best] = ways.toSorted((a, b) => count(a) - count(b));
  if (best === undefined || count(best) === 0) return { preset: best?.preset ?? null };
  return best;
}
