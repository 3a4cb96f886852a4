import type { Refusal } from '../../preload/contract/index';

/** Ends the trainer with a message for the user; any other exception is a bug. */
export class TrainerError extends Error {
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(refusal.message);
    this.refusal = refusal;
  }
}
