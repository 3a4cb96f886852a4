import type { TrainingView } from '../../preload/contract/training';
import { readyValue, useJobs, useMachine, useWatchedMachines } from '../state/index';
import { gpuName } from '../text/gpus';
import { trainingIsActive } from '../text/trainings';
import { Sparkline } from '../widgets/index';
import styles from './curves.module.css';

/** Samples that fill the width; main keeps as many. */
const HISTORY_LENGTH = 120;

/** Recent utilisation of the training's GPUs; nothing if it has none. */
export function GpuStrip({ training }: { readonly training: TrainingView }) {
  const machine = useMachine(training.machineId);
  const job = (readyValue(useJobs()) ?? []).find(({ id }) => id === training.jobId);
  const isActive = trainingIsActive(training);
  useWatchedMachines(isActive && training.scale !== 'pocket' ? [training.machineId] : []);
  const reading = machine?.gpus ?? null;
  const ids = job?.gpuIds ?? [];
  const gpus = (reading?.gpus ?? []).filter(({ id }) => ids.includes(id));
  if (!isActive || gpus.length === 0) return null;
  return (
    <section className={styles.gpus} aria-label="GPU use">
      <h2>GPU use</h2>
      <ul>
        {gpus.map((gpu) => {
          const history = reading?.history[gpu.id] ?? [];
          const use = gpu.utilisation === null ? 'use unknown' : `${Math.round(gpu.utilisation)} % in use`;
          return (
            <li key={gpu.id}>
              <b>{gpuName(gpu)}</b>
              <span>{use}</span>
              <span>{memoryText(gpu.memoryUsedMib, gpu.memoryTotalMib)}</span>
              {history.length > 1 && (
                <Sparkline
                  label={`Recent use of ${gpuName(gpu)}; dotted: memory`}
                  area={history.map(({ utilisation }) => utilisation)}
                  line={history.map(({ memory }) => memory)}
                  length={HISTORY_LENGTH}
                />
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}

function memoryText(used: number | null, total: number | null): string {
  if (used === null || total === null) return '';
  return `${(used / 1_024).toFixed(0)} of ${(total / 1_024).toFixed(0)} GiB`;
}
