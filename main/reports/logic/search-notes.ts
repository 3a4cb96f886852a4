import type { RunComparison } from '../../../preload/contract/index';

/** How configurations search: once where all do alike. */
export function searchNotes({ configurations, searches }: RunComparison): string[] {
  const [search, ...others] = new Set(searches);
  if (search === undefined) return [];
  return others.length === 0 ? [`Search: ${search}.`] : [`Search. ${listed(configurations, searches)}.`];
}

/** Which agents are in a team, unless the names of all configurations say so: "single" does not. */
export function teamNotes({ analysis: { rows } }: Pick<RunComparison, 'analysis'>): string[] {
  const isSaid = rows.every(({ configuration, team }) =>
    team.split(' + ').every((agent) => configuration.includes(agent)),
  );
  if (isSaid) return [];
  return [
    `Agents. ${listed(
      rows.map(({ configuration }) => configuration),
      rows.map(({ team }) => team),
    )}.`,
  ];
}

/** What each is, those that are alike together. */
function listed(names: readonly string[], texts: readonly string[]): string {
  return [...new Set(texts)]
    .map((text) => `${names.filter((_, at) => texts[at] === text).join(', ')}: ${text}`)
    .join('; ');
}
