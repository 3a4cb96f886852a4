import { SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import {
  modelOfTexts,
  modelSettings,
  passRangeText,
  SAMPLING_SETTINGS,
  samplingOfTexts,
  samplingText,
} from '../../preload/contract/plans/index';
import type { Benchmark } from '../../preload/contract/problem';
import { PathInput } from '../shared/machines/index';
import { ScaleTag } from '../shared/studies/index';
import {
  Disclosure,
  Fields,
  FormNote,
  plural,
  Section,
  type Setting,
  SettingField,
  SettingsGrid,
} from '../widgets/index';
import type { FormSectionProps } from './form-errors';
import {
  GroupFields,
  GroupSection,
  type LearningFieldProps,
  MethodSelect,
  ObjectiveSection,
} from './learning-fields';
import { ModelAgents } from './model-agents';
import { DEFAULT_MODEL_TEXTS, type ModelDraft } from './model-draft';
import styles from './new-training.module.css';
import { ProblemFields } from './problem-fields';

type SamplingField = (typeof SAMPLING_SETTINGS)[number]['field'];

/** A learner writes with these; others are shown where a copied training has them. */
const LEARNER_SAMPLING: readonly SamplingField[] = ['temperature', 'topP', 'topK', 'maxTokens', 'thinking'];

function samplingSettings({ sampling }: ModelDraft): readonly Setting[] {
  return SAMPLING_SETTINGS.filter(
    ({ field }) => LEARNER_SAMPLING.includes(field) || sampling[field] !== undefined,
  ).map(({ field, label }) => ({ id: field, label, help: '', placeholder: 'as in training' }));
}

type ModelFieldProps = FormSectionProps & { readonly benchmarks: readonly Benchmark[] };

/** Method, models and what is trained of them. */
export function ModelMethodFields({ draft, errorAt, onChange }: FormSectionProps) {
  const { model } = draft;
  const edit = (part: Partial<ModelDraft>): void => onChange({ model: { ...model, ...part } });
  const learns = model.method !== 'base';
  return (
    <>
      <Section title="Method" aside={<ScaleTag scale="own" />}>
        <MethodSelect method={model.method} onChange={(method) => edit({ method })} />
        <ModelAgents
          machineId={draft.machineDraft.machineId}
          model={model}
          errorAt={errorAt}
          onChange={edit}
        />
      </Section>
      {learns && (
        <Section
          title="What is trained"
          aside={
            <SegmentedControl
              aria-label="What is trained"
              value={model.trains}
              data={[
                { value: 'adapters', label: 'Low-rank adapters' },
                { value: 'weights', label: 'All weights' },
              ]}
              onChange={(value) => edit({ trains: value === 'weights' ? 'weights' : 'adapters' })}
            />
          }
        >
          {model.trains === 'adapters' ? (
            <GroupFields {...tableOf(draft, errorAt, onChange)} group="adapter" />
          ) : (
            <FormNote>
              With a KL coefficient above 0, each learner also keeps a frozen copy of its model in memory.
            </FormNote>
          )}
        </Section>
      )}
    </>
  );
}

/** Problems, size, objective, evaluation and where it computes. */
export function ModelFields({ draft, errorAt, onChange, benchmarks }: ModelFieldProps) {
  const { model } = draft;
  const edit = (part: Partial<ModelDraft>): void => onChange({ model: { ...model, ...part } });
  const table = tableOf(draft, errorAt, onChange);
  const learns = model.method !== 'base';
  return (
    <>
      <Section title="Problems">
        <ProblemFields
          label="Benchmark"
          idsLabel="Problems"
          problems={model.problems}
          benchmarks={benchmarks}
          error={errorAt('benchmark')}
          onChange={(problems) => edit({ problems })}
        >
          <SettingField
            label="Seed"
            help="Of problems, search, sampling and adapters."
            value={model.seed}
            error={errorAt('seed')}
            onChange={(seed) => edit({ seed })}
          />
        </ProblemFields>
        {learns && <ProblemChoiceFields {...table} />}
      </Section>
      {learns && <GroupSection {...table} group="size" />}
      {learns && <ObjectiveSection {...table} />}
      <EvaluationSection {...{ draft, errorAt, onChange, benchmarks }} />
      <GroupSection {...table} group="writer" />
      <Section title="Where it computes">
        <Fields>
          <PathInput
            machineId={draft.machineDraft.machineId}
            className={styles.mono}
            label="Python"
            description="With torch, transformers and peft, on the machine."
            inputWrapperOrder={['label', 'input', 'error', 'description']}
            placeholder="/opt/envs/learner/bin/python3"
            error={errorAt('python')}
            value={model.python}
            onChange={(python) => edit({ python })}
          />
        </Fields>
        <div className={styles.more}>
          <GroupFields {...table} group="compute" />
        </div>
      </Section>
    </>
  );
}

/** Collapsed: a training on all problems needs none of it. */
function ProblemChoiceFields(table: LearningFieldProps) {
  const [open, setOpen] = useState(false);
  const read = modelOfTexts(table.texts);
  const hasError = modelSettings('choice').some(({ id }) => table.errorAt(id) !== undefined);
  const choose = read.ok ? read.value.problems.choose : undefined;
  const note =
    choose === undefined
      ? 'trains on all'
      : `Pass@1 from ${passRangeText(choose.from, choose.to)}, of at most ${plural(choose.measured, 'problem')}`;
  return (
    <div className={styles.more}>
      <Disclosure
        label="Only problems that are solved sometimes"
        note={note}
        open={open || hasError}
        onToggle={() => setOpen(!open)}
      >
        <FormNote>
          A problem that is never or always solved teaches nothing. Before training, each agent writes first
          attempts at the measured problems; it then trains only on those in the range.
        </FormNote>
        <GroupFields {...table} group="choice" />
      </Disclosure>
    </div>
  );
}

function EvaluationSection({ draft, errorAt, onChange, benchmarks }: ModelFieldProps) {
  const { model } = draft;
  const [open, setOpen] = useState(false);
  const edit = (part: Partial<ModelDraft>): void => onChange({ model: { ...model, ...part } });
  const note = samplingText(samplingOfTexts(model.sampling).sampling);
  const settings = samplingSettings(model);
  const hasError = settings.some(({ id }) => errorAt(`sampling.${id}`) !== undefined);
  return (
    <Section
      title={model.method === 'base' ? 'Evaluation' : 'Evaluation at the end'}
      aside={
        <SegmentedControl
          aria-label="Evaluated on"
          value={model.evaluateOn === null ? 'rest' : 'other'}
          data={[
            { value: 'rest', label: 'Rest of the benchmark' },
            { value: 'other', label: 'Another benchmark' },
          ]}
          onChange={(value) => edit({ evaluateOn: value === 'rest' ? null : { benchmarkId: null, ids: '' } })}
        />
      }
    >
      {model.evaluateOn === null ? (
        <FormNote>On problems of the benchmark that it does not train on, chosen by the seed.</FormNote>
      ) : (
        <ProblemFields
          label="Benchmark of the evaluation"
          idsLabel="Problems of the evaluation"
          problems={model.evaluateOn}
          benchmarks={benchmarks}
          error={errorAt('evaluation.benchmark')}
          onChange={(evaluateOn) => edit({ evaluateOn })}
        />
      )}
      <GroupFields {...tableOf(draft, errorAt, onChange)} group="evaluation" />
      <div className={styles.more}>
        <Disclosure
          label="How answers are drawn"
          note={note === '' ? 'as in training' : note}
          open={open || hasError}
          onToggle={() => setOpen(!open)}
        >
          <SettingsGrid
            settings={settings}
            textOf={(id) => samplingTextAt(model, id)}
            defaultOf={() => ''}
            errorAt={(id) => errorAt(`sampling.${id}`)}
            onChange={(id, text) => edit({ sampling: { ...model.sampling, [id]: text } })}
          />
        </Disclosure>
      </div>
    </Section>
  );
}

function samplingTextAt({ sampling }: ModelDraft, id: string): string {
  const setting = SAMPLING_SETTINGS.find(({ field }) => field === id);
  return setting === undefined ? '' : (sampling[setting.field] ?? '');
}

function tableOf(
  draft: FormSectionProps['draft'],
  errorAt: FormSectionProps['errorAt'],
  onChange: FormSectionProps['onChange'],
): LearningFieldProps {
  return {
    trainer: 'model',
    texts: draft.model.texts,
    defaults: DEFAULT_MODEL_TEXTS,
    errorAt,
    onTexts: (texts) => onChange({ model: { ...draft.model, texts } }),
  };
}
