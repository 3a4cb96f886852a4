import {
  type Exhibit,
  type ExhibitConfiguration,
  type ExhibitSeries,
  type ReproductionRequest,
  trainingMethodOf,
} from '../../../../preload/contract';
import { cellKey, trainingsOfLine } from '../../../../preload/contract/plans';
import { modelsOf, namedCheckpoint, sharesTrainingData, trainingGroups } from './models';
import type { PlanInputs } from './plan-inputs';
import { martiPreset, trainerOf } from './training-requests';

/** A requested cell or line. */
export type DemandedPart = {
  /** "row.column", or a series' id. */
  readonly key: string;
  /** e.g. "Qwen3-8B, GRPO: Pass@1". */
  readonly title: string;
  readonly configuration: ExhibitConfiguration;
  /** The source of its value. */
  readonly from: 'search' | 'diversity' | 'learning';
  /** For `learning`: the model that the curve shows. */
  readonly model: string | null;
  /** A control or another addition of ours. */
  readonly ours: boolean;
  /** A study or trainings at hand answer for it. */
  readonly isAtHand: boolean;
};

export type Demand = {
  readonly parts: readonly DemandedPart[];
  /** By key: the reason why a part cannot be measured at this scale. */
  readonly unmeasured: ReadonlyMap<string, string>;
};

/** The requested parts, and those among them that cannot be measured at this scale on any machine. */
export function demandOf(
  exhibit: Exhibit,
  request: Pick<ReproductionRequest, 'scale' | 'only' | 'paper'>,
  inputs: Pick<PlanInputs, 'pocketFamilies' | 'notTrainedReason'>,
): Demand {
  const { scale, only } = request;
  const unmeasured = new Map<string, string>();
  const parts: DemandedPart[] = [];
  for (const part of partsOf(exhibit)) {
    if (only !== undefined && !only.includes(part.key)) continue;
    const why =
      noScaleReason(exhibit, scale) ??
      (part.isAtHand ? AT_HAND : null) ??
      noModelsReason(exhibit, part.configuration, scale, inputs.pocketFamilies) ??
      noRewardModelReason(part.configuration, scale) ??
      untrainedReason(exhibit, part.configuration, request, inputs) ??
      noLearningReason(part) ??
      notRequestedReason(part, request);
    if (why === null) parts.push(part);
    else unmeasured.set(part.key, why);
  }
  return { parts, unmeasured };
}

/** All cells and series of the exhibit, in its order. */
export function partsOf(exhibit: Exhibit): readonly DemandedPart[] {
  const configurationOf = (id: string): ExhibitConfiguration => {
    const configuration = exhibit.configurations.find((other) => other.id === id);
    if (configuration === undefined) throw new RangeError(`The exhibit has no configuration ${id}`);
    return configuration;
  };
  const labelOf = (id: string, among: Exhibit['rows']): string => {
    const { group, label } = among.find((line) => line.id === id) ?? { group: '', label: id };
    return group === '' ? label : `${group}, ${label}`;
  };
  const isOurs = (id: string): boolean =>
    [...exhibit.rows, ...exhibit.columns].some((line) => line.id === id && line.ours === true);
  return [
    ...exhibit.cells.map(
      ({ row, column, configuration, measure }): DemandedPart => ({
        key: cellKey({ row, column }),
        title: `${labelOf(row, exhibit.rows)}: ${labelOf(column, exhibit.columns)}`,
        configuration: configurationOf(configuration),
        from: measure.kind === 'diversity' ? 'diversity' : 'search',
        model: null,
        ours: isOurs(row) || isOurs(column),
        isAtHand: configurationOf(configuration).study !== undefined,
      }),
    ),
    ...exhibit.series.map(
      ({ id, label, configuration, curve, ours = false }): DemandedPart => ({
        key: id,
        title: label,
        configuration: configurationOf(configuration),
        from: curve.kind === 'learning' ? 'learning' : 'search',
        model: modelOf(curve),
        ours,
        isAtHand:
          curve.kind === 'learning'
            ? trainingsOfLine({ curve }).length > 0
            : configurationOf(configuration).study !== undefined,
      }),
    ),
  ];
}

const AT_HAND =
  'A study or trainings at hand answer for it: it stands under "Runs at hand", and nothing is measured for it.';

function modelOf(curve: ExhibitSeries['curve']): string | null {
  return curve.kind === 'learning' ? curve.model : null;
}

function noScaleReason({ scales }: Exhibit, scale: ReproductionRequest['scale']): string | null {
  return scales[scale] === null ? `The exhibit has no settings for the ${scale} scale.` : null;
}

/** Language models cost GPU-days: controls that the paper does not have are trained only where they are asked for. */
function notRequestedReason(
  { ours, from }: DemandedPart,
  { scale, only }: Pick<ReproductionRequest, 'scale' | 'only'>,
): string | null {
  if (!ours || from === 'learning' || scale === 'pocket' || only !== undefined) return null;
  return 'They are controls of ours, which would need trainings and searches that the paper does not have. To measure them at paper scale, tick them in a new plan, or name their cells in a terminal (mars2 reproduce, --only).';
}

function noModelsReason(
  exhibit: Exhibit,
  configuration: ExhibitConfiguration,
  scale: ReproductionRequest['scale'],
  pocketFamilies: readonly string[],
): string | null {
  for (const { name, paper, pocket } of modelsOf(exhibit, configuration)) {
    if (scale === 'paper' && paper === null) return `${name} is not published, so no lab can measure it.`;
    if (scale === 'paper') continue;
    if (pocket === null) return `The exhibit names no pocket family in the place of ${name}.`;
    if (!pocketFamilies.includes(pocket.family)) {
      return `The exhibit names the pocket family "${pocket.family}" in the place of ${name}, but there is no such family.`;
    }
  }
  return null;
}

function untrainedReason(
  exhibit: Exhibit,
  configuration: ExhibitConfiguration,
  request: Pick<ReproductionRequest, 'scale' | 'paper'>,
  inputs: Pick<PlanInputs, 'notTrainedReason'>,
): string | null {
  for (const group of trainingGroups(exhibit, configuration)) {
    const { name, families } = trainingMethodOf(group.method);
    if (group.models.length < families && sharesTrainingData(group.method)) {
      return `${name} trains at least two models together. Name the others as partners.`;
    }
    const needed = group.models.filter(({ id }) => configuration.models.includes(id));
    const isNamed = needed.every(({ id }) => namedCheckpoint(request, id, group) !== null);
    if (request.scale !== 'paper' || isNamed || trainerOf(request.paper) === 'own') continue;
    if (martiPreset(group.method) === null) {
      return `MARTI has no script for ${name}. Name checkpoints to measure it.`;
    }
    const why = inputs.notTrainedReason(group.method);
    if (why !== null) return why;
  }
  return null;
}

/** A pocket reward model is trained on pocket problems only. */
function noRewardModelReason(
  { search }: ExhibitConfiguration,
  scale: ReproductionRequest['scale'],
): string | null {
  return scale === 'paper' && search.rewardModel?.source.kind === 'pocket'
    ? "The paper's reward model is not published. Copy the exhibit and write the address of another one into it."
    : null;
}

function noLearningReason({ from, configuration }: DemandedPart): string | null {
  return from === 'learning' && configuration.method === 'base'
    ? 'Base models are not trained, so they have no learning curve.'
    : null;
}
