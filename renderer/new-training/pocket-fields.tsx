import { TextInput } from '@mantine/core';
import { useState } from 'react';
import {
  changedFields,
  POCKET_FIELD_GROUPS,
  pocketSettings,
  TRAINING_FAMILIES,
  TRAINING_METHODS,
  type TrainingFieldGroup,
  trainingMethodOf,
} from '../../preload/contract/plans/index';
import { ScaleTag, TeamPicker } from '../shared/studies/index';
import {
  Disclosure,
  ExplainedSelect,
  Fields,
  plural,
  Section,
  SettingField,
  SettingsGrid,
} from '../widgets/index';
import type { FormSectionProps } from './form-errors';
import styles from './new-training.module.css';
import { DEFAULT_TEXTS, type PocketDraft, pocketName } from './pocket-draft';

const METHODS = TRAINING_METHODS.map(({ id, name, line, isControl }) => ({
  value: id,
  label: name,
  line,
  mark: isControl ? 'control' : '',
}));
const FAMILIES = TRAINING_FAMILIES.map(({ id, line }) => ({ value: id, label: id, line }));
const PLAIN_GROUPS = ['size', 'evaluation'];
const OBJECTIVE = POCKET_FIELD_GROUPS.filter(({ id }) => !PLAIN_GROUPS.includes(id));

/** The settings of a pocket training. */
export function PocketFields(props: FormSectionProps) {
  const { draft, errorAt, onChange } = props;
  const { pocket } = draft;
  const method = trainingMethodOf(pocket.method);
  const edit = (part: Partial<PocketDraft>): void => onChange({ pocket: { ...pocket, ...part } });
  const learns = pocket.method !== 'base';
  const group = (id: TrainingFieldGroup['id']) =>
    POCKET_FIELD_GROUPS.filter((fieldGroup) => fieldGroup.id === id);
  return (
    <>
      <Section title="Method" aside={<ScaleTag scale="pocket" />}>
        <div className={styles.choice}>
          <ExplainedSelect
            label="Training method"
            value={pocket.method}
            options={METHODS}
            onChange={(next) => edit({ method: next })}
          />
          {method.isControl && <span className={styles.control}>control</span>}
          <span className={styles.line}>{method.line}</span>
        </div>
        <TeamPicker
          label="Agents, by family"
          options={FAMILIES}
          members={pocket.families}
          most={4}
          error={errorAt('families')}
          onChange={(families) => edit({ families })}
        />
      </Section>
      <Section title="Name and seed">
        <Fields>
          <TextInput
            label="Name"
            placeholder={pocketName(pocket)}
            autoComplete="off"
            error={errorAt('name')}
            value={draft.name}
            onChange={(event) => onChange({ name: event.currentTarget.value })}
          />
          <SettingField
            label="Seed"
            help="For pre-training, problems, search and sampling."
            value={pocket.seed}
            error={errorAt('seed')}
            onChange={(seed) => edit({ seed })}
          />
        </Fields>
      </Section>
      {learns &&
        group('size').map((fieldGroup) => (
          <Section key={fieldGroup.id} title={fieldGroup.title}>
            <GroupFields {...props} group={fieldGroup} />
          </Section>
        ))}
      {learns && <Objective {...props} />}
      {group('evaluation').map((fieldGroup) => (
        <Section key={fieldGroup.id} title={learns ? fieldGroup.title : 'Evaluation'}>
          <GroupFields {...props} group={fieldGroup} />
        </Section>
      ))}
    </>
  );
}

/** Reward, advantage and loss settings, collapsed: the defaults are the papers'. */
function Objective(props: FormSectionProps) {
  const { draft, errorAt } = props;
  const [open, setOpen] = useState(false);
  const changed = changedFields(draft.pocket.texts, DEFAULT_TEXTS).filter((id) =>
    id.startsWith('objective.'),
  );
  const hasError = OBJECTIVE.some(({ fields }) => fields.some(({ id }) => errorAt(id) !== undefined));
  return (
    <Section title="Objective">
      <Disclosure
        label={open ? 'Collapse' : 'Reward shaping, advantage, loss, KL, penalty, filter'}
        note={changed.length === 0 ? 'as in the papers' : `${plural(changed.length, 'setting')} changed`}
        open={open || hasError}
        onToggle={() => setOpen(!open)}
      >
        {OBJECTIVE.map((group) => (
          <section key={group.id} className={styles.group} aria-label={group.title}>
            <div className={styles.groupHead}>
              <h3>{group.title}</h3>
              <code className={styles.formula}>{group.formula}</code>
            </div>
            <GroupFields {...props} group={group} />
          </section>
        ))}
      </Disclosure>
    </Section>
  );
}

function GroupFields(props: FormSectionProps & { readonly group: TrainingFieldGroup }) {
  const { draft, errorAt, onChange, group } = props;
  const { pocket } = draft;
  return (
    <SettingsGrid
      settings={pocketSettings(group.id)}
      textOf={(id) => pocket.texts[id] ?? ''}
      defaultOf={(id) => DEFAULT_TEXTS[id] ?? ''}
      errorAt={errorAt}
      onChange={(id, text) => onChange({ pocket: { ...pocket, texts: { ...pocket.texts, [id]: text } } })}
    />
  );
}
