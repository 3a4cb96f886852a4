import type { GpuCurve } from '../../../preload/contract/gpu';
import { agentStyle, configurationColor } from '../../theme/index';
import type { ChartLine } from '../../widgets/line-chart';

/** A quantity of GPUs: a small chart. */
export type GpuQuantity = {
  readonly title: string;
  readonly hint: string;
  readonly valuesOf: (gpu: GpuCurve) => readonly (number | null)[];
  /** The maximum on these GPUs, which ends its axis, so that idle GPUs look idle. Left out: unknown. */
  readonly mostOn?: (gpus: readonly GpuCurve[]) => number | undefined;
};

const GIB = 1_024;

export const GPU_QUANTITIES: readonly GpuQuantity[] = [
  {
    title: 'GPU use, %',
    hint: 'Share of the time in which the GPU computed',
    valuesOf: ({ use }) => use,
    mostOn: () => 100,
  },
  {
    title: 'GPU memory, GiB',
    hint: 'Of all processes on the GPU',
    valuesOf: ({ memoryMib }) => memoryMib.map((mib) => (mib === null ? null : mib / GIB)),
    mostOn: (gpus) => {
      const totals = gpus.flatMap(({ memoryTotalMib: total }) => (total === null ? [] : [total / GIB]));
      return totals.length === gpus.length ? Math.max(...totals) : undefined;
    },
  },
  { title: 'GPU power, W', hint: 'As the driver measures it', valuesOf: ({ powerW }) => powerW },
  { title: 'GPU temperature, °C', hint: 'Of the chip', valuesOf: ({ temperatureC }) => temperatureC },
];

/** A line per GPU; GPUs whose driver does not tell the quantity, and samples without an x, are left out. */
export function gpuLines(
  gpus: readonly GpuCurve[],
  { valuesOf }: GpuQuantity,
  xsOf: (gpu: GpuCurve) => readonly (number | null)[],
): readonly ChartLine[] {
  return gpus.flatMap((gpu, position): ChartLine[] => {
    const values = valuesOf(gpu);
    const [xs, ys]: [number[], number[]] = [[], []];
    for (const [at, x] of xsOf(gpu).entries()) {
      const y = values[at] ?? null;
      // The axis begins at the first point of a training: what its job did before has no place there.
      if (x === null || x < 0 || y === null) continue;
      xs.push(x);
      ys.push(y);
    }
    if (xs.length === 0) return [];
    const style = { color: configurationColor(position), shape: agentStyle(position).shape };
    const points = { xs, ys };
    return [
      {
        id: String(gpu.gpu),
        label: `GPU ${gpu.gpu}`,
        ...style,
        points,
        raw: null,
        band: null,
        counts: null,
      },
    ];
  });
}
