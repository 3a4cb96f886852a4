import { ActionIcon, Menu, Tooltip } from '@mantine/core';
import {
  IconColumns2,
  IconEye,
  IconPlayerPauseFilled,
  IconPlayerPlayFilled,
  IconPlayerSkipBack,
  IconPlayerTrackNext,
  IconPlayerTrackPrev,
} from '@tabler/icons-react';
import { memo, type ReactNode } from 'react';
import { plural, Select, useStableCallback } from '../../widgets/index';
import classes from './replay.module.css';
import { type BestLine, Scrubber } from './scrubber';
import { answerAt } from './tree-at';
import { type Replay, SPEEDS, type Speed } from './use-replay';

export type OtherRun = { readonly id: string; readonly label: string };

/** Controls of the replay: slider, play, step, speed, and a second configuration for comparison. */
export function ReplayBar(props: {
  readonly replay: Replay;
  /** Of the tree and the second tree. */
  readonly lines: readonly BestLine[];
  readonly hindsight: boolean;
  readonly onHindsight: (on: boolean) => void;
  readonly onChoose: (index: number) => void;
  readonly others: readonly OtherRun[];
  readonly secondRunId: string | null;
  readonly onSecondRun: (runId: string | null) => void;
}) {
  const { replay, lines, hindsight, secondRunId } = props;
  const { moment, total, playing } = replay;
  const at = moment ?? total;
  const best = lines[0] === undefined ? null : answerAt(lines[0].changes, at);
  const where = moment === null ? `all ${plural(total, 'node')}` : `${moment} of ${plural(total, 'node')}`;
  const toStart = useStableCallback(() => replay.goTo(0));
  const back = useStableCallback(() => replay.stepBy(-1));
  const on = useStableCallback(() => replay.stepBy(1));
  const bestText = best === null ? 'no answer yet' : `best node ${best.index}, ${best.score.toFixed(2)}`;
  return (
    <section className={classes.bar} aria-label="Replay">
      <Scrubber
        moment={at}
        total={total}
        lines={lines}
        valueText={`${where}, ${bestText}`}
        onMove={replay.goTo}
      />
      <div className={classes.controls}>
        <Tool label="Go to start" icon={TO_START} onClick={toStart} disabled={total === 0} />
        <Tool label="One node back (,)" icon={BACK} onClick={back} disabled={at === 0} />
        <Tool
          label={playing ? 'Stop (Space)' : 'Play (Space)'}
          icon={playing ? STOP : PLAY}
          onClick={replay.togglePlay}
          disabled={total === 0}
        />
        <Tool label="One node forward (.)" icon={ON} onClick={on} disabled={moment === null} />
        <span className={classes.where}>
          <span title={newestText(at)}>
            <b>{at.toLocaleString('en')}</b> of {plural(total, 'node')}
          </span>
          {best !== null && (
            <button type="button" className={classes.best} onClick={() => props.onChoose(best.index)}>
              best #{best.index} <b>{best.score.toFixed(2)}</b>
            </button>
          )}
        </span>
        <ReplayChoices
          speed={replay.speed}
          onSpeed={replay.setSpeed}
          hindsight={hindsight}
          onHindsight={props.onHindsight}
          others={props.others}
          secondRunId={secondRunId}
          onSecondRun={props.onSecondRun}
        />
      </div>
    </section>
  );
}

/** How many there are is one more than the number of the newest. */
function newestText(nodes: number): string {
  return nodes === 0
    ? 'Nodes are numbered from 0'
    : `Nodes are numbered from 0: the newest is node ${nodes - 1}`;
}

type Choices = {
  readonly speed: Speed;
  readonly onSpeed: (speed: Speed) => void;
  readonly hindsight: boolean;
  readonly onHindsight: (on: boolean) => void;
  readonly others: readonly OtherRun[];
  readonly secondRunId: string | null;
  readonly onSecondRun: (runId: string | null) => void;
};

/** Memoised: a replay changes none of these. */
const ReplayChoices = memo(function ReplayChoices(props: Choices) {
  const { hindsight, secondRunId } = props;
  return (
    <>
      <Select
        aria-label="Speed"
        className={classes.speed ?? ''}
        w={66}
        rightSectionWidth={20}
        value={props.speed}
        allowDeselect={false}
        data={SPEEDS.map((speed) => ({ value: speed, label: `${speed}/s` }))}
        comboboxProps={{ position: 'top' }}
        onChange={(value) => props.onSpeed(SPEEDS.find((speed) => speed === value) ?? '4')}
      />
      <Tool
        label={
          hindsight
            ? 'Hide private verdicts, which were not known during the search'
            : 'Show private verdicts, which were not known during the search'
        }
        icon={<IconEye size={15} stroke={1.6} />}
        onClick={() => props.onHindsight(!hindsight)}
        pressed={hindsight}
      />
      <Menu position="top-end" withinPortal>
        <Menu.Target>
          <ActionIcon
            size={24}
            variant={secondRunId === null ? 'subtle' : 'light'}
            aria-label="Compare with another configuration"
            disabled={props.others.length === 0}
          >
            <IconColumns2 size={15} stroke={1.6} aria-hidden="true" />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>Same problem in another configuration</Menu.Label>
          {props.others.map(({ id, label }) => (
            <Menu.Item
              key={id}
              {...(id === secondRunId ? { 'aria-current': true } : {})}
              onClick={() => props.onSecondRun(id)}
            >
              {label}
            </Menu.Item>
          ))}
          {secondRunId !== null && (
            <>
              <Menu.Divider />
              <Menu.Item onClick={() => props.onSecondRun(null)}>Close comparison</Menu.Item>
            </>
          )}
        </Menu.Dropdown>
      </Menu>
    </>
  );
});

const TO_START = <IconPlayerSkipBack size={14} aria-hidden="true" />;
const BACK = <IconPlayerTrackPrev size={14} aria-hidden="true" />;
const PLAY = <IconPlayerPlayFilled size={14} aria-hidden="true" />;
const STOP = <IconPlayerPauseFilled size={14} aria-hidden="true" />;
const ON = <IconPlayerTrackNext size={14} aria-hidden="true" />;

const Tool = memo(function Tool(props: {
  readonly label: string;
  readonly icon: ReactNode;
  readonly onClick: () => void;
  readonly pressed?: boolean;
  readonly disabled?: boolean;
}) {
  return (
    <Tooltip label={props.label} multiline maw={220}>
      <ActionIcon
        size={24}
        variant={props.pressed === true ? 'light' : 'subtle'}
        aria-label={props.label}
        aria-pressed={props.pressed}
        disabled={props.disabled ?? false}
        onClick={props.onClick}
      >
        {props.icon}
      </ActionIcon>
    </Tooltip>
  );
});
