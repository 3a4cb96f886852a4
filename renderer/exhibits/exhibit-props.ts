import type { ExhibitEntry } from '../../preload/contract/exhibit';
import type {
  ReproductionPlan,
  ReproductionRequest,
  ReproductionView,
} from '../../preload/contract/reproduction';
import type { ExhibitRoute, Loadable } from '../state/index';

export type ExhibitPageRoute = Extract<ExhibitRoute, { kind: 'exhibit' }>;

/** Props that the parts of an exhibit's screen share. */
export type ExhibitScreenProps = {
  readonly entry: ExhibitEntry;
  readonly route: ExhibitPageRoute;
  /** Its reproductions at this scale, newest first. */
  readonly all: readonly ReproductionView[];
  /** The one shown; null: there is none. */
  readonly reproduction: ReproductionView | null;
  /** The plan of a new reproduction; null: not requested. */
  readonly plan: Loadable<ReproductionPlan> | null;
  /** null: the form has errors. */
  readonly request: ReproductionRequest | null;
  /** Asks for the whole exhibit in the place of a part of it. */
  readonly onWhole: () => void;
  /** Asks for this seed alone. */
  readonly onOneSeed: (seed: number) => void;
  /** Opens the form for values of the paper, for this cell or line; null: for any. */
  readonly onEnter: (chosen: string | null) => void;
  readonly onShow: (part: Partial<ExhibitPageRoute>) => void;
};
