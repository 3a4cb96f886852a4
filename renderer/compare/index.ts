/** Any runs of any studies side by side: what may be said of them, problem by problem, agent by agent, at what cost. */
export { CompareScreen } from './compare-screen';
