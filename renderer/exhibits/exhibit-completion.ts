import type { Exhibit } from '../../preload/contract/exhibit';
import {
  type AddedTraining,
  POCKET_FAMILIES,
  PUBLISHED_FORMATS,
  TRAINING_METHODS,
  trainingsOfLine,
} from '../../preload/contract/plans/index';

/** A study at hand, for the names of studies and of their configurations. */
type NamedStudy = {
  readonly id: string;
  readonly name: string;
  readonly configurations: readonly string[];
};

/** What there is at hand in this data folder. */
export type AtHandNames = {
  readonly studies: readonly NamedStudy[];
  /** Finished and evaluated on held-out problems on the way. */
  readonly trainings: readonly AddedTraining[];
};

/** A name that may stand in an exhibit's file, with what it is called elsewhere. */
export type Completion = { readonly value: string; readonly hint: string };

export type Completions = {
  /** Of the text of the string that is replaced, without its quotes. */
  readonly from: number;
  readonly to: number;
  readonly options: readonly Completion[];
};

/** Keys and positions from the top to a place in the text, e.g. ["cells", 0, "row"]. */
export type JsonPath = readonly (string | number)[];

const METRICS = ['pass@1', 'pass@10', 'pass@1(mcts)', 'pass@n', 'pass@n(public)'];
/** More do not fit under the caret. */
const MOST = 8;

/** The names that fit at the caret, those first that begin as what is typed; null: none, or the caret is in no value. */
export function completionsAt(text: string, caret: number, names: AtHandNames): Completions | null {
  const place = stringAt(text, caret);
  if (place === null) return null;
  const typed = text.slice(place.from, caret).toLowerCase();
  const options = namesAt(place.path, parsedExhibit(text), names)
    .filter(({ value, hint }) => `${value} ${hint}`.toLowerCase().includes(typed))
    .sort((a, b) => Number(b.value.startsWith(typed)) - Number(a.value.startsWith(typed)))
    .slice(0, MOST);
  const isWhole = options.length === 1 && options[0]?.value === text.slice(place.from, place.to);
  return options.length === 0 || isWhole ? null : { from: place.from, to: place.to, options };
}

type Parts = {
  readonly [key in 'configurations' | 'rows' | 'columns' | 'models']?: readonly {
    readonly id?: unknown;
    readonly label?: unknown;
    readonly name?: unknown;
  }[];
} & { readonly raw: Partial<Exhibit> };

/** What can be read of the text; a list that is none is empty. */
function parsedExhibit(text: string): Parts {
  let raw: Partial<Exhibit> = {};
  try {
    raw = JSON.parse(text) as Partial<Exhibit>;
  } catch {
    // Half a text has no names to offer.
  }
  const list = (value: unknown) =>
    Array.isArray(value) ? value.filter((one) => typeof one === 'object' && one) : [];
  return {
    raw,
    configurations: list(raw?.configurations),
    rows: list(raw?.rows),
    columns: list(raw?.columns),
    models: list(raw?.models),
  };
}

function namesAt(path: JsonPath, parts: Parts, { studies, trainings }: AtHandNames): Completion[] {
  const plain = (values: readonly string[]): Completion[] => values.map((value) => ({ value, hint: '' }));
  const idsOf = (list: Parts['rows'] = []): Completion[] =>
    list.flatMap(({ id, label, name }) =>
      typeof id === 'string' ? [{ value: id, hint: String(label ?? name ?? '') }] : [],
    );
  const key = path.findLast((part) => typeof part === 'string');
  if (path.includes('study')) {
    if (key === 'id') return studies.map(({ id, name }) => ({ value: id, hint: name }));
    const [, at] = path;
    const own = typeof at === 'number' ? parts.raw.configurations?.[at]?.study?.id : undefined;
    const named = studies.filter(({ id }) => own === undefined || own === '' || id === own);
    return named.flatMap(({ name, configurations }) =>
      configurations.map((value) => ({ value, hint: name })),
    );
  }
  switch (key) {
    case 'row':
      return idsOf(parts.rows);
    case 'column':
      return idsOf(parts.columns);
    case 'configuration':
    case 'tokensOf':
      return idsOf(parts.configurations);
    case 'model':
    case 'models':
    case 'partners':
      return idsOf(parts.models);
    case 'metric':
      return plain(METRICS);
    case 'measure':
      return plain(['pass@n', 'pass@n(public)', 'pass@1(mcts)']);
    case 'method':
      return TRAINING_METHODS.map(({ id, name }) => ({ value: id, hint: name }));
    case 'training':
      return trainings.map(({ id, name }) => ({ value: id, hint: name }));
    case 'agent':
      return agentsAt(path, parts, trainings);
    case 'family':
      return plain(POCKET_FAMILIES);
    case 'format':
      return PUBLISHED_FORMATS.map((value) => ({ value, hint: '' }));
    default:
      return [];
  }
}

/** The agents of the trainings that the line at the caret names; of all where it names none. */
function agentsAt([, at]: JsonPath, { raw }: Parts, trainings: readonly AddedTraining[]): Completion[] {
  const line = typeof at === 'number' ? raw.series?.[at] : undefined;
  const named = line?.curve ? trainingsOfLine(line) : [];
  const own = trainings.filter(({ id }) => named.some((start) => id.startsWith(start)));
  const agents = (own.length > 0 ? own : trainings).flatMap(({ agents: all }) => all);
  return [...new Map(agents.map(({ id, name }) => [id, { value: id, hint: name }])).values()];
}

/** The string value around the caret with its path; null: the caret is in a key, or in no string. */
export function stringAt(
  text: string,
  caret: number,
): { readonly from: number; readonly to: number; readonly path: JsonPath } | null {
  const path: (string | number)[] = [];
  /** Per open bracket: is it a list? */
  const lists: boolean[] = [];
  let isKey = false;
  for (let at = 0; at < Math.min(caret, text.length); at++) {
    const char = text[at];
    if (char === '"') {
      const from = at + 1;
      let end = from;
      while (end < text.length && text[end] !== '"' && text[end] !== '\n') end += text[end] === '\\' ? 2 : 1;
      if (caret <= end) return isKey ? null : { from, to: end, path };
      if (isKey) path[path.length - 1] = text.slice(from, end);
      isKey = false;
      at = end;
    } else if (char === '{' || char === '[') {
      lists.push(char === '[');
      path.push(char === '[' ? 0 : '');
      isKey = char === '{';
    } else if (char === '}' || char === ']') {
      lists.pop();
      path.pop();
      isKey = false;
    } else if (char === ',') {
      const last = path.at(-1);
      if (lists.at(-1) === true && typeof last === 'number') path[path.length - 1] = last + 1;
      isKey = lists.at(-1) === false;
    }
  }
  return null;
}
