import { COMPLEMENT_SHORT } from '../../preload/contract/plans';

export {
  COMPLEMENT_SENTENCE,
  CONTROL_SENTENCE,
  ONE_SEED_SENTENCE,
  POCKET_SENTENCES,
  SAME_POLICIES_SENTENCE,
} from '../../preload/contract/plans';

/** Each in one line; without the numbers of another study, which would be read as this one's. */
export const POCKET_CHIPS: readonly string[] = [
  COMPLEMENT_SHORT,
  'Not measured here: another study found no significant difference between training together and apart',
];
