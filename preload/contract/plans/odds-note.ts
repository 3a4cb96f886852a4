/** Wherever odds ratios stand: what they are, and what their interval leaves out. */
export const ODDS_NOTE =
  'Odds ratio: problems on which the first does better for each on which the second does, with its exact 95 % interval over problems; of several trainings a side the interval leaves out the chance of training.';
