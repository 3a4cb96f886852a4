import { ActionIcon, Tooltip } from '@mantine/core';
import { IconFocusCentered, IconInfoCircle, IconMaximize, IconMinus, IconPlus } from '@tabler/icons-react';
import { memo, type ReactNode } from 'react';
import type { TreeStage } from './tree-stage';

/** One press of + or -. */
export const ZOOM_STEP = 1.25;

/** Memoised: a growing tree does not change them. */
export const TreeTools = memo(function TreeTools(props: {
  stage: TreeStage | null;
  follow: boolean;
  onFollow: (on: boolean) => void;
  legend: boolean;
  onLegend: (on: boolean) => void;
}) {
  const { stage, follow, legend } = props;
  return (
    <>
      <Tool
        label="Follow the newest node"
        pressed={follow}
        onClick={() => props.onFollow(!follow)}
        icon={<IconFocusCentered size={16} stroke={1.6} />}
      />
      <Tool
        label="Zoom out (-)"
        onClick={() => stage?.zoomBy(1 / ZOOM_STEP)}
        icon={<IconMinus size={16} />}
      />
      <Tool label="Zoom in (+)" onClick={() => stage?.zoomBy(ZOOM_STEP)} icon={<IconPlus size={16} />} />
      <Tool
        label="Fit to pane (F)"
        onClick={() => stage?.fit()}
        icon={<IconMaximize size={15} stroke={1.6} />}
      />
      <Tool
        label="Legend"
        pressed={legend}
        onClick={() => props.onLegend(!legend)}
        icon={<IconInfoCircle size={16} stroke={1.6} />}
      />
    </>
  );
});

function Tool(props: { label: string; icon: ReactNode; onClick: () => void; pressed?: boolean }) {
  return (
    <Tooltip label={props.label}>
      <ActionIcon
        size={24}
        variant={props.pressed === true ? 'light' : 'subtle'}
        aria-label={props.label}
        aria-pressed={props.pressed}
        onClick={props.onClick}
      >
        {props.icon}
      </ActionIcon>
    </Tooltip>
  );
}
