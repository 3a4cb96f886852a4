import { useState } from 'react';
import type { TrainingMethod } from '../../preload/contract/learning';
import {
  changedFields,
  MODEL_FIELD_GROUPS,
  modelSettings,
  type OwnTrainer,
  POCKET_FIELD_GROUPS,
  pocketSettings,
  TRAINING_METHODS,
  type TrainingFieldGroup,
  type TrainingTexts,
  trainingMethodOf,
} from '../../preload/contract/plans/index';
import { Disclosure, ExplainedSelect, plural, Section, SettingsGrid } from '../widgets/index';
import type { FormSectionProps } from './form-errors';
import styles from './new-training.module.css';

type GroupId = TrainingFieldGroup['id'];

/** The fields of an own training, as entered. */
export type LearningFieldProps = {
  readonly trainer: OwnTrainer;
  readonly texts: TrainingTexts;
  readonly defaults: TrainingTexts;
  readonly errorAt: FormSectionProps['errorAt'];
  readonly onTexts: (texts: TrainingTexts) => void;
};

const GROUPS = { pocket: POCKET_FIELD_GROUPS, model: MODEL_FIELD_GROUPS } as const;
const SETTINGS = { pocket: pocketSettings, model: modelSettings } as const;
const OBJECTIVE: readonly GroupId[] = ['shaping', 'advantage', 'loss', 'kl', 'overlong', 'filter'];

const METHODS = TRAINING_METHODS.map(({ id, name, line, isControl }) => ({
  value: id,
  label: name,
  line,
  mark: isControl ? 'control' : '',
}));

/** Selects how the agents learn. */
export function MethodSelect(props: {
  readonly method: TrainingMethod;
  readonly onChange: (method: TrainingMethod) => void;
}) {
  const { isControl, line } = trainingMethodOf(props.method);
  return (
    <div className={styles.choice}>
      <ExplainedSelect
        label="Training method"
        value={props.method}
        options={METHODS}
        onChange={props.onChange}
      />
      {isControl && <span className={styles.control}>control</span>}
      <span className={styles.line}>{line}</span>
    </div>
  );
}

/** A group of the table of fields; `title`: instead of its own. */
export function GroupSection(
  props: LearningFieldProps & { readonly group: GroupId; readonly title?: string },
) {
  const group = GROUPS[props.trainer].find(({ id }) => id === props.group);
  if (group === undefined) return null;
  return (
    <Section title={props.title ?? group.title}>
      <GroupFields {...props} />
    </Section>
  );
}

/** Reward, advantage and loss settings, collapsed: the defaults are the papers'. */
export function ObjectiveSection(props: LearningFieldProps) {
  const { trainer, texts, defaults, errorAt } = props;
  const [open, setOpen] = useState(false);
  const groups = GROUPS[trainer].filter(({ id }) => OBJECTIVE.includes(id));
  const ids = new Set(groups.flatMap(({ fields }) => fields.map(({ id }) => id)));
  const changed = changedFields(texts, defaults).filter((id) => ids.has(id));
  const hasError = [...ids].some((id) => errorAt(id) !== undefined);
  return (
    <Section title="Objective">
      <Disclosure
        label={open ? 'Collapse' : 'Reward shaping, advantage, loss, KL, penalty, filter'}
        note={changed.length === 0 ? 'as in the papers' : `${plural(changed.length, 'setting')} changed`}
        open={open || hasError}
        onToggle={() => setOpen(!open)}
      >
        {groups.map(({ id, title, formula }) => (
          <section key={id} className={styles.group} aria-label={title}>
            <div className={styles.groupHead}>
              <h3>{title}</h3>
              <code className={styles.formula}>{formula}</code>
            </div>
            <GroupFields {...props} group={id} />
          </section>
        ))}
      </Disclosure>
    </Section>
  );
}

/** The fields of a group alone. */
export function GroupFields(props: LearningFieldProps & { readonly group: GroupId }) {
  const { trainer, texts, defaults, errorAt, onTexts, group } = props;
  return (
    <SettingsGrid
      settings={SETTINGS[trainer](group)}
      textOf={(id) => texts[id] ?? ''}
      defaultOf={(id) => defaults[id] ?? ''}
      errorAt={errorAt}
      onChange={(id, text) => onTexts({ ...texts, [id]: text })}
    />
  );
}
