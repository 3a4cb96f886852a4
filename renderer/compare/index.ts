/** Compares any runs of any studies: values, differences, problems, agents and cost. */
export { CompareScreen } from './compare-screen';
