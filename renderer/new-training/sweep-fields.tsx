import { ActionIcon } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import type { ExperimentRequest } from '../../preload/contract/experiment';
import {
  experimentEvaluation,
  type OwnTrainer,
  SWEEP_FIELDS,
  type TrainingField,
} from '../../preload/contract/plans/index';
import type { TrainingPlan } from '../../preload/contract/training';
import {
  count,
  Fields,
  FormError,
  FormNote,
  plural,
  roughDuration,
  Section,
  Select,
  SettingField,
} from '../widgets/index';
import type { FormSectionProps } from './form-errors';
import styles from './new-training.module.css';
import { type SweepDraft, sweepField } from './sweep-draft';

/** Values and seeds with which the training is repeated, as an experiment that compares them. */
export function SweepSection(
  props: FormSectionProps & { readonly trainer: OwnTrainer; readonly seed: string },
) {
  const { draft, errorAt, onChange, trainer, seed } = props;
  const { sweep } = draft;
  const edit = (part: Partial<SweepDraft>): void => onChange({ sweep: { ...sweep, ...part } });
  const fields = SWEEP_FIELDS[trainer];
  const others = fields.filter(({ id }) => !sweep.fields.some((swept) => swept.id === id));
  return (
    <Section title="Several values and seeds">
      <FormNote>
        Empty: it trains once. Otherwise an experiment trains every combination with every seed, and compares
        them with intervals over seeds and problems.
      </FormNote>
      <div className={styles.sweep}>
        {sweep.fields.map(({ id, values }) => {
          const field = fields.find((known) => known.id === id);
          const label = field?.label ?? id;
          return (
            <div key={id} className={styles.sweepField}>
              <SettingField
                label={`Values of: ${label}`}
                help={valuesHelp(field)}
                value={values}
                error={errorAt(sweepField(id))}
                onChange={(text) =>
                  edit({ fields: sweep.fields.map((one) => (one.id === id ? { id, values: text } : one)) })
                }
              />
              <ActionIcon
                aria-label={`Do not vary: ${label}`}
                onClick={() => edit({ fields: sweep.fields.filter((one) => one.id !== id) })}
              >
                <IconX size={13} aria-hidden="true" />
              </ActionIcon>
            </div>
          );
        })}
      </div>
      <Fields>
        <Select
          label="Vary a setting"
          searchable
          placeholder="Choose"
          comboboxProps={{ transitionProps: { duration: 0 } }}
          value={null}
          data={others.map(({ id, label }) => ({ value: id, label }))}
          onChange={(id) => id !== null && edit({ fields: [...sweep.fields, { id, values: '' }] })}
        />
        <SettingField
          label="Seeds"
          help="Each combination is trained with each, e.g. 1-3."
          placeholder={seed}
          value={sweep.seeds}
          error={errorAt(sweepField('seeds'))}
          onChange={(seeds) => edit({ seeds })}
        />
      </Fields>
      <FormError text={errorAt('sweep')} />
    </Section>
  );
}

/** Words are typed as they are in the terminal. */
function valuesHelp(field: TrainingField | undefined): string {
  return field?.kind.kind === 'choice'
    ? `With commas between: ${field.kind.choices.map(({ value }) => value).join(', ')}`
    : 'Numbers with commas between.';
}

/** How many trainings there will be, and what they take. `plan`: of one of them. */
export function SweepCost(props: {
  readonly experiment: ExperimentRequest;
  readonly plan: TrainingPlan | null;
}) {
  const { experiment, plan } = props;
  const { rows, seeds } = experiment;
  const total = rows.length * seeds.length;
  const seconds = plan?.estimateSeconds ?? null;
  return (
    <Section title="All trainings">
      <p className={styles.total}>
        <b>{count(total)}</b> {total === 1 ? 'training' : 'trainings'}
      </p>
      <p className={styles.soft}>
        {plural(rows.length, 'row')} × {plural(seeds.length, 'seed')}, evaluated on{' '}
        {experimentEvaluation(experiment)}
      </p>
      {plan !== null && (
        <p className={styles.soft}>
          {seconds === null
            ? 'Time in all unknown until a similar training has run.'
            : `about ${roughDuration(total * seconds * 1_000)} of training in all, if each takes as long as one did so far`}
        </p>
      )}
      {plan !== null && plan.gpus > 0 && (
        <p className={styles.soft}>
          {plural(plan.gpus, 'GPU')} each; on a Slurm cluster they are one job array.
        </p>
      )}
      <p className={styles.soft}>Below: one of them.</p>
    </Section>
  );
}
