import { TextInput } from '@mantine/core';
import { TRAINING_FAMILIES } from '../../preload/contract/plans/index';
import { ScaleTag, TeamPicker } from '../shared/studies/index';
import { Fields, Section, SettingField } from '../widgets/index';
import type { FormSectionProps } from './form-errors';
import { GroupSection, type LearningFieldProps, MethodSelect, ObjectiveSection } from './learning-fields';
import { DEFAULT_TEXTS, type PocketDraft, pocketName } from './pocket-draft';

const FAMILIES = TRAINING_FAMILIES.map(({ id, line }) => ({ value: id, label: id, line }));

/** The settings of a pocket training. */
export function PocketFields(props: FormSectionProps) {
  const { draft, errorAt, onChange } = props;
  const { pocket } = draft;
  const edit = (part: Partial<PocketDraft>): void => onChange({ pocket: { ...pocket, ...part } });
  const learns = pocket.method !== 'base';
  const table: LearningFieldProps = {
    trainer: 'pocket',
    texts: pocket.texts,
    defaults: DEFAULT_TEXTS,
    errorAt,
    onTexts: (texts) => edit({ texts }),
  };
  return (
    <>
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
      {learns && <GroupSection {...table} group="size" />}
      {learns && <ObjectiveSection {...table} />}
      <GroupSection {...table} group="evaluation" {...(learns ? {} : { title: 'Evaluation' })} />
    </>
  );
}
