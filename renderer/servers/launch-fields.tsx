import { TextInput } from '@mantine/core';
import type { MachineView } from '../../preload/contract/machine';
import { LAUNCH_PRESETS, launchPresetOf } from '../../preload/contract/plans/index';
import { GpuSection, MachineSelect, PathInput } from '../shared/machines/index';
import { useProbe } from '../state/index';
import { machineSummary } from '../text/machines';
import { Fields, Section, Select, VariableRows, WideField } from '../widgets/index';
import { ENGINE_NAMES, ENGINES, engineFields, WEIGHTS_HINTS } from './engines';
import { type LaunchDraft, type LaunchField, modelName, withLaunchPreset } from './launch-draft';

type Part = {
  readonly draft: LaunchDraft;
  readonly machine: MachineView | null;
  readonly errorAt: (at: LaunchField) => string | undefined;
  readonly onChange: (part: Partial<LaunchDraft>) => void;
};
const NO_TRANSITION = { transitionProps: { duration: 0 } };
const MESSAGES_BELOW: ('label' | 'input' | 'error' | 'description')[] = [
  'label',
  'input',
  'error',
  'description',
];
const OTHER_MODEL = 'other';

const ENVIRONMENTS = [
  { value: 'path', label: 'PATH of the login shell', example: '' },
  { value: 'venv', label: 'virtual environment', example: '~/envs/vllm' },
  { value: 'conda', label: 'conda environment', example: 'vllm' },
  { value: 'module', label: 'modules', example: 'cuda/12.4 vllm' },
] as const;

/** All fields of a launch except its command. */
export function LaunchFields(props: Part & { readonly machines: readonly MachineView[] }) {
  const { draft, errorAt, onChange } = props;
  const has = engineFields(draft.engine);
  const usesGpus = draft.gpuMode !== 'none';
  const text = (
    field: 'extraArguments' | 'port' | 'replicas' | 'maxInFlight' | 'contextTokens' | 'memoryShare',
    label: string,
    more: { placeholder?: string; unit?: string; description?: string } = {},
  ) => (
    <TextInput
      label={label}
      autoComplete="off"
      spellCheck={false}
      inputWrapperOrder={MESSAGES_BELOW}
      placeholder={more.placeholder}
      description={more.description}
      {...(more.unit === undefined ? {} : { rightSection: more.unit, rightSectionWidth: 52 })}
      error={errorAt(field)}
      value={draft[field]}
      onChange={(event) => onChange({ [field]: event.currentTarget.value })}
    />
  );
  return (
    <>
      <ModelSection {...props} />
      <MachineSection {...props} />
      <GpuFields {...props} />
      <Section title="Serving">
        <Fields>
          {has.context &&
            text('contextTokens', 'Context', { placeholder: "the model's maximum", unit: 'tokens' })}
          {has.memoryShare && usesGpus && text('memoryShare', 'GPU memory share', { unit: '%' })}
          {text('replicas', 'Replicas', {
            description: usesGpus ? 'each on its own GPUs, behind one URL' : 'behind one URL',
          })}
          {text('port', 'Port', { placeholder: 'automatic' })}
          {text('maxInFlight', 'Maximum concurrent requests')}
          <WideField mono>
            {text('extraArguments', 'Extra arguments', { placeholder: has.example })}
          </WideField>
        </Fields>
      </Section>
      <Section title="Variables">
        <VariableRows
          rows={draft.environment}
          error={errorAt('environment')}
          onChange={(environment) => onChange({ environment })}
        />
      </Section>
    </>
  );
}

function ModelSection({ draft, machine, errorAt, onChange }: Part) {
  const preset = launchPresetOf(draft.weights);
  return (
    <Section title="Model">
      <Fields>
        <Select
          label="Preset"
          allowDeselect={false}
          comboboxProps={NO_TRANSITION}
          value={preset?.id ?? OTHER_MODEL}
          data={[
            ...LAUNCH_PRESETS.map(({ id, name }) => ({ value: id, label: name })),
            { value: OTHER_MODEL, label: 'Other model' },
          ]}
          onChange={(value) => {
            const chosen = LAUNCH_PRESETS.find(({ id }) => id === value);
            if (chosen !== undefined) onChange(withLaunchPreset(draft, chosen, machine));
            else if (preset !== null) onChange({ weights: '', model: '', name: '' });
          }}
        />
        <Select
          label="Engine"
          allowDeselect={false}
          comboboxProps={NO_TRANSITION}
          value={draft.engine}
          data={ENGINES.map((value) => ({ value, label: ENGINE_NAMES[value] }))}
          onChange={(value) => {
            const engine = ENGINES.find((engine) => engine === value);
            if (engine !== undefined) onChange({ engine });
          }}
        />
        <TextInput
          label="Name"
          placeholder={modelName(draft) || 'the model name'}
          autoComplete="off"
          error={errorAt('name')}
          value={draft.name}
          onChange={(event) => onChange({ name: event.currentTarget.value })}
        />
        <WideField mono>
          <PathInput
            machineId={draft.machineId}
            label="Weights"
            placeholder={WEIGHTS_HINTS[draft.engine]}
            error={errorAt('weights')}
            value={draft.weights}
            onChange={(weights) => onChange({ weights })}
          />
        </WideField>
        <WideField mono>
          <TextInput
            label="Model name in requests"
            placeholder={modelName({ ...draft, model: '' })}
            autoComplete="off"
            spellCheck={false}
            error={errorAt('model')}
            value={draft.model}
            onChange={(event) => onChange({ model: event.currentTarget.value })}
          />
        </WideField>
      </Fields>
    </Section>
  );
}

function MachineSection(props: Part & { readonly machines: readonly MachineView[] }) {
  const { draft, machines, machine, errorAt, onChange } = props;
  useProbe(machine?.spec.id ?? null);
  const environment = ENVIRONMENTS.find(({ value }) => value === draft.environmentKind);
  return (
    <Section title="Where">
      <Fields>
        <MachineSelect
          value={machine === null ? null : draft.machineId}
          machines={machines.map(({ spec }) => spec)}
          description={machine === null ? undefined : machineSummary(machine)}
          error={errorAt('machine')}
          onChange={(machineId) => onChange({ machineId, gpuIds: [] })}
        />
        <Select
          label="Environment"
          allowDeselect={false}
          comboboxProps={NO_TRANSITION}
          value={draft.environmentKind}
          data={ENVIRONMENTS.map(({ value, label }) => ({ value, label }))}
          onChange={(value) => {
            const chosen = ENVIRONMENTS.find((option) => option.value === value);
            if (chosen !== undefined) onChange({ environmentKind: chosen.value });
          }}
        />
        {draft.environmentKind !== 'path' && (
          <PathInput
            machineId={draft.machineId}
            label={environment?.label ?? ''}
            placeholder={environment?.example ?? ''}
            error={errorAt('environmentLocation')}
            value={draft.environmentLocation}
            onChange={(environmentLocation) => onChange({ environmentLocation })}
          />
        )}
      </Fields>
    </Section>
  );
}

function GpuFields({ draft, machine, errorAt, onChange }: Part) {
  return (
    <GpuSection
      fields={draft}
      machine={machine}
      pickLabel="For all replicas together; users are shown below each GPU"
      countLabel="GPUs per replica"
      error={errorAt('gpus')}
      onChange={onChange}
    />
  );
}
