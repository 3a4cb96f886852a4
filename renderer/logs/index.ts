/** Log files as they grow: a window over a file of any length. */
export { JobLogs } from './job-logs';
export { LogPane } from './log-pane';
