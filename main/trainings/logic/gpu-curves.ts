import type { GpuCurve, GpuCurves, TrainingCurve } from '../../../preload/contract';
import type { CurveClock } from './watch/curve-store';

/**
 * The GPUs of a training's job on the axis of its curves. Without a clock they stay on the job's own time, without steps.
 */
export function onCurveAxis(curves: GpuCurves, clock: CurveClock | null): GpuCurves {
  const firstMs = curves.fromMs;
  if (clock === null || firstMs === null) return curves;
  const afterS = (firstMs - clock.beginMs) / 1_000;
  return {
    fromMs: clock.beginMs,
    gpus: curves.gpus.map((gpu) => ({
      ...gpu,
      seconds: gpu.seconds.map((seconds) => seconds + afterS),
      steps: gpu.seconds.map((seconds) => clock.stepAt(firstMs + seconds * 1_000)),
    })),
  };
}

/** Quantities as other programs should name them. */
const EXPORTED: readonly (readonly [string, (gpu: GpuCurve) => readonly (number | null)[]])[] = [
  ['use_percent', ({ use }) => use],
  ['memory_mib', ({ memoryMib }) => memoryMib],
  ['power_w', ({ powerW }) => powerW],
  ['temperature_c', ({ temperatureC }) => temperatureC],
];

/** As curves of no agent for an export: one value per step, the mean of its samples. Needs the steps of `onCurveAxis`. */
export function exportedGpus({ gpus }: GpuCurves): TrainingCurve[] {
  return gpus.flatMap((gpu) =>
    EXPORTED.flatMap(([name, valuesOf]): TrainingCurve[] => {
      const values = valuesOf(gpu);
      const steps = new Map<number, { sum: number; seconds: number; count: number }>();
      for (const [at, step] of (gpu.steps ?? []).entries()) {
        const value = values[at] ?? null;
        if (step === null || value === null) continue;
        const nextStep = Math.ceil(step);
        const entry = steps.get(nextStep) ?? { sum: 0, seconds: 0, count: 0 };
        steps.set(nextStep, {
          sum: entry.sum + value,
          seconds: entry.seconds + (gpu.seconds[at] ?? 0),
          count: entry.count + 1,
        });
      }
      if (steps.size === 0) return [];
      const entries = [...steps.values()];
      return [
        {
          agentId: null,
          key: `gpu/${gpu.gpu}/${name}`,
          part: 'other',
          steps: [...steps.keys()],
          values: entries.map(({ sum, count }) => sum / count),
          samples: null,
          seconds: entries.map(({ seconds, count }) => seconds / count),
        },
      ];
    }),
  );
}
