import { linesOf } from '../../../base';

/** A MIG slice as `nvidia-smi -L` lists it. */
export type ListedSlice = {
  readonly id: string;
  /** UUID of its GPU. */
  readonly parent: string;
  /** Its number on that GPU. */
  readonly index: number;
  /** e.g. "1g.10gb" */
  readonly profile: string;
};

/** Facts about a slice from `nvidia-smi -q -x`, which does not print the UUID. */
export type SliceUsage = {
  readonly parent: string;
  readonly index: number;
  readonly memoryUsedMib: number | null;
  readonly memoryTotalMib: number | null;
  readonly processes: readonly { readonly pid: number; readonly memoryMib: number | null }[];
};

/** Reads "GPU 0: NVIDIA A100 (UUID: GPU-..)" and, below it, "  MIG 1g.10gb     Device  0: (UUID: MIG-..)". */
export function parseSliceList(text: string): readonly ListedSlice[] {
  const slices: ListedSlice[] = [];
  let parent: string | null = null;
  for (const line of linesOf(text)) {
    const card = /^GPU \d+: .*\(UUID: (GPU-[\w-]+)\)/.exec(line);
    if (card?.[1] !== undefined) parent = card[1];
    else if (/^(GPU|Unable)/i.test(line)) parent = null;
    const [, profile, index, id] =
      /^\s+MIG (\S+)\s+Device\s+(\d{1,4}): \(UUID: (MIG-[\w/-]+)\)/.exec(line) ?? [];
    if (parent !== null && profile !== undefined && id !== undefined)
      slices.push({ id, parent, index: Number(index), profile });
  }
  return slices;
}

/** Reads the slices of the XML that `nvidia-smi -q -x` writes: one <mig_device> each, processes by instance. */
export function parseSliceUsage(xml: string): readonly SliceUsage[] {
  return blocks(xml, 'gpu').flatMap((card) => {
    const uuids = [...card.matchAll(/<uuid>\s*(GPU-[\w-]+)\s*<\/uuid>/g)];
    const parent = uuids[0]?.[1];
    if (parent === undefined) return [];
    const processes = blocks(card, 'process_info').map((block) => ({
      instance: instanceOf(block),
      pid: numberIn(block, 'pid'),
      // Behind the name, which the process's user chooses.
      memoryMib: numberIn(block.slice(Math.max(0, block.lastIndexOf('</process_name>'))), 'used_memory'),
    }));
    return blocks(card, 'mig_device').map((block) => {
      const memory = blocks(block, 'fb_memory_usage')[0] ?? '';
      const instance = instanceOf(block);
      return {
        parent,
        index: numberIn(block, 'index') ?? 0,
        memoryUsedMib: numberIn(memory, 'used'),
        memoryTotalMib: numberIn(memory, 'total'),
        processes: processes.flatMap(({ instance: its, pid, memoryMib }) =>
          its === instance && pid !== null && Number.isSafeInteger(pid) && pid > 0
            ? [{ pid, memoryMib }]
            : [],
        ),
      };
    });
  });
}

/** GPU and compute instance together name a slice within its card. */
function instanceOf(block: string): string {
  return `${numberIn(block, 'gpu_instance_id')}/${numberIn(block, 'compute_instance_id')}`;
}

/** The insides of every element of that name; nvidia-smi nests none in another of its name. */
function blocks(xml: string, name: string): readonly string[] {
  const tag = new RegExp(`<${name}(?:\\s[^<>]*)?>`);
  const closed = xml.split(`</${name}>`).slice(0, -1);
  return closed.flatMap((part) => {
    const begin = tag.exec(part);
    return begin === null ? [] : [part.slice(begin.index + begin[0].length)];
  });
}

function numberIn(xml: string, name: string): number | null {
  const digits = new RegExp(`<${name}>\\s*(\\d+(?:\\.\\d+)?)`).exec(xml)?.[1];
  return digits === undefined ? null : Number(digits);
}
