import { TextInput } from '@mantine/core';
import { useState } from 'react';
import {
  changedFields,
  POCKET_FIELD_GROUPS,
  type PocketFieldGroup,
  pocketSettings,
  TRAINING_FAMILIES,
  TRAINING_METHODS,
  trainingMethodOf,
} from '../../preload/contract/plans/index';
import {
  Disclosure,
  ExplainedSelect,
  Fields,
  plural,
  ScaleTag,
  Section,
  SettingField,
  SettingsGrid,
  TeamPick,
} from '../widgets/index';
import styles from './new-training.module.css';
import type { FormPart } from './part';
import { type PocketDraft, pocketName, USUAL_TEXTS } from './pocket-draft';

const METHODS = TRAINING_METHODS.map(({ id, name, line, isControl }) => ({
  value: id,
  label: name,
  line,
  mark: isControl ? 'control' : '',
}));
const FAMILIES = TRAINING_FAMILIES.map(({ id, line }) => ({ value: id, label: id, line }));
const PLAIN_GROUPS = ['size', 'evaluation'];
const OBJECTIVE = POCKET_FIELD_GROUPS.filter(({ id }) => !PLAIN_GROUPS.includes(id));

/** All that can be said of a pocket training. */
export function PocketFields(props: FormPart) {
  const { draft, faultAt, onChange } = props;
  const { pocket } = draft;
  const method = trainingMethodOf(pocket.method);
  const edit = (part: Partial<PocketDraft>): void => onChange({ pocket: { ...pocket, ...part } });
  const learns = pocket.method !== 'base';
  const group = (id: PocketFieldGroup['id']) => POCKET_FIELD_GROUPS.filter((one) => one.id === id);
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
          {method.isControl && <span className={styles.control}>control of ours</span>}
          <span className={styles.line}>{method.line}</span>
        </div>
        <TeamPick
          label="Agents, each of a family"
          options={FAMILIES}
          members={pocket.families}
          most={4}
          fault={faultAt('families')}
          onChange={(families) => edit({ families })}
        />
      </Section>
      <Section title="Name and seed">
        <Fields>
          <TextInput
            label="Name"
            placeholder={pocketName(pocket)}
            autoComplete="off"
            error={faultAt('name')}
            value={draft.name}
            onChange={(event) => onChange({ name: event.currentTarget.value })}
          />
          <SettingField
            label="Seed"
            help="Of pre-training, problems, search and sampling."
            value={pocket.seed}
            fault={faultAt('seed')}
            onChange={(seed) => edit({ seed })}
          />
        </Fields>
      </Section>
      {learns &&
        group('size').map((one) => (
          <Section key={one.id} title={one.title}>
            <GroupFields {...props} group={one} />
          </Section>
        ))}
      {learns && <Objective {...props} />}
      {group('evaluation').map((one) => (
        <Section key={one.id} title={learns ? one.title : 'Evaluation'}>
          <GroupFields {...props} group={one} />
        </Section>
      ))}
    </>
  );
}

/** Reward, advantage and loss with every switch, folded away: the papers' are there already. */
function Objective(props: FormPart) {
  const { draft, faultAt } = props;
  const [open, setOpen] = useState(false);
  const changed = changedFields(draft.pocket.texts, USUAL_TEXTS).filter((id) => id.startsWith('objective.'));
  const isFaulty = OBJECTIVE.some(({ fields }) => fields.some(({ id }) => faultAt(id) !== undefined));
  return (
    <Section title="Objective">
      <Disclosure
        label={open ? 'Fold away' : 'Reward shaping, advantage, loss, KL, penalty, filter'}
        note={
          changed.length === 0
            ? 'as in the papers'
            : `${plural(changed.length, 'switch', 'switches')} changed`
        }
        open={open || isFaulty}
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

function GroupFields(props: FormPart & { readonly group: PocketFieldGroup }) {
  const { draft, faultAt, onChange, group } = props;
  const { pocket } = draft;
  return (
    <SettingsGrid
      settings={pocketSettings(group.id)}
      textOf={(id) => pocket.texts[id] ?? ''}
      usualOf={(id) => USUAL_TEXTS[id] ?? ''}
      faultAt={faultAt}
      onChange={(id, text) => onChange({ pocket: { ...pocket, texts: { ...pocket.texts, [id]: text } } })}
    />
  );
}
