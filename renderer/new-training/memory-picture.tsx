import { useState } from 'react';
import type { MemoryPart, PlanMemory } from '../../preload/contract/plan-memory';
import { MEMORY_PARTS } from '../../preload/contract/plans/index';
import { bytes } from '../widgets/index';
import { StackedBar, StackedPartMark } from '../widgets/stacked-bar';
import {
  barsOf,
  barText,
  colorOf,
  drawnParts,
  gigabytes,
  largestOf,
  type MemoryBar,
  memoryScale,
  ofDevice,
} from './memory-bars';
import styles from './memory-picture.module.css';

/** Memory of a plan: a bar for each agent and phase, all to one scale, and the numbers of the one that is pointed at. */
export function MemoryPicture({ memory }: { readonly memory: PlanMemory }) {
  const { device, deviceBytes, agents } = memory;
  const [chosenId, setChosenId] = useState<string | null>(null);
  const groups = agents.map(barsOf);
  const bars = groups.flat();
  const chosen = bars.find(({ id }) => id === chosenId) ?? largestOf(bars);
  if (chosen === undefined) return null;
  // Each agent has GPUs of its own; on processors they share a machine.
  const isShared = device === 'processor' && agents.length > 1;
  const totals = agents.map(({ total }) => total);
  const needed = isShared ? totals.reduce((all, bytes) => all + bytes, 0) : Math.max(...totals);
  const { end, limit } = memoryScale(needed, deviceBytes);
  return (
    <figure className={styles.picture} aria-label="Memory">
      <h3>Memory of {device === 'gpu' ? 'each GPU' : 'the machine'}</h3>
      {deviceBytes !== null && (
        <p className={styles.device}>
          {limit !== null && <b aria-hidden="true" />}
          {device === 'gpu' ? 'A GPU' : 'The machine'} has {bytes(deviceBytes)}
          {limit === null && ', far beyond the right edge'}
        </p>
      )}
      {isShared && <CombinedMemory {...{ groups, needed, deviceBytes, end, limit }} />}
      {groups.map((group) => (
        <div key={group[0]?.agent}>
          <h4>{group[0]?.agent}</h4>
          {group.map((bar) => (
            <button
              key={bar.id}
              type="button"
              className={styles.row}
              aria-pressed={bar === chosen}
              onPointerEnter={() => setChosenId(bar.id)}
              onFocus={() => setChosenId(bar.id)}
              onClick={() => setChosenId(bar.id)}
            >
              <span>{bar.phase}</span>
              <Total size={bar.sum} deviceBytes={deviceBytes} isKnown={bar.isSumKnown} />
              <StackedBar
                label={barText(bar, deviceBytes)}
                parts={drawnParts(bar)}
                end={end}
                limit={isShared ? null : limit}
              />
            </button>
          ))}
        </div>
      ))}
      <Numbers bar={chosen} all={bars} />
    </figure>
  );
}

/** The sum of all agents on one machine: each at its peak, one after the other. */
function CombinedMemory(props: {
  readonly groups: readonly (readonly MemoryBar[])[];
  readonly needed: number;
  readonly deviceBytes: number | null;
  readonly end: number;
  readonly limit: number | null;
}) {
  const { groups, needed, deviceBytes, end, limit } = props;
  const peaks = groups.flatMap((group) => largestOf(group) ?? []);
  const each = peaks.map(({ agent, sum }) => `${agent} ${bytes(sum)}`).join(', ');
  return (
    <div className={styles.row}>
      <span>all agents, each at its peak</span>
      <Total size={needed} deviceBytes={deviceBytes} isKnown />
      <StackedBar
        label={`All agents, each at its peak: ${each}; ${ofDevice(needed, deviceBytes)}`}
        parts={peaks.flatMap(drawnParts)}
        end={end}
        limit={limit}
      />
    </div>
  );
}

function Total(props: {
  readonly size: number;
  readonly deviceBytes: number | null;
  readonly isKnown: boolean;
}) {
  const { size, deviceBytes, isKnown } = props;
  const isTooMuch = deviceBytes !== null && size > deviceBytes;
  return (
    <em data-too-much={isTooMuch || undefined}>
      {isKnown ? '' : 'more than '}
      {bytes(size)}
      {isTooMuch && ', too much'}
    </em>
  );
}

/** Legend and numbers of one bar; with the parts of all bars, so that nothing moves when another one is pointed at. */
function Numbers({ bar, all }: { readonly bar: MemoryBar; readonly all: readonly MemoryBar[] }) {
  const shown = new Set(all.flatMap(({ stack }) => stack.map(({ part }) => part)));
  return (
    <table className={styles.numbers}>
      <caption>
        <b>
          {bar.agent} {bar.phase}
        </b>
        , GB
      </caption>
      <tbody>
        {(Object.keys(MEMORY_PARTS) as MemoryPart[])
          .filter((part) => shown.has(part))
          .map((part) => {
            const segment = bar.stack.find((item) => item.part === part);
            return (
              <tr key={part} data-absent={segment === undefined || undefined}>
                <th scope="row">
                  <StackedPartMark {...colorOf(part)} />
                  {MEMORY_PARTS[part]}
                </th>
                <td>{segment === undefined ? '–' : gigabytes(segment.bytes)}</td>
              </tr>
            );
          })}
      </tbody>
    </table>
  );
}
