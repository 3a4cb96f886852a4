import type { MemoryPart, MemoryStack, ModelTraining, PlanMemory } from '../../../../preload/contract';
import { MEMORY_PARTS } from '../../../../preload/contract';
import type { DeviceKind, LearnerMemory } from './memory';

type Stacks = Pick<PlanMemory['agents'][number], 'writing' | 'learning'>;

const KEPT = ['weights', 'gradients', 'optimiser', 'frozenCopy', 'base'] as const;
const PASS = ['passCopies', 'activations', 'logits', 'fragments'] as const;

/**
 * What is on a device of a learner while answers are written and while it learns; the larger sum is what `learnerMemory`,
 * with a writer `engineMemory`, gives as total. On GPUs the engine sleeps while the learner learns; on processors it is
 * there all the time. `engine` in bytes; null: unknown.
 */
export function memoryStacks(
  { writer }: Pick<ModelTraining, 'writer'>,
  memory: LearnerMemory,
  { engine, device }: { readonly engine: number | null; readonly device: DeviceKind },
): Stacks {
  const sizes: Readonly<Record<MemoryPart, number | null>> = { ...memory, engine };
  const stack = (...parts: MemoryPart[]): MemoryStack =>
    parts.map((part) => ({ part, bytes: sizes[part] })).filter(({ bytes }) => bytes !== 0);
  if (writer === undefined) {
    return { writing: stack(...KEPT, 'passCopies', 'keysAndValues'), learning: stack(...KEPT, ...PASS) };
  }
  return {
    writing: stack(...KEPT, 'engine'),
    learning: device === 'gpu' ? stack(...KEPT, ...PASS) : stack(...KEPT, ...PASS, 'engine'),
  };
}

/** Every part of both stacks once, in their order, with its label and bytes. Without those of unknown size. */
export function labelledParts({ writing, learning }: Stacks): (readonly [label: string, bytes: number])[] {
  const sizes = new Map([...writing, ...learning].map(({ part, bytes }) => [part, bytes]));
  return (Object.keys(MEMORY_PARTS) as MemoryPart[]).flatMap((part) => {
    const bytes = sizes.get(part) ?? null;
    return bytes === null ? [] : [[MEMORY_PARTS[part], bytes] as const];
  });
}
