import { Button } from '@mantine/core';
import { useState } from 'react';
import type { GpuDay } from '../../preload/contract/gpu-day';
import type { MachineView } from '../../preload/contract/machine';
import { GPU_DAY_COLUMNS, gpuDayCell, gpuDayDevice, gpuDayTeams } from '../../preload/contract/plans/index';
import type { Refusal } from '../../preload/contract/refusal';
import { PathInput } from '../shared/machines/index';
import {
  readyValue,
  useBenchmarks,
  useGpuDayResults,
  useGpuDayRunningOn,
  useTask,
  useWorkbench,
} from '../state/index';
import { taskLabel, taskShare } from '../text/tasks';
import {
  Disclosure,
  duration,
  Fields,
  FormRefusal,
  Section,
  Select,
  TaskLine,
  TimeAgo,
  WideField,
} from '../widgets/index';
import tables from './gpu-table.module.css';
import styles from './machines.module.css';

/** Proves the whole path of training and search on the machine, and shows what the last proof has measured. */
export function GpuDaySection(props: { readonly machine: MachineView }) {
  const { spec, gpus, facts } = props.machine;
  const day = readyValue(useGpuDayResults(spec.id));
  const [isOpen, setIsOpen] = useState(false);
  // Nothing is known of a machine that was not read yet.
  const isKnown = facts !== null;
  const hasGpu = spec.kind === 'slurm' || (gpus?.gpus.length ?? 0) > 0;
  return (
    <Section
      title="GPU day"
      aside={
        day !== null && (
          <span className={styles.soft}>
            <TimeAgo at={day.endedAt} />
          </span>
        )
      }
    >
      <p className={styles.soft}>
        Proves the whole path here in two hours or less: trainings of a small model with each way of
        publishing weights to vLLM, then a search by three teams. Later plans of trainings use the speed that
        it measures.
        {isKnown && !hasGpu && ' This machine has no GPU: it can only be rehearsed, on the processors.'}
      </p>
      {day !== null && <GpuDayResults day={day} />}
      <Disclosure
        label={day === null ? 'Run it' : 'Run it again'}
        open={isOpen}
        onToggle={() => setIsOpen(!isOpen)}
      >
        <GpuDayForm machine={props.machine} rehearse={!hasGpu} />
      </Disclosure>
    </Section>
  );
}

function GpuDayForm(props: { readonly machine: MachineView; readonly rehearse: boolean }) {
  const { rehearse } = props;
  const { spec, connection } = props.machine;
  const { gpuDays } = useWorkbench();
  const runningOn = useGpuDayRunningOn();
  const task = useTask('gpu-day');
  const benchmarks = (readyValue(useBenchmarks()) ?? []).filter(({ scale }) => scale !== 'pocket');
  const usual = benchmarks.findLast(({ id }) => id.startsWith('livecodebench')) ?? benchmarks[0];
  const [draft, setDraft] = useState({ model: '', vllm: '', benchmarkId: '' });
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const benchmarkId = draft.benchmarkId === '' ? (usual?.id ?? '') : draft.benchmarkId;
  const change = (part: Partial<typeof draft>): void => setDraft({ ...draft, ...part });
  if (runningOn !== null) {
    return runningOn === spec.id ? (
      <TaskLine
        label={task === null ? 'GPU day' : taskLabel(task)}
        share={task === null ? null : taskShare(task)}
        onCancel={gpuDays.stop}
      />
    ) : (
      <p className={styles.soft}>A GPU day runs on another machine.</p>
    );
  }
  const run = async (): Promise<void> => {
    const vllm = draft.vllm.trim();
    setRefusal(
      await gpuDays.run({
        ...{ machineId: spec.id, model: draft.model.trim(), benchmarkId, rehearse },
        // On processors a day of full size would take days.
        ...(rehearse ? { updates: 4, batch: 16, maxTokens: 64, problems: 6 } : {}),
        ...(vllm === '' ? {} : { vllm }),
      }),
    );
  };
  return (
    <div className={styles.stacked}>
      <Fields>
        <WideField mono>
          <PathInput
            machineId={spec.id}
            label="Model"
            description="A folder there of a small language model (Hugging Face), e.g. of Qwen3-0.6B"
            placeholder="/models/Qwen3-0.6B"
            value={draft.model}
            onChange={(model) => change({ model })}
          />
        </WideField>
        <WideField mono>
          <PathInput
            machineId={spec.id}
            label="Python with vLLM"
            description="Left empty: that of the learner"
            placeholder="/opt/vllm/bin/python"
            value={draft.vllm}
            onChange={(vllm) => change({ vllm })}
          />
        </WideField>
        <Select
          label="Benchmark"
          description={
            usual === undefined ? 'The library has none yet: import LiveCodeBench' : 'Of the library'
          }
          data={benchmarks.map(({ id, name }) => ({ value: id, label: name }))}
          value={benchmarkId}
          onChange={(value) => change({ benchmarkId: value ?? '' })}
        />
      </Fields>
      {refusal !== null && (
        <FormRefusal title="The GPU day did not end" message={refusal.message} hint={refusal.hint} />
      )}
      <div>
        <Button
          disabled={connection.kind !== 'connected' || draft.model.trim() === '' || benchmarkId === ''}
          onClick={() => void run()}
        >
          {rehearse ? 'Rehearse on the processors' : 'Run the GPU day'}
        </Button>
      </div>
    </div>
  );
}

function GpuDayResults(props: { readonly day: GpuDay }) {
  const { day } = props;
  const teams = gpuDayTeams(day);
  return (
    <div className={styles.stacked}>
      <p className={styles.soft} data-selectable>
        {gpuDayDevice(day)}; model {day.model.name}
      </p>
      <table className={tables.table} aria-label="Steps of the GPU day">
        <thead>
          <tr>
            <th scope="col">Step</th>
            <th scope="col">State</th>
            <th scope="col" className={tables.number}>
              Time
            </th>
            {GPU_DAY_COLUMNS.map(({ key, title, about }) => (
              <th key={key} scope="col" className={tables.number} title={about}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {day.steps.map((step) => (
            <tr key={step.id}>
              <th scope="row">{step.title}</th>
              <td>
                {step.state === 'left-out' ? 'left out' : step.state}
                {step.why !== null && <small data-selectable>{step.why}</small>}
              </td>
              <td className={tables.number}>{duration(step.seconds * 1_000)}</td>
              {GPU_DAY_COLUMNS.map(({ key, digits }) => (
                <td key={key} className={tables.number}>
                  {gpuDayCell(step, key, digits)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {teams.length > 0 && (
        <p className={styles.soft} data-selectable>
          {teams.join('; ')}
        </p>
      )}
    </div>
  );
}
