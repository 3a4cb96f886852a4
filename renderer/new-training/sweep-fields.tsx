import {
  experimentEvaluation,
  OWN_MEASURES_NOTE,
  queueText,
  SEED_SETTING,
  type Sweep,
} from '../../preload/contract/plans/index';
import type { Recipe } from '../../preload/contract/recipe';
import type { TrainingPlan } from '../../preload/contract/training';
import {
  count,
  FormError,
  FormNote,
  plural,
  roughDuration,
  Section,
  SettingField,
  ValueLists,
} from '../widgets/index';
import type { FormSectionProps } from './form-errors';
import styles from './new-training.module.css';
import { type SweepDraft, shownSweep, sweepField, sweepSettings } from './sweep-draft';

/** Values and seeds with which the training is repeated; of our own trainers as an experiment that compares them. */
export function SweepSection(props: FormSectionProps & { readonly recipe: Recipe | null }) {
  const { draft, errorAt, onChange, recipe } = props;
  const settings = sweepSettings(draft, recipe);
  const sweep = shownSweep(draft.sweep, settings);
  const hidden = draft.sweep.fields.filter((field) => !sweep.fields.includes(field));
  const edit = (part: Partial<SweepDraft>): void => onChange({ sweep: { ...draft.sweep, ...part } });
  const isOwn = draft.kind === 'pocket' || draft.kind === 'model';
  return (
    <Section title="Several values and seeds">
      <FormNote>
        {isOwn
          ? 'Empty: it trains once. Otherwise an experiment trains every combination with every seed, and compares them with intervals over seeds and problems.'
          : 'Empty: it trains once. Otherwise every combination is a training of its own, in a folder of its own below the output folder. No table compares them.'}
      </FormNote>
      <ValueLists
        settings={settings.filter(({ id }) => id !== SEED_SETTING)}
        lists={sweep.fields}
        errorAt={(id) => errorAt(sweepField(id))}
        onChange={(fields) => edit({ fields: [...hidden, ...fields] })}
      >
        <SettingField
          label="Seeds"
          help="Each combination is trained with each, e.g. 1-3."
          placeholder={isOwn ? draft[draft.kind].seed : ''}
          value={sweep.seeds}
          error={errorAt(sweepField('seeds'))}
          onChange={(seeds) => edit({ seeds })}
        />
      </ValueLists>
      <FormError text={errorAt('sweep')} />
    </Section>
  );
}

/** How many trainings a sweep is. */
export function trainingsOf(sweep: Sweep): number {
  if (sweep.kind === 'trainings') return sweep.trainings.length;
  return sweep.experiment.rows.length * sweep.experiment.seeds.length;
}

/** How many trainings there will be, and what they take. `plan`: of one of them. */
export function SweepCost(props: { readonly sweep: Sweep; readonly plan: TrainingPlan | null }) {
  const { sweep, plan } = props;
  const total = trainingsOf(sweep);
  const seconds = plan?.estimateSeconds ?? null;
  return (
    <Section title="All trainings">
      <p className={styles.total}>
        <b>{count(total)}</b> {total === 1 ? 'training' : 'trainings'}
      </p>
      <p className={styles.soft}>{sweep.kind === 'experiment' ? rowsText(sweep) : OWN_MEASURES_NOTE}</p>
      {plan !== null && (
        <p className={styles.soft}>
          {seconds === null
            ? 'Total time unknown until one like these has run.'
            : `about ${roughDuration(total * seconds * 1_000)} of training in all, if each takes as long as one did so far`}
        </p>
      )}
      {plan !== null && <Gpus sweep={sweep} gpus={plan.gpus} />}
      <p className={styles.soft}>Below: {sweep.kind === 'experiment' ? 'one' : 'the first'} of them.</p>
    </Section>
  );
}

function rowsText({ experiment }: Extract<Sweep, { kind: 'experiment' }>): string {
  const { rows, seeds } = experiment;
  return `${plural(rows.length, 'row')} × ${plural(seeds.length, 'seed')}, evaluated on ${experimentEvaluation(experiment)}`;
}

/** `gpus`: of one of them. */
function Gpus({ sweep, gpus }: { readonly sweep: Sweep; readonly gpus: number }) {
  if (sweep.kind === 'trainings') return <p className={styles.soft}>{queueText(gpus)}</p>;
  if (gpus === 0) return null;
  return (
    <p className={styles.soft}>
      {plural(gpus, 'GPU')} each, {count(gpus * trainingsOf(sweep))} if all run at once; on a Slurm cluster
      they are one job array.
    </p>
  );
}
