import { Checkbox, Textarea, TextInput } from '@mantine/core';
import type { MachineView } from '../../preload/contract/machine';
import {
  GpuSection,
  MachineSelect,
  PathInput,
  SlurmSection,
  useSlurmChoices,
} from '../shared/machines/index';
import { useProbe } from '../state/index';
import { machineSummary } from '../text/machines';
import { Fields, Section, VariableRows, WideField } from '../widgets/index';
import { type JobDraft, type JobField, jobName } from './job-draft';

type Part = {
  readonly draft: JobDraft;
  readonly machine: MachineView | null;
  readonly errorAt: (at: JobField) => string | undefined;
  readonly onChange: (part: Partial<JobDraft>) => void;
};

export function JobFields(props: Part & { readonly machines: readonly MachineView[] }) {
  const { draft, machine, errorAt, onChange } = props;
  useProbe(machine?.spec.id ?? null);
  return (
    <>
      <Section title="Job">
        <Fields>
          <MachineSelect
            value={machine === null ? null : draft.machineId}
            machines={props.machines.map(({ spec }) => spec)}
            description={machine === null ? undefined : machineSummary(machine)}
            error={errorAt('machine')}
            onChange={(machineId) => onChange({ machineId, gpuIds: [] })}
          />
          <TextInput
            label="Name"
            placeholder={jobName({ ...draft, name: '' }) || 'first line of the command'}
            autoComplete="off"
            error={errorAt('name')}
            value={draft.name}
            onChange={(event) => onChange({ name: event.currentTarget.value })}
          />
          <WideField mono>
            <Textarea
              size="xs"
              label="Command"
              placeholder="python train.py --config run.yaml"
              autosize
              minRows={2}
              maxRows={14}
              spellCheck={false}
              data-autofocus
              error={errorAt('commandLine')}
              value={draft.commandLine}
              onChange={(event) => onChange({ commandLine: event.currentTarget.value })}
            />
            {(draft.onePerLine || draft.commandLine.trim().includes('\n')) && (
              <Checkbox
                size="xs"
                mt={6}
                label="One job per line"
                description="On Slurm they form one job array. Lines that start with # are skipped."
                checked={draft.onePerLine}
                onChange={(event) => onChange({ onePerLine: event.currentTarget.checked })}
              />
            )}
          </WideField>
          <WideField mono>
            <Textarea
              size="xs"
              label="Set-up (runs first, with its own log)"
              placeholder="source ~/envs/marti/bin/activate"
              autosize
              minRows={1}
              maxRows={8}
              spellCheck={false}
              value={draft.setUp}
              onChange={(event) => onChange({ setUp: event.currentTarget.value })}
            />
          </WideField>
          <WideField mono>
            <PathInput
              machineId={machine?.spec.id ?? null}
              label="Folder"
              placeholder="the job's folder"
              error={errorAt('cwd')}
              value={draft.cwd}
              onChange={(cwd) => onChange({ cwd })}
            />
          </WideField>
        </Fields>
      </Section>
      <Section title="Environment">
        <VariableRows
          rows={draft.environment}
          error={errorAt('environment')}
          onChange={(environment) => onChange({ environment })}
        />
      </Section>
      <GpuFields {...props} />
      <SlurmFields {...props} />
      <Section title="Automatic retries">
        <Fields>
          <TextInput
            label="If lost (restart, kill)"
            inputMode="numeric"
            error={errorAt('retryLost')}
            rightSection="times"
            rightSectionWidth={48}
            value={draft.retryLost}
            onChange={(event) => onChange({ retryLost: event.currentTarget.value })}
          />
          <TextInput
            label="If failed (exit code ≠ 0)"
            inputMode="numeric"
            error={errorAt('retryFailed')}
            rightSection="times"
            rightSectionWidth={48}
            value={draft.retryFailed}
            onChange={(event) => onChange({ retryFailed: event.currentTarget.value })}
          />
        </Fields>
      </Section>
    </>
  );
}

function GpuFields({ draft, machine, errorAt, onChange }: Part) {
  return (
    <GpuSection
      fields={draft}
      machine={machine}
      pickLabel="Users are shown below each GPU"
      countLabel="How many"
      note="The job waits until enough GPUs are free."
      error={errorAt('gpus')}
      onChange={onChange}
    >
      {machine?.spec.kind !== 'slurm' && (
        <TextInput
          label="Free memory per GPU"
          placeholder="all"
          inputMode="decimal"
          rightSection="GiB"
          rightSectionWidth={38}
          error={errorAt('gpuMemory')}
          value={draft.gpuMemory}
          onChange={(event) => onChange({ gpuMemory: event.currentTarget.value })}
        />
      )}
    </GpuSection>
  );
}

function SlurmFields({ draft, machine, errorAt, onChange }: Part) {
  const choices = useSlurmChoices(machine);
  return (
    choices !== null && (
      <SlurmSection {...choices} fields={draft} hoursError={errorAt('hours')} onChange={onChange} />
    )
  );
}
