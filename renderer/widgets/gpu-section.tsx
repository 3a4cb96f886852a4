import { SegmentedControl } from '@mantine/core';
import type { ReactNode } from 'react';
import { FormFault } from './form';
import { type PickTile, PickTiles } from './pick-tiles';
import { type GpuChoice, type GpuWish, gpuWishThere } from './resource-wish';
import { Section } from './screen';

const WISHES: readonly GpuWish[] = ['none', 'any', 'these'];

/** Which GPUs something is to have. Slurm chooses by itself, so that single ones can not be picked there. */
export function GpuSection(props: {
  readonly wish: GpuChoice;
  readonly isSlurm: boolean;
  readonly tiles: readonly PickTile[];
  readonly pickLabel: string;
  readonly fault: string | undefined;
  readonly onChange: (part: Partial<GpuChoice>) => void;
  /** What is asked where they are not picked: how many, how much of each. */
  readonly children: ReactNode;
}) {
  const { isSlurm, tiles, onChange } = props;
  const wish = gpuWishThere(props.wish.gpuWish, isSlurm);
  return (
    <Section
      title="GPUs"
      aside={
        <SegmentedControl
          aria-label="GPUs"
          value={wish}
          onChange={(value) => onChange({ gpuWish: WISHES.find((one) => one === value) ?? 'none' })}
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
            picked={props.wish.gpuIds}
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
