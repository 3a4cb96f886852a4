import type { ExhibitEntry } from '../../preload/contract/exhibit';
import type {
  ReproductionOrder,
  ReproductionPlan,
  ReproductionView,
} from '../../preload/contract/reproduction';
import type { ExhibitRoute, Loadable } from '../state/index';

export type ExhibitAt = Extract<ExhibitRoute, { kind: 'exhibit' }>;

/** What the parts of the screen of one exhibit share. */
export type ExhibitScreenProps = {
  readonly entry: ExhibitEntry;
  readonly place: ExhibitAt;
  /** Reproductions of it at this scale, the newest first. */
  readonly all: readonly ReproductionView[];
  /** The one that is shown; null: there is none. */
  readonly reproduction: ReproductionView | null;
  /** What a press would do; null: it is not asked for. */
  readonly plan: Loadable<ReproductionPlan> | null;
  /** null: the form has faults. */
  readonly order: ReproductionOrder | null;
  readonly onShow: (part: Partial<ExhibitAt>) => void;
};
