import type { NodeDetail } from '../../../preload/contract';

/** What can be shown of the change from the parent's program to the node's. */
export type ProgramChange =
  | { readonly kind: 'no-parent' }
  | { readonly kind: 'no-program' }
  | { readonly kind: 'parent-without-program' }
  | { readonly kind: 'same' }
  | { readonly kind: 'changed'; readonly before: string; readonly after: string };

/** `parent` is the node's parent index; -1 is the root. */
export function programChange(parent: number, detail: NodeDetail): ProgramChange {
  if (parent === -1) return { kind: 'no-parent' };
  if (detail.program === null) return { kind: 'no-program' };
  if (detail.parentProgram === null) return { kind: 'parent-without-program' };
  if (detail.parentProgram === detail.program) return { kind: 'same' };
  return { kind: 'changed', before: detail.parentProgram, after: detail.program };
}
