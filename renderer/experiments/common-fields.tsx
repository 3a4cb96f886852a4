import { useState } from 'react';
import {
  changedFields,
  POCKET_FIELD_GROUPS,
  pocketSettings,
  type TrainingFieldGroup,
} from '../../preload/contract/plans/index';
import { Disclosure, plural, Section, SettingsGrid } from '../widgets/index';
import { baseTexts, type ExperimentDraft, type FieldId } from './experiment-draft';
import styles from './new-experiment.module.css';

type Part = {
  readonly draft: ExperimentDraft;
  readonly errorAt: (at: FieldId) => string | undefined;
  readonly onChange: (draft: ExperimentDraft) => void;
};

const SHOWN: readonly TrainingFieldGroup['id'][] = ['size', 'evaluation'];
const FOLDED = POCKET_FIELD_GROUPS.filter(({ id }) => !SHOWN.includes(id));

/** Settings that all rows share. */
export function CommonFields(props: Part) {
  const { draft, errorAt } = props;
  const [open, setOpen] = useState(false);
  const usual = baseTexts(draft);
  const changed = changedFields(draft.texts, usual).filter((id) => id.startsWith('objective.'));
  const hasError = FOLDED.some(({ fields }) => fields.some(({ id }) => errorAt(id) !== undefined));
  return (
    <>
      {POCKET_FIELD_GROUPS.filter(({ id }) => SHOWN.includes(id)).map(({ id, title }) => (
        <Section key={id} title={id === 'size' ? 'Size of every training' : title}>
          <FieldGroup {...props} id={id} usual={usual} />
        </Section>
      ))}
      <Section title="Objective of every training">
        <Disclosure
          label={open ? 'Collapse' : 'Reward shaping, advantage, loss, KL, penalty, filter'}
          note={changed.length === 0 ? 'as in the papers' : `${plural(changed.length, 'setting')} changed`}
          open={open || hasError}
          onToggle={() => setOpen(!open)}
        >
          {FOLDED.map(({ id, title, formula }) => (
            <section key={id} className={styles.group} aria-label={title}>
              <h3>
                {title} <code>{formula}</code>
              </h3>
              <FieldGroup {...props} id={id} usual={usual} />
            </section>
          ))}
        </Disclosure>
      </Section>
    </>
  );
}

function FieldGroup(
  props: Part & { readonly id: TrainingFieldGroup['id']; readonly usual: Readonly<Record<string, string>> },
) {
  const { draft, errorAt, onChange, id: group, usual } = props;
  return (
    <SettingsGrid
      settings={pocketSettings(group)}
      textOf={(id) => draft.texts[id] ?? ''}
      defaultOf={(id) => usual[id] ?? ''}
      errorAt={errorAt}
      onChange={(id, text) => onChange({ ...draft, texts: { ...draft.texts, [id]: text } })}
    />
  );
}
