/** A problem as a person reads it: statement, public tests and mark; the fields that mark one. */
export { type Mark, useMarkFields } from './mark-fields';
export { ProblemTextView } from './problem-text';
export { referenceInputs, toleranceText } from './reference-inputs';
