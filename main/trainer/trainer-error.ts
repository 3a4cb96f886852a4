import type { Refusal } from '../../preload/contract/index';

/** Ends the trainer with a message for the user; any other exception is a bug. */
export class TrainerError extends Error {
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(refusal.message);
    this.refusal = refusal;
  }
}

/** Ends what is in progress because the training is stopped; it continues from its last saved state. */
export class TrainingStopped extends Error {
  constructor() {
    super('The training was stopped.');
  }
}
