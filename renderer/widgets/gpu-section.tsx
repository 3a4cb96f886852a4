import { SegmentedControl } from '@mantine/core';
import type { ReactNode } from 'react';
import { FormFault } from './form';
import { type PickTile, PickTiles } from './pick-tiles';
import { Section } from './screen';

/** none: no GPU; any: so many, chosen when it starts; these: picked by eye. */
export type GpuWish = 'none' | 'any' | 'these';

type GpuChoice = { readonly gpuWish?: GpuWish; readonly gpuIds?: readonly string[] };

/** Which GPUs something is to have. Slurm chooses by itself, so that single ones can not be picked there. */
export function GpuSection(props: {
  readonly wish: GpuWish;
  readonly isSlurm: boolean;
  readonly tiles: readonly PickTile[];
  readonly picked: readonly string[];
  readonly pickLabel: string;
  readonly fault: string | undefined;
  readonly onChange: (part: GpuChoice) => void;
  /** What is asked where they are not picked: how many, how much of each. */
  readonly children: ReactNode;
}) {
  const { isSlurm, tiles, onChange } = props;
  const wish = isSlurm && props.wish === 'these' ? 'any' : props.wish;
  return (
    <Section
      title="GPUs"
      aside={
        <SegmentedControl
          aria-label="GPUs"
          value={wish}
          onChange={(value) =>
            onChange({ gpuWish: value === 'any' ? 'any' : value === 'these' ? 'these' : 'none' })
          }
          data={[
            { value: 'none', label: 'None' },
            { value: 'any', label: isSlurm ? 'As Slurm chooses' : 'Free ones' },
            ...(isSlurm ? [] : [{ value: 'these', label: 'These', disabled: tiles.length === 0 }]),
          ]}
        />
      }
    >
      {wish === 'any' && props.children}
      {wish === 'these' && (
        <>
          <PickTiles
            label={props.pickLabel}
            tiles={tiles}
            picked={props.picked}
            onChange={(gpuIds) => onChange({ gpuIds })}
          />
          <FormFault text={props.fault} />
        </>
      )}
    </Section>
  );
}

/** "Free now: 2 of 8." */
export function freeNow(tiles: readonly PickTile[]): string {
  const free = tiles.filter(({ tone }) => tone === 'free').length;
  return `Free now: ${free} of ${tiles.length}.`;
}
