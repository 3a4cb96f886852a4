import { TRAINING_FAMILIES } from '../../preload/contract/plans/index';
import { ScaleTag, TeamPicker } from '../shared/studies/index';
import { Fields, Section, SettingField } from '../widgets/index';
import type { FormSectionProps } from './form-errors';
import { GroupSection, type LearningFieldProps, MethodSelect, ObjectiveSection } from './learning-fields';
import { DEFAULT_TEXTS, type PocketDraft } from './pocket-draft';

const FAMILIES = TRAINING_FAMILIES.map(({ id, line }) => ({ value: id, label: id, line }));

/** Method, agents and seed of a pocket training. */
export function PocketMethodFields({ draft, errorAt, onChange }: FormSectionProps) {
  const { pocket } = draft;
  const edit = (part: Partial<PocketDraft>): void => onChange({ pocket: { ...pocket, ...part } });
  return (
    <Section title="Method" aside={<ScaleTag scale="pocket" />}>
      <MethodSelect method={pocket.method} onChange={(method) => edit({ method })} />
      <TeamPicker
        label="Agents, by family"
        options={FAMILIES}
        members={pocket.families}
        most={4}
        error={errorAt('families')}
        onChange={(families) => edit({ families })}
      />
      <Fields>
        <SettingField
          label="Seed"
          help="For pre-training, problems, search and sampling."
          value={pocket.seed}
          error={errorAt('seed')}
          onChange={(seed) => edit({ seed })}
        />
      </Fields>
    </Section>
  );
}

/** The other settings of a pocket training. */
export function PocketFields({ draft, errorAt, onChange }: FormSectionProps) {
  const { pocket } = draft;
  const learns = pocket.method !== 'base';
  const table: LearningFieldProps = {
    trainer: 'pocket',
    texts: pocket.texts,
    defaults: DEFAULT_TEXTS,
    errorAt,
    onTexts: (texts) => onChange({ pocket: { ...pocket, texts } }),
  };
  return (
    <>
      {learns && <GroupSection {...table} group="size" />}
      {learns && <ObjectiveSection {...table} />}
      <GroupSection {...table} group="evaluation" {...(learns ? {} : { title: 'Evaluation' })} />
    </>
  );
}
