import { COMPLEMENT_SHORT } from '../../preload/contract/plans';

export {
  COMPLEMENT_SENTENCE,
  CONTROL_SENTENCE,
  ONE_SEED_SENTENCE,
  POCKET_SENTENCES,
} from '../../preload/contract/plans';

/** Each in one line. */
export const POCKET_CHIPS: readonly string[] = [
  COMPLEMENT_SHORT,
  'Another study (docs/pocket.md): trained without collaboration 80.0 %, with it 80.2 % in Pass@1(MCTS)',
];
