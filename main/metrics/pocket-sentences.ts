export {
  COMPLEMENT_SENTENCE,
  CONTROL_SENTENCE,
  ONE_SEED_SENTENCE,
  POCKET_SENTENCES,
} from '../../preload/contract/plans';
