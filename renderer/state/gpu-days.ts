import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Payload } from '../../preload/contract/commands/index';
import type { GpuDay } from '../../preload/contract/gpu-day';
import type { Refusal } from '../../preload/contract/refusal';
import type { WorkbenchClient } from '../workbench-client';
import { createResource, type Resource } from './resource';
import type { Tasks } from './tasks';

/** GPU days of machines. */
export type GpuDays = {
  /** Of the last one, by machine id; null: none. */
  readonly results: Resource<GpuDay | null>;
  /** The machine on which one that was started here runs; null: none. */
  readonly runningOn: StoreApi<string | null>;
  /** Runs one to its end; null: its results are there. */
  readonly run: (request: Payload<'machine.gpuDay'>) => Promise<Refusal | null>;
  /** What is done stays: the next run with the same settings continues behind it. */
  readonly stop: () => void;
};

export function createGpuDays(client: WorkbenchClient, tasks: Tasks): GpuDays {
  const results = createResource<GpuDay | null>((machineId) =>
    client.call('machine.gpuDayResults', { machineId }),
  );
  const runningOn = createStore<string | null>(() => null);
  return {
    results,
    runningOn,
    run: async (request) => {
      runningOn.setState(request.machineId, true);
      const answer = await tasks.run('gpu-day', () => client.call('machine.gpuDay', request));
      runningOn.setState(null, true);
      results.refresh(request.machineId);
      return answer.ok ? null : answer.error;
    },
    stop: () => void tasks.cancel('gpu-day'),
  };
}
