/** Exhibits: tables and figures of papers, reproduced with one press; their plans, their decisions, and their editor. */
export { ExhibitEditor } from './exhibit-editor';
export { ExhibitScreen, ReproductionScreen } from './exhibit-screen';
export { ExhibitsScreen } from './exhibits-screen';
