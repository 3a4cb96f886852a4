import {
  type Exhibit,
  type ExhibitConfiguration,
  type FilledExhibit,
  type RunConfig,
  serverDeskModel,
  trainingMethodOf,
  untrainedOf,
} from '../../../preload/contract/index';
import { failed, ok, type Result } from '../../base/index';

/** A configuration of an exhibit, and the runs that answer for it: all seeds of one configuration of a study. */
export type DeskFilling = {
  readonly configurationId: string;
  /** As the study calls it. */
  readonly configuration: string;
  readonly runs: readonly Pick<RunConfig, 'scale' | 'team'>[];
};

/**
 * The part of an exhibit that runs of small language models fill, with these models in place of its own. Fails with a
 * sentence where they do not answer for it: another scale, a trained row, another team.
 */
export function deskExhibit(
  exhibit: Exhibit,
  filled: readonly DeskFilling[],
): Result<FilledExhibit['exhibit'], string> {
  const names = new Map<string, string>();
  for (const filling of filled) {
    const answering = answeringModels(exhibit, filling);
    if (!answering.ok) return answering;
    for (const [modelId, name] of answering.value) {
      const other = names.get(modelId) ?? name;
      if (other !== name) {
        return failed(`${other} and ${name} cannot both stand for ${modelId} in one table. Fill two tables.`);
      }
      names.set(modelId, name);
    }
  }
  const models = exhibit.models.map((model) => {
    const name = names.get(model.id);
    return name === undefined ? model : { ...model, desk: { name } };
  });
  return ok({ ...filledPart(exhibit, filled), models });
}

/**
 * The part of a table of a lab's own that runs at hand fill. Its labels are the lab's: nothing is said to stand for a model
 * of a paper.
 */
export function atHandExhibit(
  exhibit: Exhibit,
  filled: readonly {
    readonly configurationId: string;
    readonly runs: readonly Pick<RunConfig, 'search'>[];
  }[],
  /** Ids of lines that trainings at hand give. */
  lines: readonly string[] = [],
): FilledExhibit['exhibit'] {
  const part = filledPart(exhibit, filled, lines);
  return {
    ...part,
    configurations: part.configurations.map((configuration) => {
      const runs = filled.find(({ configurationId }) => configurationId === configuration.id)?.runs ?? [];
      const [nodes, ...others] = new Set(runs.map(({ search }) => search.nodes));
      return nodes === undefined || others.length > 0
        ? configuration
        : { ...configuration, search: { ...configuration.search, nodes } };
    }),
  };
}

/** The rows, columns, cells and lines of these configurations, and these lines over trainings. */
function filledPart(
  exhibit: Exhibit,
  filled: readonly Pick<DeskFilling, 'configurationId'>[],
  lines: readonly string[] = [],
): FilledExhibit['exhibit'] {
  const isFilled = (id: string): boolean => filled.some(({ configurationId }) => configurationId === id);
  const cells = exhibit.cells.filter(({ configuration }) => isFilled(configuration));
  const series = exhibit.series.filter(({ id, configuration, curve }) =>
    curve.kind === 'nodes' ? isFilled(configuration) : lines.includes(id),
  );
  return {
    ...exhibit,
    configurations: exhibit.configurations.filter(
      ({ id }) => isFilled(id) || series.some(({ configuration }) => configuration === id),
    ),
    rows: exhibit.rows.filter(({ id }) => cells.some(({ row }) => row === id)),
    columns: exhibit.columns.filter(({ id }) => cells.some(({ column }) => column === id)),
    cells,
    series,
    // They are about the exhibit as a whole.
    claims: [],
  };
}

/** By the exhibit's model ids, the small models that answer for them. */
function answeringModels(
  exhibit: Exhibit,
  filling: DeskFilling,
): Result<readonly [string, string][], string> {
  const { configurationId, configuration, runs } = filling;
  const row = exhibit.configurations.find(({ id }) => id === configurationId);
  if (row === undefined || row.method !== 'base') return failed(rowProblem(exhibit, configurationId, row));
  const [run] = runs;
  if (run === undefined) return failed(`The study has no configuration "${configuration}".`);
  const other = runs.find(({ scale }) => scale !== 'desk');
  if (other !== undefined) {
    return failed(
      `"${configuration}" is of scale ${other.scale}. Only named small language models (docs/servers.md) fill an exhibit at desk scale.`,
    );
  }
  const { servers, agents } = run.team;
  const agentCount = row.models.length === 1 ? row.roles : row.models.length;
  if (servers.length !== row.models.length || agents.length !== agentCount) {
    return failed(
      `"${row.label}" has ${teamText(row.models.length, agentCount)}, "${configuration}" has ${teamText(servers.length, agents.length)}. Choose a configuration with as many.`,
    );
  }
  return ok(row.models.map((modelId, at) => [modelId, nameOf(servers[at])] as [string, string]));
}

function nameOf(server: RunConfig['team']['servers'][number] | undefined): string {
  return (server === undefined ? null : serverDeskModel(server)) ?? server?.model ?? '';
}

/** The first of the named configurations that no study can fill, in a sentence; null: all can be filled. */
export function rowsProblem(
  exhibit: Exhibit,
  filled: readonly Pick<DeskFilling, 'configurationId'>[],
): string | null {
  for (const { configurationId } of filled) {
    const row = exhibit.configurations.find(({ id }) => id === configurationId);
    if (row === undefined || row.method !== 'base') return rowProblem(exhibit, configurationId, row);
  }
  return null;
}

function rowProblem(exhibit: Exhibit, id: string, row: ExhibitConfiguration | undefined): string {
  const untrained = untrainedOf(exhibit);
  const choose =
    untrained.length === 0
      ? 'It has none of untrained models, so a study cannot fill it.'
      : `Of untrained models it has: ${untrained.map((one) => one.id).join(', ')}.`;
  return row === undefined
    ? `"${exhibit.title}" has no configuration "${id}". ${choose}`
    : `"${row.label}" is trained by ${trainingMethodOf(row.method).name}, and a study trains nothing. ${choose}`;
}

function teamText(models: number, agents: number): string {
  return `${models} ${models === 1 ? 'model' : 'models'} and ${agents} ${agents === 1 ? 'agent' : 'agents'}`;
}
