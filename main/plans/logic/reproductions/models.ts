import type {
  Exhibit,
  ExhibitConfiguration,
  ExhibitModel,
  ReproductionRequest,
  TrainingMethod,
} from '../../../../preload/contract';

/** Models that are trained together under a method, whatever the seed. */
export type TrainingGroup = {
  readonly method: Exclude<TrainingMethod, 'base'>;
  /** In the exhibit's order. */
  readonly models: readonly ExhibitModel[];
};

/** Models of the configuration, its partners in training among them, in the exhibit's order. */
export function modelsOf(
  exhibit: Exhibit,
  { models, partners }: Pick<ExhibitConfiguration, 'models' | 'partners'>,
): readonly ExhibitModel[] {
  return exhibit.models.filter(({ id }) => models.includes(id) || partners.includes(id));
}

/** Agents share data while they learn: trees, or the groups within which rewards are compared. */
export function sharesTrainingData(method: TrainingMethod): boolean {
  return method === 'heter-mars2' || method === 'mixed-groups';
}

/** The trainings that a configuration needs: none for base models, one for each model, or one for all together. */
export function trainingGroups(
  exhibit: Exhibit,
  configuration: Pick<ExhibitConfiguration, 'method' | 'models' | 'partners'>,
): readonly TrainingGroup[] {
  const { method } = configuration;
  if (method === 'base') return [];
  const models = modelsOf(exhibit, configuration);
  if (sharesTrainingData(method)) return [{ method, models }];
  return models
    .filter(({ id }) => configuration.models.includes(id))
    .map((model) => ({ method, models: [model] }));
}

/** Unique among the groups of an exhibit, e.g. "heter-mars2:qwen3-8b+areal-8b". */
export function groupKey({ method, models }: TrainingGroup): string {
  return `${method}:${models.map(({ id }) => id).join('+')}`;
}

/**
 * The checkpoint of the model with this training that the request names; null: none. Pocket checkpoints are never
 * named.
 */
export function namedCheckpoint(
  { scale, paper }: Pick<ReproductionRequest, 'scale' | 'paper'>,
  modelId: string,
  { method, models }: TrainingGroup,
): string | null {
  if (scale === 'pocket') return null;
  const groupName = (ids: readonly string[]): string => [...ids].sort().join('+');
  const all = groupName(models.map(({ id }) => id));
  const named = paper.checkpoints.find(
    (checkpoint) =>
      checkpoint.modelId === modelId &&
      checkpoint.method === method &&
      groupName(checkpoint.trainedWith) === all,
  );
  return named?.path ?? null;
}
