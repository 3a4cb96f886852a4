/**
 * Decides what is due for one record from what was observed. Pure, so that every case can be tested without a clock or
 * a process. The service saves an action in the record before doing it. After a crash the same action is chosen again,
 * so every action must be safe to do twice.
 */
export type NextAction<Record, Observed, Action extends { readonly kind: string }> = (
  record: Record,
  observed: Observed,
) => Action;
