import { SegmentedControl, Textarea, TextInput } from '@mantine/core';
import type { MachineView } from '../../preload/contract/machine';
import { DEFAULT_RESTARTS } from '../../preload/contract/plans/index';
import type { Recipe } from '../../preload/contract/recipe';
import {
  freeGpusText,
  GpuSection,
  MachineSelect,
  SlurmSection,
  useSlurmChoices,
} from '../shared/machines/index';
import { useProbe } from '../state/index';
import { gpuTiles } from '../text/gpus';
import { machineSummary } from '../text/machines';
import { Fields, FormError, FormNote, PickTiles, Section, VariableRows, WideField } from '../widgets/index';
import type { FormSectionProps } from './form-errors';
import type { MachineDraft } from './machine-draft';

type MachineFieldProps = FormSectionProps & { readonly machine: MachineView | null };

/** Machine and name of the training. */
export function MachineSection(
  props: MachineFieldProps & { readonly machines: readonly MachineView[]; readonly usualName: string },
) {
  const { draft, machine, machines, usualName, errorAt, onChange } = props;
  useProbe(machine?.spec.id ?? null);
  return (
    <Section title="Where">
      <Fields>
        <MachineSelect
          value={machine === null ? null : draft.machineDraft.machineId}
          machines={machines.map(({ spec }) => spec)}
          description={machine === null ? undefined : machineSummary(machine)}
          error={errorAt('machine')}
          onChange={(machineId) =>
            onChange({ machineDraft: { ...draft.machineDraft, machineId, gpuIds: [] } })
          }
        />
        <TextInput
          label="Name"
          placeholder={usualName}
          autoComplete="off"
          error={errorAt('name')}
          value={draft.name}
          onChange={(event) => onChange({ name: event.currentTarget.value })}
        />
        <TextInput
          label="Restarts by itself, at most"
          description="After a preemption, a time limit or a crash, each time from a newer checkpoint"
          inputWrapperOrder={['label', 'input', 'error', 'description']}
          placeholder={String(DEFAULT_RESTARTS)}
          inputMode="numeric"
          autoComplete="off"
          error={errorAt('restarts')}
          value={draft.restarts}
          onChange={(event) => onChange({ restarts: event.currentTarget.value })}
        />
      </Fields>
    </Section>
  );
}

/** GPUs, Slurm, set-up and environment. `recipe`: the selected one. */
export function ResourceFields(props: MachineFieldProps & { readonly recipe: Recipe | null }) {
  const { draft, machine, recipe, errorAt, onChange } = props;
  const { machineDraft } = draft;
  const slurm = useSlurmChoices(machine);
  const edit = (part: Partial<MachineDraft>): void =>
    onChange({ machineDraft: { ...machineDraft, ...part } });
  return (
    <>
      {(draft.kind === 'marti' || draft.kind === 'model') && <PlannedGpus {...props} />}
      {draft.kind === 'recipe' && (recipe?.gpus ?? null) !== null && <PlannedGpus {...props} />}
      {draft.kind === 'recipe' && (recipe?.gpus ?? null) === null && (
        <GpuSection
          fields={machineDraft}
          machine={machine}
          pickLabel="GPUs to use"
          countLabel="How many"
          error={errorAt('gpus')}
          onChange={edit}
        />
      )}
      {slurm !== null && (
        <SlurmSection {...slurm} fields={machineDraft} hoursError={errorAt('hours')} onChange={edit} />
      )}
      <Section title="Set-up and environment">
        <Fields>
          <WideField mono>
            <Textarea
              size="xs"
              label="Set-up, runs before the training with its own log"
              placeholder="source ~/envs/marti/bin/activate"
              autosize
              minRows={1}
              maxRows={8}
              spellCheck={false}
              value={machineDraft.setUp}
              onChange={(event) => edit({ setUp: event.currentTarget.value })}
            />
          </WideField>
        </Fields>
        <div style={{ marginTop: 8 }}>
          <VariableRows
            rows={machineDraft.environment}
            error={errorAt('environment')}
            onChange={(environment) => edit({ environment })}
          />
        </div>
      </Section>
    </>
  );
}

/** The other settings determine how many GPUs are needed; here the user can choose which. */
function PlannedGpus({ draft, machine, errorAt, onChange }: MachineFieldProps) {
  const { machineDraft } = draft;
  const tiles = gpuTiles(machine);
  const isPicked = machineDraft.gpuMode === 'these' && machine?.spec.kind !== 'slurm';
  const edit = (part: Partial<MachineDraft>): void =>
    onChange({ machineDraft: { ...machineDraft, ...part } });
  return (
    <Section
      title="GPUs"
      aside={
        <SegmentedControl
          aria-label="GPUs"
          value={isPicked ? 'these' : 'none'}
          onChange={(value) => edit({ gpuMode: value === 'these' ? 'these' : 'none' })}
          data={[
            { value: 'none', label: 'As needed' },
            ...(machine?.spec.kind === 'slurm'
              ? []
              : [{ value: 'these', label: 'Choose', disabled: tiles.length === 0 }]),
          ]}
        />
      }
    >
      {isPicked ? (
        <>
          <PickTiles
            label="GPUs to use"
            tiles={tiles}
            picked={machineDraft.gpuIds}
            onChange={(gpuIds) => edit({ gpuIds })}
          />
          <FormError text={errorAt('gpus')} />
        </>
      ) : (
        <FormNote>
          {draft.kind === 'model'
            ? 'One for each process of a learner that computes on GPUs; see the plan.'
            : `The settings ${draft.kind === 'recipe' ? 'above' : 'below'} determine how many; see the plan.`}{' '}
          {freeGpusText(machine, tiles)}
        </FormNote>
      )}
    </Section>
  );
}
