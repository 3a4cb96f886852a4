import type { Random } from '../../../main/base';
import type { Ledger } from './promises';
import type { Site } from './site';

/** One kind of fault, made to happen to a workbench that works. */
export type Scenario = {
  /** One word, for `--only`. */
  readonly name: string;
  /** What happens, for the table. */
  readonly title: string;
  /** What is played instead of made to happen; null: nothing. */
  readonly simulated: string | null;
  /** Seconds after which no further fault is made. The last one still runs to its end. */
  readonly seconds: number;
  /** Why it cannot happen here; null: it can. */
  readonly missing?: () => string | null;
  readonly run: (context: FaultContext) => Promise<void>;
};

export type FaultContext = Pick<Ledger, 'check'> & {
  readonly site: Site;
  readonly random: Random;
  /** A fault has happened. */
  readonly count: () => void;
  /** Whether the scenario's seconds are over. */
  readonly isOver: () => boolean;
  /** A sentence below the table. */
  readonly note: (text: string) => void;
};
