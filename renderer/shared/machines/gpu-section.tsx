import { SegmentedControl, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import type { MachineView } from '../../../preload/contract/machine';
import { gpuTiles, hasNoGpus } from '../../text/gpus';
import { Fields, FormError, FormNote } from '../../widgets/form';
import { type PickTile, PickTiles } from '../../widgets/pick-tiles';
import { Section } from '../../widgets/screen';
import { effectiveGpuMode, type GpuFields, type GpuMode } from './resource-fields';

const MODES: readonly GpuMode[] = ['none', 'any', 'these'];

/** GPU fields of a form. On Slurm, individual GPUs cannot be picked. */
export function GpuSection(props: {
  readonly fields: GpuFields;
  readonly machine: MachineView | null;
  readonly pickLabel: string;
  readonly error: string | undefined;
  readonly onChange: (part: Partial<GpuFields>) => void;
  /** Of the number of GPUs, when they are not picked. */
  readonly countLabel: string;
  /** More fields beside the number. */
  readonly children?: ReactNode;
  /** Before the number of free GPUs. */
  readonly note?: string;
}) {
  const { machine, onChange } = props;
  const isSlurm = machine?.spec.kind === 'slurm';
  const tiles = gpuTiles(machine);
  const mode = effectiveGpuMode(props.fields.gpuMode, isSlurm);
  return (
    <Section
      title="GPUs"
      aside={
        <SegmentedControl
          aria-label="GPUs"
          value={mode}
          onChange={(value) => onChange({ gpuMode: MODES.find((option) => option === value) ?? 'none' })}
          data={[
            { value: 'none', label: 'None' },
            { value: 'any', label: isSlurm ? 'Slurm chooses' : 'Free GPUs' },
            ...(isSlurm ? [] : [{ value: 'these', label: 'Pick', disabled: tiles.length === 0 }]),
          ]}
        />
      }
    >
      {mode === 'any' && (
        <>
          <Fields>
            <TextInput
              label={props.countLabel}
              inputMode="numeric"
              error={props.error}
              value={props.fields.gpus}
              onChange={(event) => onChange({ gpus: event.currentTarget.value })}
            />
            {props.children}
          </Fields>
          {!isSlurm && <FormNote>{[props.note, freeGpusText(machine, tiles)].join(' ').trim()}</FormNote>}
        </>
      )}
      {mode === 'these' && (
        <>
          <PickTiles
            label={props.pickLabel}
            tiles={tiles}
            picked={props.fields.gpuIds}
            onChange={(gpuIds) => onChange({ gpuIds })}
          />
          <FormError text={props.error} />
        </>
      )}
    </Section>
  );
}

/** "Free now: 2 of 8." */
export function freeGpusText(machine: MachineView | null, tiles: readonly PickTile[]): string {
  if (hasNoGpus(machine)) return 'This machine has no GPU.';
  if (tiles.length === 0) return 'The GPUs of this machine are not known yet.';
  const free = tiles.filter(({ tone }) => tone === 'free').length;
  return `Free now: ${free} of ${tiles.length}.`;
}
