import type { Exhibit, ExhibitConfiguration } from '../../preload/contract';
import { CONTROL } from '../../preload/contract/plans';

type Line = { readonly id: string; readonly label: string; readonly configuration: string };
/** Lines that a reader compares: the rows of a group, the columns of a row, or the lines of a figure. */
type Compared = { readonly title: string; readonly figure: boolean; readonly lines: readonly Line[] };

/**
 * The controls that an exhibit lacks, each in words; none: it has all. What a group of lines ends with, before its controls,
 * is what all others are compared with, so its controls are those of this method:
 * - several models that learned together: mixed groups of the same models, and each alone with all-wrong groups;
 * - a tree of several models: each of them alone in a tree with as many nodes;
 * - a tree: independent samples with its tokens.
 * Where a control makes no sense: untrained rows are controls themselves, of what a team does without learning; Homo-MARS² has
 * one set of weights, so mixed groups of it would be GRPO, and each member alone the same model; a learning curve has no tree; and
 * a model that searches alone is itself the member.
 */
export function lackingControls(exhibit: Exhibit): string[] {
  return comparedIn(exhibit).flatMap(({ title, figure, lines }) => {
    const isControl = ({ label }: Line): boolean => label.startsWith(CONTROL);
    const method = configurationOf(exhibit, lines.findLast((line) => !isControl(line))?.configuration);
    if (method === undefined || method.method === 'base') return [];
    const controls = lines
      .filter(isControl)
      .flatMap((line) => configurationOf(exhibit, line.configuration) ?? []);
    const learning = figure && exhibit.series.every(({ curve }) => curve.kind === 'learning');
    return wantedControls(exhibit, method, learning)
      .filter(({ is }) => !controls.some(is))
      .map(({ name }) => `${title}: ${name}`);
  });
}

type Wanted = { readonly name: string; readonly is: (control: ExhibitConfiguration) => boolean };

function wantedControls(exhibit: Exhibit, method: ExhibitConfiguration, learning: boolean): Wanted[] {
  const { id, models, partners } = method;
  const everyone = sorted([...models, ...partners]);
  const together = method.method === 'heter-mars2';
  const nodes = method.search.nodes ?? exhibit.scales.pocket?.search.nodes ?? 1;
  const hasTree = !learning && nodes > 1;
  return [
    ...(together
      ? [
          {
            name: 'mixed groups',
            is: (one: ExhibitConfiguration) =>
              one.method === 'mixed-groups' &&
              sorted(one.models) === sorted(models) &&
              sorted([...one.models, ...one.partners]) === everyone,
          },
        ]
      : []),
    // It trains each model by itself, so a learning curve of one stands for it in any team.
    ...(learning ? models.map((model) => [model]) : [models]).map((own) => ({
      name: `all-wrong groups of ${own.join(' + ')}`,
      is: (one: ExhibitConfiguration) =>
        one.method === 'grpo-all-wrong' && sorted(one.models) === sorted(own),
    })),
    ...(hasTree && models.length > 1
      ? models.map((model) => ({
          name: `${model} alone`,
          is: (one: ExhibitConfiguration) =>
            one.method === method.method &&
            sorted(one.models) === model &&
            sorted([...one.models, ...one.partners]) === everyone &&
            JSON.stringify(one.search) === JSON.stringify(method.search),
        }))
      : []),
    ...(hasTree
      ? [
          {
            name: 'independent samples',
            is: (one: ExhibitConfiguration) =>
              one.tokensOf === id &&
              one.search.strategy?.kind === 'repeated' &&
              [one.method, sorted(one.models), one.roles].join() ===
                [method.method, sorted(models), method.roles].join(),
          },
        ]
      : []),
  ];
}

function comparedIn({ rows, columns, cells, series }: Exhibit): Compared[] {
  const shown = (row: string): Line[] =>
    columns.flatMap(({ id, label }) => {
      const cell = cells.find((one) => one.row === row && one.column === id);
      return cell === undefined ? [] : [{ id, label, configuration: cell.configuration }];
    });
  const byColumn = rows.filter(
    ({ id }) => new Set(shown(id).map(({ configuration }) => configuration)).size > 1,
  );
  const groups = [...new Set(rows.filter((row) => !byColumn.includes(row)).map(({ group }) => group))];
  return [
    ...byColumn.map(({ id, label, group }) => ({
      title: `${group}, ${label}`,
      figure: false,
      lines: shown(id),
    })),
    ...groups.map((group) => ({
      title: group,
      figure: false,
      lines: rows
        .filter((row) => row.group === group)
        .flatMap(({ id, label }) => {
          const [first] = shown(id);
          return first === undefined ? [] : [{ id, label, configuration: first.configuration }];
        }),
    })),
    ...(series.length === 0 ? [] : [{ title: 'figure', figure: true, lines: series }]),
  ];
}

function configurationOf(
  { configurations }: Exhibit,
  id: string | undefined,
): ExhibitConfiguration | undefined {
  return configurations.find((one) => one.id === id);
}

function sorted(models: readonly string[]): string {
  return [...models].sort().join(' + ');
}
