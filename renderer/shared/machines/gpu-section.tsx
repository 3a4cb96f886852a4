import { SegmentedControl } from '@mantine/core';
import type { ReactNode } from 'react';
import { FormError } from '../../widgets/form';
import { type PickTile, PickTiles } from '../../widgets/pick-tiles';
import { Section } from '../../widgets/screen';
import { effectiveGpuMode, type GpuFields, type GpuMode } from './resource-fields';

const MODES: readonly GpuMode[] = ['none', 'any', 'these'];

/** GPU fields of a form. On Slurm, individual GPUs cannot be picked. */
export function GpuSection(props: {
  readonly fields: GpuFields;
  readonly isSlurm: boolean;
  readonly tiles: readonly PickTile[];
  readonly pickLabel: string;
  readonly error: string | undefined;
  readonly onChange: (part: Partial<GpuFields>) => void;
  /** Fields shown when GPUs are not picked: count, memory. */
  readonly children: ReactNode;
}) {
  const { isSlurm, tiles, onChange } = props;
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
      {mode === 'any' && props.children}
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
export function freeGpusText(tiles: readonly PickTile[]): string {
  const free = tiles.filter(({ tone }) => tone === 'free').length;
  return `Free now: ${free} of ${tiles.length}.`;
}
