import type { Gpu, GpuReading } from '../../../../preload/contract';
import { absent, bad, type Finding, good, warning } from './finding';

/** Less in use than this counts as free: what a display server or a monitoring program holds. */
const FREE_MIB = 1_000;
/** Problems that are shown in full; the rest is counted. */
const MAX_SENTENCES = 3;

/** The result of the last GPU reading; null: neither vendor's tool exists. */
export function gpuCardsFinding(reading: GpuReading | null): Finding {
  if (reading === null) return absent('No GPU: nvidia-smi, amd-smi and rocm-smi are not installed.');
  const cards = reading.gpus.filter(({ sliceOf }) => sliceOf === null);
  const slices = reading.gpus.length - cards.length;
  const summary = `${cards.length === 0 ? 'No GPU is listed' : namesText(cards)}${slices === 0 ? '' : `, ${slices} MIG slices`}`;
  const free = cards.filter(({ memoryUsedMib }) => memoryUsedMib !== null && memoryUsedMib < FREE_MIB).length;
  const problems = [
    ...reading.problems,
    ...cards.flatMap(({ index, problems: own }) => own.map((problem) => `GPU ${index ?? '?'}: ${problem}`)),
  ];
  if (problems.length > 0) {
    const shown = problems.slice(0, MAX_SENTENCES).join(' ');
    const more = problems.length - MAX_SENTENCES;
    const text = `${summary}. ${shown}${more > 0 ? ` And ${more} more.` : ''}`;
    const todo =
      'Show this to the administrator; `nvidia-smi -q` and `sudo dmesg | grep -i xid` tell more. Use other GPUs until then.';
    return cards.length === 0 ? bad(text, todo) : warning(text, todo);
  }
  if (cards.length === 0)
    return warning(
      `${summary}, although its tool answers.`,
      'Check `lspci | grep -iE "nvidia|amd"` there, and /dev/nvidia* in a container.',
    );
  return good(`${summary}; ${free} of ${cards.length} nearly empty.`);
}

/** "4 × NVIDIA A100-SXM4-80GB, 1 × NVIDIA T4" */
function namesText(cards: readonly Gpu[]): string {
  const counts = new Map<string, number>();
  for (const { name } of cards) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].map(([name, count]) => `${count} × ${name}`).join(', ');
}
