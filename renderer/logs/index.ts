/** Log files as they grow. */
export { LogPane } from './log-pane';
