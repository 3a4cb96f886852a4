/** What the window knows, and the only way to main. Screens read it through hooks and act through its commands. */
export { addressOf, type Place, parseAddress, type RunTab, runPlace } from './address';
export { assertNever } from './assert-never';
export * from './hooks';
export { LOADING, type Loadable, mapLoadable, readyValue } from './loadable';
export type { Notice } from './notices';
export * from './problem-list';
export * from './results';
export type { ExportKind } from './study-commands';
export * from './study-words';
export { createWorkbenchState, type WorkbenchState } from './workbench-state';
