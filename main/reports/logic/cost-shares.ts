/** The meaning of the parts of a cell's cost. */
export const COST_MEANINGS = {
  seconds:
    'over all seeds, the time of each whole training, server and search job that the value needs, divided equally among the values that need it, and summed',
  gpuSeconds: 'the same of jobs on GPUs, times the GPUs of each; 0: none had one',
  tokens:
    'over all seeds, the same share of the prompts and answers of its searches; those of trainings are not counted',
};

/** What must not be read from them. */
export const SHARES_NOTE =
  'A share is the smaller the more values need the same work, so it does not say which method costs more, not even within this table';

/** Of `more` in the table of values. */
export const COST_SHARES_NOTE = `cost_share_seconds: ${COST_MEANINGS.seconds}. cost_share_gpu_seconds: ${COST_MEANINGS.gpuSeconds}. cost_share_tokens: ${COST_MEANINGS.tokens}. ${SHARES_NOTE}`;

/** For samples that may spend only another row's tokens. */
export const COST_OF_SAMPLES =
  'The cost is of all programs that were written, and has a share of the cost of the trainings and searches of the row whose tokens may be spent; the rest of that cost is in that row. So neither cost is that of its method alone.';
