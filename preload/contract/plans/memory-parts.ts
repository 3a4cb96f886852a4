import type { MemoryPart } from '../plan-memory';

/** In the order of a stack: what stays, what a pass of the learner adds, what writing adds. */
export const MEMORY_PARTS: Readonly<Record<MemoryPart, string>> = {
  weights: 'weights',
  gradients: 'gradients',
  optimiser: 'optimiser (Adam)',
  frozenCopy: 'frozen copy',
  base: 'PyTorch and libraries',
  passCopies: 'copies during a pass',
  activations: 'activations',
  logits: 'logits',
  fragments: 'freed but kept by the allocator',
  keysAndValues: 'keys and values while writing',
  engine: 'engine that writes',
};
