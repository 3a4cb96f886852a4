import { fillingCautions } from '../../main/app/filling-cautions';
import { trainedLine } from '../../main/app/trained-line';
import { atHandExhibit } from '../../main/exhibits/logic/desk-exhibit';
import { fillExhibit } from '../../main/metrics';
import {
  type CellState,
  type Exhibit,
  type ExhibitEntry,
  type ExhibitFill,
  exhibitSchema,
  type FilledExhibit,
  type TrainingCurve,
  type TrainingView,
} from '../../preload/contract';
import { POCKET_SENTENCES } from '../../preload/contract/plans';
import { samplePocketTraining } from './sample-trainings';

const SEEDS = [11, 12, 13];
const DONE: CellState = { kind: 'done', reused: true };

/** Two methods, three seeds each. */
export const FIGURE_TRAININGS: readonly TrainingView[] = SEEDS.flatMap((seed) =>
  (['grpo', 'heter-mars2'] as const).map((method) => {
    const families = method === 'grpo' ? ['reader'] : ['reader', 'tracer'];
    const plain = samplePocketTraining({ method, families }, 60, seed);
    const latest = plain.latest.map((one) =>
      one.key === 'pass@1' ? { ...one, part: 'evaluation' as const } : one,
    );
    const { spec } = plain;
    // As is needed for a line.
    if (spec.kind !== 'pocket') throw new Error('The sample is a pocket training');
    return { ...plain, latest, spec: { ...spec, evaluation: { ...spec.evaluation, every: 50 } } };
  }),
);

/** A figure of a lab's own: a line of three seeds, and one of a single training. */
export const TRAINED_FIGURE: ExhibitEntry = {
  origin: 'own',
  digest: 'f1a2',
  exhibit: exhibitSchema.parse({
    ...{ version: 1, id: 'our-figure', paper: { title: 'Our next paper' }, place: 'Figure 2' },
    title: 'How the reader learns',
    models: [{ id: 'reader', name: 'Reader' }],
    configurations: [
      { id: 'together', label: 'Reader, with the tracer', models: ['reader'], method: 'heter-mars2' },
      { id: 'alone', label: 'Reader alone', models: ['reader'], method: 'grpo' },
    ],
    series: [
      {
        ...{ id: 'together', label: 'Reader, with the tracer', configuration: 'together' },
        curve: {
          ...{ kind: 'learning', model: 'reader', agent: 'reader' },
          training: SEEDS.map((seed) => `training-heter-mars2-${seed}`),
        },
      },
      {
        ...{ id: 'alone', label: 'Reader alone', configuration: 'alone' },
        curve: { kind: 'learning', model: 'reader', training: 'training-grpo-11' },
      },
    ],
    scales: {},
  }),
};

/** Made-up evaluations of an agent, every 50 updates. */
function curveOf({ spec }: TrainingView, agentId: string): TrainingCurve {
  const seed = spec.kind === 'pocket' ? spec.seed : 0;
  const top = spec.kind === 'pocket' && spec.method === 'grpo' ? 0.34 : 0.46;
  const steps = Array.from({ length: 7 }, (_, at) => at * 50);
  return {
    ...{ agentId, key: 'pass@1', part: 'evaluation', steps, samples: steps.map((step) => step * 128) },
    values: steps.map((step) => 0.12 + (top - 0.12) * (1 - Math.exp(-step / 90)) + (seed - 12) * 0.012),
    seconds: null,
  };
}

/** The lines with these made-up curves, as the workbench fills them. */
export function filledFigure(exhibit: Exhibit, lines: NonNullable<ExhibitFill['lines']>): FilledExhibit {
  const filled = lines.flatMap(({ seriesId, trainings }) => {
    const series = exhibit.series.find(({ id }) => id === seriesId);
    if (series === undefined || trainings.some((id) => FIGURE_TRAININGS.every((one) => one.id !== id)))
      return [];
    const named = FIGURE_TRAININGS.filter(({ id }) => trainings.includes(id)).map((view) => ({
      ...view,
      curves: view.agents.map(({ id }) => curveOf(view, id)),
    }));
    const line = trainedLine({ series, configurations: exhibit.configurations }, named);
    if (!line.ok) throw new Error(line.error);
    return [{ seriesId, ...line.value }];
  });
  const shown = atHandExhibit(
    exhibit,
    [],
    lines.map(({ seriesId }) => seriesId),
  );
  const result = fillExhibit({
    ...{ exhibit: shown, scale: 'own', reproductionId: null, runs: [], diversity: [], learning: filled },
    ...{ notComparable: new Map(), costs: new Map(), trainingIds: new Map() },
    states: new Map(
      lines.map(({ seriesId, trainings }) => [
        seriesId,
        filled.some((one) => one.seriesId === seriesId)
          ? DONE
          : { kind: 'missing', message: `There is no training "${trainings[0]}".` },
      ]),
    ),
  });
  const cautions = fillingCautions(shown, result, []);
  return {
    exhibit: shown,
    result: {
      ...result,
      ...{ cautions, complete: cautions.length === 0 },
      series: result.series.map((line) => {
        const atHand = filled.find(({ seriesId }) => seriesId === line.id)?.atHand;
        return atHand === undefined ? line : { ...line, atHand };
      }),
      sentences: [...POCKET_SENTENCES, ...cautions.map(({ text }) => text), ...result.sentences],
    },
  };
}
