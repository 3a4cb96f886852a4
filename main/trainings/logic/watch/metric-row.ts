/** train: of the optimiser's samples; evaluation: of problems apart; other: as logged, no key of ours. */
export type Part = 'train' | 'evaluation' | 'other';

/** What a logged name means. */
export type Quantity = {
  readonly part: Part;
  readonly key: string;
  /** Of an evaluation of several data sets; null: it tells none. */
  readonly dataset: string | null;
};

/** One value that a trainer told. */
export type MetricRow = Quantity & {
  /** null: of the team, or of nobody in particular. */
  readonly agentId: string | null;
  readonly step: number;
  readonly value: number;
  /** Samples that the agent had learned from; left out where the source does not tell. */
  readonly samples?: number;
};
