import type { SearchChange, SearchOptions } from '../strategy';
import { methodTitle } from './search-text';
import { STRATEGIES, strategyFields } from './strategy-fields';
import {
  combinations,
  fieldsProblem,
  type ReadSwept,
  refused,
  type SweepProblem,
  type SweptField,
  type SweptSetting,
  valueProblem,
} from './sweeps';

/** Most configurations of a study. */
export const MAX_CONFIGURATIONS = 50;
/** Most characters of a configuration's name. */
const MAX_NAME = 80;
const MAX_NODES = 100_000;

/** A setting of a search: what it takes, and what a value changes. */
type SearchSetting = SweptSetting & {
  /** What is wrong with a value, as a sentence; null: nothing. */
  readonly problem: (text: string) => string | null;
  readonly change: (text: string) => SearchChange;
};

/** What every search has, whatever its strategy. */
const SHARED: readonly SearchSetting[] = [
  numberSetting({ id: 'nodes', label: 'Nodes per tree (N)', min: 1, max: MAX_NODES, step: 1 }, (nodes) => ({
    nodes,
  })),
  choiceSetting('score', 'Node score', ['fraction', 'all'], (score) => ({ score })),
  choiceSetting('tie', 'Tie-breaking', ['earliest', 'latest'], (tie) => ({ tie })),
  choiceSetting('feedback', 'Refinement feedback', ['verdicts', 'errors', 'marti'], (feedback) => ({
    feedback,
  })),
];

/** A configuration's own search settings override the study's. */
export function searchWith(search: SearchOptions, own: SearchChange | undefined): SearchOptions {
  const overrides = Object.entries(own ?? {}).filter(([, value]) => value !== undefined);
  return { ...search, ...Object.fromEntries(overrides) };
}

/** The settings of a search that can take several values: the options of its strategy first. */
export function searchSweepSettings({ strategy }: Pick<SearchOptions, 'strategy'>): readonly SearchSetting[] {
  const own = strategyFields(strategy).map((field): SearchSetting => {
    const { key: id, label } = field;
    if (field.kind === 'number') {
      return numberSetting({ ...field, id }, (value) => ({ strategy: field.withValue(value) }));
    }
    const ids = field.choices.map(({ value }) => value);
    return choiceSetting(id, label, ids, (value) => ({ strategy: field.withValue(value) }));
  });
  return [...own, ...SHARED];
}

/** Each configuration once for every combination of the values, named by them: the variants of one study. */
export function sweptConfigurations<
  C extends {
    readonly configuration: string;
    readonly search?: SearchChange | undefined;
  },
>(
  configurations: readonly C[],
  search: SearchOptions,
  fields: readonly SweptField[],
): ReadSwept<readonly C[]> {
  if (fields.length === 0) return { ok: true, value: configurations };
  const all: C[] = [];
  for (const configuration of configurations) {
    const own = searchWith(search, configuration.search);
    const settings = searchSweepSettings(own);
    const known = settings.map(({ id }) => id);
    const problem =
      otherStrategyProblem(fields, configuration.configuration, own) ??
      fieldsProblem(fields, known, MAX_CONFIGURATIONS) ??
      valueProblem(
        fields,
        (id, text) => settings.find((setting) => setting.id === id)?.problem(text) ?? null,
      );
    if (problem !== null) return { ok: false, problem };
    for (const texts of combinations(fields)) {
      const parts = Object.entries(texts).map(([id, text]) => `${id} ${text}`);
      const name = [configuration.configuration, ...parts].join(', ');
      if (name.length > MAX_NAME) {
        const why = `has more than ${MAX_NAME} characters`;
        return refused('', `The name "${name}" ${why}: shorten the configuration's, or vary fewer settings.`);
      }
      all.push({ ...configuration, configuration: name, search: changed(configuration.search, own, texts) });
    }
  }
  if (all.length <= MAX_CONFIGURATIONS) return { ok: true, value: all };
  const most = `a study has at most ${MAX_CONFIGURATIONS}`;
  return refused('', `${all.length} configurations; ${most}. Take fewer values, or two studies.`);
}

/** A setting that only other strategies have: which configuration is in the way, and what it can vary. */
function otherStrategyProblem(
  fields: readonly SweptField[],
  configuration: string,
  search: SearchOptions,
): SweepProblem | null {
  const settings = searchSweepSettings(search);
  for (const { id } of fields) {
    if (settings.some((setting) => setting.id === id)) continue;
    const everywhere = Object.values(STRATEGIES).flatMap(({ defaults }) => strategyFields(defaults));
    const label = everywhere.find(({ key }) => key === id)?.label;
    if (label === undefined) continue;
    const named = settings.map((setting) => `"${setting.label}" (${setting.id})`).join(', ');
    return {
      id,
      message: `"${configuration}" searches with ${methodTitle(search)}, which has no "${label}" (${id}). It can vary: ${named}.`,
    };
  }
  return null;
}

/** Later values see the strategy that earlier ones made. */
function changed(
  before: SearchChange | undefined,
  search: SearchOptions,
  texts: Readonly<Record<string, string>>,
): SearchChange {
  let change: SearchChange = before ?? {};
  for (const [id, text] of Object.entries(texts)) {
    const setting = searchSweepSettings(searchWith(search, change)).find((known) => known.id === id);
    change = { ...change, ...setting?.change(text) };
  }
  return change;
}

function numberSetting(
  field: Pick<SweptSetting, 'id' | 'label'> & {
    readonly min: number;
    readonly max: number;
    readonly step: number;
  },
  change: (value: number) => SearchChange,
): SearchSetting {
  const { id, label, min, max, step } = field;
  const takes = `takes a ${step === 1 ? 'whole ' : ''}number from ${min} to ${max}`;
  return {
    id,
    label,
    choices: null,
    problem: (text) => {
      const value = text === '' ? Number.NaN : Number(text);
      const fits = value >= min && value <= max && (step !== 1 || Number.isInteger(value));
      return fits ? null : `"${label}" (${id}) ${takes}, not "${text}".`;
    },
    change: (text) => change(Number(text)),
  };
}

function choiceSetting<const T extends string>(
  id: string,
  label: string,
  choices: readonly T[],
  change: (value: T) => SearchChange,
): SearchSetting {
  const found = (text: string): T | undefined => choices.find((choice) => choice === text);
  return {
    id,
    label,
    choices,
    problem: (text) =>
      found(text) === undefined
        ? `"${label}" (${id}) must be one of ${choices.join(', ')}, not "${text}".`
        : null,
    change: (text) => {
      const value = found(text);
      return value === undefined ? {} : change(value);
    },
  };
}
