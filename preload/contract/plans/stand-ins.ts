import type { Exhibit, ExhibitModel, ExhibitResult } from '../exhibit';
import type { FilledExhibit } from '../exhibit-fill';

type ExhibitScale = ExhibitResult['scale'];
type NamedModel = Pick<ExhibitModel, 'id' | 'name' | 'pocket'> &
  Pick<FilledExhibit['exhibit']['models'][number], 'desk'>;
type WithModels = { readonly models: readonly NamedModel[] };

/** Between the stand-in and the model that it stands for, wherever the two are named together. */
const IN_PLACE_OF = ', in the place of ';

/** "reader-large, in the place of Qwen3-32B": the stand-in first, since its numbers are its own. */
export function inPlaceOf(standIns: string, models: string): string {
  return models === '' ? standIns : `${standIns}${IN_PLACE_OF}${models}`;
}

/** Whether another policy answers for the model at this scale. */
function isReplaced(scale: ExhibitScale, { pocket, desk }: NamedModel): boolean {
  if (scale === 'paper') return false;
  return scale === 'pocket' ? pocket !== null : desk !== undefined;
}

/**
 * What answers for a model of the exhibit, as agents, servers and files call it: at pocket scale the
 * family, else its own id. A family that stands for several models of the exhibit is numbered.
 */
export function agentIdOf(exhibit: WithModels, scale: ExhibitScale, model: NamedModel): string {
  if (scale !== 'pocket' || model.pocket === null) return model.id;
  const { family } = model.pocket;
  const same = exhibit.models.filter(({ pocket }) => pocket?.family === family);
  const at = same.findIndex(({ id }) => id === model.id);
  return at <= 0 ? family : `${family}-${at + 1}`;
}

/** What answers for these models, e.g. "reader + tracer". */
export function agentNames(exhibit: WithModels, scale: ExhibitScale, models: readonly NamedModel[]): string {
  const named = models.map((model) => {
    if (!isReplaced(scale, model)) return model.name;
    return scale === 'desk' && model.desk !== undefined ? model.desk.name : agentIdOf(exhibit, scale, model);
  });
  return named.join(' + ');
}

/** The paper's models that others stand for, e.g. "Qwen3-8B + AReaL-8B"; "": none. */
export function replacedModels(scale: ExhibitScale, models: readonly NamedModel[]): string {
  return models
    .filter((model) => isReplaced(scale, model))
    .map(({ name }) => name)
    .join(' + ');
}

/** The same with both, e.g. "reader + tracer, in the place of Qwen3-8B + AReaL-8B". */
export function modelNames(exhibit: WithModels, scale: ExhibitScale, models: readonly NamedModel[]): string {
  return inPlaceOf(agentNames(exhibit, scale, models), replacedModels(scale, models));
}

/** A text of the exhibit, e.g. a row's label, with the stand-in's name wherever it names a model of the paper. */
export function standInText(exhibit: WithModels, scale: ExhibitScale, text: string): string {
  return replaced(exhibit, scale, text, (models) => agentNames(exhibit, scale, models));
}

/** The same with the paper's model behind each stand-in. A text that says so already stays as it is. */
export function standInTextInFull(exhibit: WithModels, scale: ExhibitScale, text: string): string {
  return replaced(exhibit, scale, text, (models) => modelNames(exhibit, scale, models));
}

/** The exhibit as it is measured at the scale: every label names what really answers. `models` stay the paper's. */
export function exhibitAtScale(exhibit: Exhibit, scale: ExhibitScale): Exhibit {
  if (scale === 'paper') return exhibit;
  const named = <T extends { readonly label: string }>(item: T): T => ({
    ...item,
    label: standInText(exhibit, scale, item.label),
  });
  const grouped = <T extends { readonly label: string; readonly group: string }>(item: T): T => ({
    ...named(item),
    group: standInText(exhibit, scale, item.group),
  });
  return {
    ...exhibit,
    configurations: exhibit.configurations.map(named),
    rows: exhibit.rows.map(grouped),
    columns: exhibit.columns.map(grouped),
    series: exhibit.series.map(named),
  };
}

/** Which small policy or model answers for which model; null: none does. */
export function standInSentence(exhibit: WithModels, scale: ExhibitScale): string | null {
  const pairs = exhibit.models
    .filter((model) => isReplaced(scale, model))
    .map((model) => `${agentNames(exhibit, scale, [model])} in the place of ${model.name}`);
  return pairs.length === 0
    ? null
    : `${scale === 'pocket' ? 'Small policies' : 'Small language models'} answer here in the place of larger ones: ${pairs.join(', ')}.`;
}

const escaped = (text: string): string => text.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&');

/** Replaces every "A" and "A + B" of models that something stands for, but not those named as replaced already. */
function replaced(
  { models }: WithModels,
  scale: ExhibitScale,
  text: string,
  by: (models: readonly NamedModel[]) => string,
): string {
  const replaceable = models.filter((model) => isReplaced(scale, model));
  if (replaceable.length === 0) return text;
  // The longest first, so that no name is taken for the beginning of another.
  const words = replaceable.map(({ name }) => name).sort((a, b) => b.length - a.length);
  const name = `(?<![\\p{L}\\p{N}])(?:${words.map(escaped).join('|')})(?![\\p{L}\\p{N}])`;
  const group = new RegExp(`(?<!in the place of (?:${name} \\+ )*)${name}(?: \\+ ${name})*`, 'gu');
  const namePattern = new RegExp(name, 'gu');
  return text.replace(group, (match) =>
    by(
      [...match.matchAll(namePattern)].flatMap(
        ([word]) => replaceable.find((model) => model.name === word) ?? [],
      ),
    ),
  );
}
