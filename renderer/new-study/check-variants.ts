import {
  candidateCount,
  searchSweepSettings,
  searchWith,
  sweptConfigurations,
} from '../../preload/contract/plans/index';
import type { SearchChange, SearchOptions } from '../../preload/contract/strategy';
import type { Team } from '../../preload/contract/team';
import { listsInUse, NO_VALUES, readLists, type ValueList } from '../widgets/typed-values';
import type { FieldError } from './field-errors';

type Configuration = {
  readonly configuration: string;
  readonly team: Team;
  readonly search?: SearchChange;
};

/** The configurations that are searched: with several values of the search, one for each of them. */
export function variantsOf(
  configurations: readonly Configuration[],
  search: SearchOptions | null,
  sweep: readonly ValueList[],
): { readonly errors: readonly FieldError[]; readonly variants: readonly Configuration[] } {
  if (search === null) return { errors: [], variants: configurations };
  const { fields, empty } = readLists(shownLists(sweep, search));
  const errors = empty.map((id): FieldError => ({ at: `sweep ${id}`, kind: 'missing', message: NO_VALUES }));
  if (errors.length > 0) return { errors, variants: configurations };
  const swept = sweptConfigurations(configurations, search, fields);
  if (swept.ok) return { errors: [], variants: swept.value };
  const { id, message } = swept.problem;
  const error: FieldError = { at: id === '' ? 'sweep' : `sweep ${id}`, kind: 'wrong', message };
  return { errors: [error], variants: configurations };
}

/** Programs of variants of one team with one seed. `available`: samples that each agent has. */
export function programsOf(
  variants: readonly Configuration[],
  search: SearchOptions,
  problems: number,
  available: readonly number[],
): number {
  const counts = variants.map(({ team, search: own }) =>
    candidateCount({ team, search: searchWith(search, own), problemIds: { length: problems } }, available),
  );
  return counts.reduce((sum, programs) => sum + programs, 0);
}

/** N as it is entered: where it takes several values, the first of them. */
export function enteredNodes({
  nodes,
  sweep,
}: {
  readonly nodes: string;
  readonly sweep: readonly ValueList[];
}): {
  readonly text: string;
  readonly isVaried: boolean;
} {
  const varied = readLists(sweep).fields.find(({ id }) => id === 'nodes');
  return { text: varied?.values[0] ?? nodes, isVaried: varied !== undefined };
}

/** Without the settings of strategies that are not chosen now. */
export function shownLists(
  sweep: readonly ValueList[],
  search: Pick<SearchOptions, 'strategy'>,
): readonly ValueList[] {
  return listsInUse(sweep, searchSweepSettings(search));
}
