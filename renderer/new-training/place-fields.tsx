import { SegmentedControl, Textarea, TextInput } from '@mantine/core';
import type { MachineView } from '../../preload/contract/machine';
import { gpuTiles, machineLine, useFreshLook, useSlurmChoices } from '../state/index';
import {
  Fields,
  FormFault,
  FormNote,
  freeNow,
  GpuSection,
  MachineSelect,
  PickTiles,
  Section,
  SlurmSection,
  VariableRows,
  WideField,
} from '../widgets/index';
import type { FormPart } from './part';
import type { PlaceDraft } from './place-draft';

type PlacePart = FormPart & { readonly machine: MachineView | null };

/** The machine of a trainer, and what the training is called. */
export function MachineFields(
  props: PlacePart & { readonly machines: readonly MachineView[]; readonly usualName: string },
) {
  const { draft, machine, machines, usualName, faultAt, onChange } = props;
  useFreshLook(machine?.spec.id ?? null);
  return (
    <Section title="Where">
      <Fields>
        <MachineSelect
          value={machine === null ? null : draft.place.machineId}
          machines={machines.map(({ spec }) => spec)}
          line={machine === null ? undefined : machineLine(machine)}
          fault={faultAt('machine')}
          onChange={(machineId) => onChange({ place: { ...draft.place, machineId, gpuIds: [] } })}
        />
        <TextInput
          label="Name"
          placeholder={usualName}
          autoComplete="off"
          error={faultAt('name')}
          value={draft.name}
          onChange={(event) => onChange({ name: event.currentTarget.value })}
        />
      </Fields>
    </Section>
  );
}

/** GPUs, Slurm, set-up and environment. */
export function PlaceFields(props: PlacePart) {
  const { draft, machine, faultAt, onChange } = props;
  const { place } = draft;
  const slurm = useSlurmChoices(machine);
  const edit = (part: Partial<PlaceDraft>): void => onChange({ place: { ...place, ...part } });
  const tiles = gpuTiles(machine);
  return (
    <>
      {draft.kind === 'marti' ? (
        <PresetGpus {...props} />
      ) : (
        <GpuSection
          wish={place}
          isSlurm={slurm !== null}
          tiles={tiles}
          pickLabel="Who uses them stands below each"
          fault={faultAt('gpus')}
          onChange={edit}
        >
          <Fields>
            <TextInput
              label="How many"
              inputMode="numeric"
              error={faultAt('gpus')}
              value={place.gpus}
              onChange={(event) => edit({ gpus: event.currentTarget.value })}
            />
          </Fields>
          {slurm === null && <FormNote>{tiles.length === 0 ? '' : freeNow(tiles)}</FormNote>}
        </GpuSection>
      )}
      {slurm !== null && (
        <SlurmSection {...slurm} wish={place} hoursFault={faultAt('hours')} onChange={edit} />
      )}
      <Section title="Set-up and environment">
        <Fields>
          <WideField mono>
            <Textarea
              size="xs"
              label="Set-up before it, with a log of its own"
              placeholder="source ~/envs/marti/bin/activate"
              autosize
              minRows={1}
              maxRows={8}
              spellCheck={false}
              value={place.setUp}
              onChange={(event) => edit({ setUp: event.currentTarget.value })}
            />
          </WideField>
        </Fields>
        <div style={{ marginTop: 8 }}>
          <VariableRows
            rows={place.environment}
            fault={faultAt('environment')}
            onChange={(environment) => edit({ environment })}
          />
        </div>
      </Section>
    </>
  );
}

/** A preset of MARTI says how many GPUs it needs; which they are can be said here. */
function PresetGpus({ draft, machine, faultAt, onChange }: PlacePart) {
  const { place } = draft;
  const tiles = gpuTiles(machine);
  const isPicked = place.gpuWish === 'these' && machine?.spec.kind !== 'slurm';
  const edit = (part: Partial<PlaceDraft>): void => onChange({ place: { ...place, ...part } });
  return (
    <Section
      title="GPUs"
      aside={
        <SegmentedControl
          aria-label="GPUs"
          value={isPicked ? 'these' : 'none'}
          onChange={(value) => edit({ gpuWish: value === 'these' ? 'these' : 'none' })}
          data={[
            { value: 'none', label: 'As many as it needs' },
            ...(machine?.spec.kind === 'slurm'
              ? []
              : [{ value: 'these', label: 'These', disabled: tiles.length === 0 }]),
          ]}
        />
      }
    >
      {isPicked ? (
        <>
          <PickTiles
            label="Who uses them stands below each"
            tiles={tiles}
            picked={place.gpuIds}
            onChange={(gpuIds) => edit({ gpuIds })}
          />
          <FormFault text={faultAt('gpus')} />
        </>
      ) : (
        <FormNote>
          The settings below say how many; the plan beside counts them. {tiles.length > 0 && freeNow(tiles)}
        </FormNote>
      )}
    </Section>
  );
}
