/**
 * Automatic restarts of a training: enough for a week on a cluster whose jobs end after a day. Each needs a newer
 * checkpoint.
 */
export const DEFAULT_RESTARTS = 10;
/** Maximum for one training: the most retries that a job may have. */
export const MAX_RESTARTS = 20;
