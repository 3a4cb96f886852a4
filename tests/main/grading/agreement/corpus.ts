import type { GradingCase } from '../../../support/grading-case';
import { functionPrograms } from './function-programs';
import { referencePrograms } from './reference-programs';
import { stdinPrograms } from './stdin-programs';

/** Programs of our own that probe the edges of the graders, each for one thing. */
export const corpus: readonly GradingCase[] = [...stdinPrograms, ...functionPrograms, ...referencePrograms];
