import type {
  SpotlightActionData,
  SpotlightActionGroupData,
  SpotlightFilterFunction,
} from '@mantine/spotlight';

function textOf(action: SpotlightActionData): string {
  const keywords = typeof action.keywords === 'string' ? [action.keywords] : (action.keywords ?? []);
  return [action.label ?? '', action.description ?? '', ...keywords].join(' ').toLowerCase();
}

/**
 * Every word of the query has to be somewhere in an action, in any order: "017 hetero" finds the problem 017 of the
 * heterogeneous run. Actions whose label begins with the query stand first; groups keep the order of their first.
 */
export const filterActions: SpotlightFilterFunction = (query, data) => {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const flat = data.flatMap((item): readonly SpotlightActionData[] =>
    'actions' in item ? item.actions : [item],
  );
  const fitting = flat.filter((action) => {
    const text = textOf(action);
    return words.every((word) => text.includes(word));
  });
  const begins = (action: SpotlightActionData): boolean =>
    words.length > 0 && (action.label ?? '').toLowerCase().startsWith(words.join(' '));
  const groups = new Map<string, SpotlightActionData[]>();
  for (const action of [...fitting.filter(begins), ...fitting.filter((actionData) => !begins(actionData))]) {
    const group = action.group ?? '';
    const actions = groups.get(group) ?? [];
    actions.push(action);
    groups.set(group, actions);
  }
  return [...groups].map(([group, actions]): SpotlightActionGroupData => ({ group, actions }));
};
