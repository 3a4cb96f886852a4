import { Button } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useState } from 'react';
import type { Gpu, GpuReading } from '../../preload/contract/gpu';
import type { MachineView } from '../../preload/contract/machine';
import { assignedText, gibText } from '../../preload/contract/plans/index';
import { ProgressLine, Sparkline, TimeAgo } from '../widgets/index';
import { Reservation } from './gpu-reservation';
import { commonModel, type GpuRow, gpuRows } from './gpu-rows';
import styles from './gpu-table.module.css';

/** Number of probes in a sparkline; main keeps as many. */
const HISTORY_LENGTH = 120;
/** Processes of a GPU shown before "more". */
const SHOWN_PROCESSES = 3;

/** Every GPU and slice: utilisation, memory, temperature, power, processes and reservation. */
export function GpuTable(props: { readonly machine: MachineView; readonly reading: GpuReading }) {
  const { machine, reading } = props;
  const isOld = machine.connection.kind !== 'connected';
  const rows = gpuRows(machine);
  const showsModel = commonModel(rows) === null;
  return (
    <table className={styles.table} aria-label={`GPUs of ${machine.spec.name}`} data-old={isOld || undefined}>
      <thead>
        <tr>
          <th>GPU</th>
          <th className={styles.number}>Use, %</th>
          <th className={styles.minor}>History</th>
          <th className={styles.number}>Memory, GiB</th>
          <th className={`${styles.number} ${styles.minor}`}>°C</th>
          <th className={`${styles.number} ${styles.minor}`}>W</th>
          <th>Processes</th>
          <th>Reserved</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <GpuLine
            key={row.gpu.id}
            row={row}
            machine={machine}
            showsModel={showsModel}
            history={reading.history[row.gpu.id] ?? []}
          />
        ))}
      </tbody>
    </table>
  );
}

function GpuLine(props: {
  readonly row: GpuRow;
  readonly machine: MachineView;
  readonly showsModel: boolean;
  readonly history: GpuReading['history'][string];
}) {
  const { row, machine, showsModel: namesModel, history } = props;
  const { gpu, isSlice, isSliced } = row;
  return (
    <>
      <tr
        data-slice={isSlice || undefined}
        data-state={row.state}
        data-problem={gpu.problems.length > 0 || undefined}
      >
        <th scope="row" title={gpu.id}>
          {row.name}
          {namesModel && <small>{row.model}</small>}
        </th>
        <td className={styles.number}>{gpu.utilisation === null ? '–' : Math.round(gpu.utilisation)}</td>
        <td className={styles.minor}>
          {history.length > 1 && (
            <Sparkline
              label={historyText(row.name, history)}
              area={history.map(({ utilisation }) => utilisation)}
              line={history.map(({ memory }) => memory)}
              length={HISTORY_LENGTH}
            />
          )}
        </td>
        <td className={styles.number}>
          <MemoryCell row={row} />
        </td>
        <td className={`${styles.number} ${styles.minor}`}>
          {gpu.temperatureC === null ? '–' : Math.round(gpu.temperatureC)}
        </td>
        <td className={`${styles.number} ${styles.minor}`}>
          {gpu.powerW === null ? '–' : Math.round(gpu.powerW)}
          {gpu.powerLimitW !== null && <span> / {Math.round(gpu.powerLimitW)}</span>}
        </td>
        <td>
          {isSliced ? (
            <small>split into the slices below</small>
          ) : (
            <Processes gpu={gpu} own={machine.facts?.user ?? null} />
          )}
        </td>
        <td>{!isSliced && <Reservation row={row} machine={machine} />}</td>
      </tr>
      {gpu.problems.length > 0 && (
        <tr className={styles.problems}>
          <td colSpan={8}>
            {gpu.heldBack !== undefined && (
              <p>
                <IconAlertTriangle size={13} aria-hidden="true" />
                Held back because of {gpu.heldBack}: jobs, servers and trainings get it only if it is picked
                for them.
              </p>
            )}
            {gpu.problems.map((problem) => (
              <p key={problem}>
                <IconAlertTriangle size={13} aria-hidden="true" />
                {problem}
              </p>
            ))}
          </td>
        </tr>
      )}
    </>
  );
}

function MemoryCell(props: { readonly row: GpuRow }) {
  const { gpu, used01, name } = props.row;
  if (gpu.memoryUsedMib === null || gpu.memoryTotalMib === null) return <>–</>;
  return (
    <>
      {gibText(gpu.memoryUsedMib)}
      <span> / {gibText(gpu.memoryTotalMib)}</span>
      {used01 !== null && <ProgressLine label={`Memory of ${name}`} share={used01} width={84} isStill />}
    </>
  );
}

function historyText(name: string, history: GpuReading['history'][string]): string {
  const values = history.flatMap(({ utilisation }) => (utilisation === null ? [] : [utilisation]));
  const [first] = history;
  const minutes =
    first === undefined
      ? 0
      : Math.round((Date.parse(history.at(-1)?.at ?? first.at) - Date.parse(first.at)) / 60_000);
  const range =
    values.length === 0
      ? 'unknown'
      : `${Math.round(Math.min(...values))} to ${Math.round(Math.max(...values))} %`;
  return `Use of ${name} over ${minutes < 1 ? 'the last minute' : `${minutes} min`}: ${range}. Dotted: memory.`;
}

function Processes(props: { readonly gpu: Gpu; readonly own: string | null }) {
  const { gpu, own } = props;
  const { processes } = gpu;
  const [isWhole, setIsWhole] = useState(false);
  const shown = isWhole ? processes : processes.slice(0, SHOWN_PROCESSES);
  const more = processes.length - shown.length;
  if (processes.length === 0) return <small>{assignedText(gpu)}</small>;
  return (
    <ul className={styles.processes}>
      {shown.map(({ pid, user, command, memoryMib, startedAt }) => (
        <li key={pid} data-own={(user !== null && user === own) || undefined}>
          <b>{user === null ? 'unknown user' : user === own ? 'you' : user}</b>
          <span title={command ?? undefined}>{command === null ? `process ${pid}` : programOf(command)}</span>
          <em>
            {memoryMib !== null && `${gibText(memoryMib)} GiB`}
            {startedAt !== null && (
              <>
                {memoryMib !== null && ', '}
                <TimeAgo at={startedAt} />
              </>
            )}
          </em>
        </li>
      ))}
      {more > 0 && (
        <li>
          <Button variant="subtle" color="gray" size="compact-xs" onClick={() => setIsWhole(true)}>
            {more} more
          </Button>
        </li>
      )}
    </ul>
  );
}

/** "python train.py --lr 3e-4" of "/opt/conda/bin/python train.py --lr 3e-4". */
function programOf(command: string): string {
  return command.replace(/^\S*\//, '');
}
