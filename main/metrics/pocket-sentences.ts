export {
  COMPLEMENT_SENTENCE,
  CONTROL_SENTENCE,
  ONE_SEED_SENTENCE,
  POCKET_SENTENCES,
} from '../../preload/contract/plans';

/** Each in one line. */
export const POCKET_CHIPS: readonly string[] = [
  'The pocket families were made to complement each other: a lead of several is built in',
  'A control without collaboration reaches as much: 80.0 % against 80.2 %',
];
