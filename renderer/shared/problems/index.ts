/** A problem as a person reads it: statement, public tests and mark. */
export { ProblemTextView } from './problem-text';
export { referenceInputs, toleranceText } from './reference-inputs';
