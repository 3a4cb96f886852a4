import type { Refusal } from '../../preload/contract';

/** Every failed import says the same three things: to what it happened, what, and what to do. */
export function refusedImport(path: string, what: string, hint?: string): Refusal {
  const message = `${path} was not imported: ${what}`;
  return { code: 'bad-input', message, ...(hint === undefined ? {} : { hint }) };
}

export function cancelledImport(path: string): Refusal {
  return { code: 'cancelled', message: `The import of ${path} was cancelled. Nothing was kept of it.` };
}
