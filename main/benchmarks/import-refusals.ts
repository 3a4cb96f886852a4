import type { Refusal } from '../../preload/contract';

/** Every refused import names the file, the problem, and what to do. */
export function refusedImport(path: string, problem: string, hint?: string): Refusal {
  const message = `${path} was not imported: ${problem}`;
  return { code: 'bad-input', message, ...(hint === undefined ? {} : { hint }) };
}

export function cancelledImport(path: string): Refusal {
  return { code: 'cancelled', message: `The import of ${path} was cancelled. Nothing was kept of it.` };
}
