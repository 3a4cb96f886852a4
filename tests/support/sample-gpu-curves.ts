import type { GpuCurve, GpuCurves } from '../../preload/contract';

/**
 * Two GPUs of a training that works in turns for `hours`; the second one stops in the last quarter. `stepS`: seconds of a
 * step, whose axis they are on.
 */
export function sampleGpuCurves(hours: number, stepS?: number): GpuCurves {
  const points = 400;
  const every = (hours * 3_600) / points;
  const gpu = (number: number): GpuCurve => {
    const at = Array.from({ length: points }, (_, position) => position);
    const seconds = at.map((position) => position * every);
    const isIdle = (position: number): boolean => number === 1 && position > points * 0.75;
    const use = at.map((position) =>
      isIdle(position) ? 0 : Math.round(62 + 30 * Math.sin(position / (4 + number)) + (position % 7)),
    );
    return {
      gpu: number,
      seconds,
      ...(stepS === undefined ? {} : { steps: seconds.map((second) => second / stepS) }),
      use,
      memoryMib: at.map(
        (position) => Math.min(71_000, 4_000 + position * 3_000) - number * 9_000 * Number(position > 4),
      ),
      powerW: use.map((percent) => 90 + percent * 5.2),
      temperatureC: use.map((percent) => Math.round(38 + percent / 3)),
      memoryTotalMib: 81_559,
    };
  };
  return { fromMs: Date.UTC(2026, 0, 5, 9), gpus: [gpu(0), gpu(1)] };
}
