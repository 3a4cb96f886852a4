/**
 * What is due for one record, by what was observed. Pure, so that every case can be tested without a clock or a
 * process. An action is noted in the record before it is done; one that was cut off is then decided again, so doing an
 * action twice must do no harm.
 */
export type NextAction<Record, Observed, Action extends { readonly kind: string }> = (
  record: Record,
  observed: Observed,
) => Action;
