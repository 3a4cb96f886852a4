import { inject } from 'vitest';
import { learnerPython } from './learner';

/**
 * An interpreter in the place of the learner's Python (tests/learner/warm_client.py): a learner of it is the real program,
 * forked from a process that has imported torch and transformers already, as is a script of tests/learner/oracles. For
 * tests of what learners do; those of how they start and of what is left of them take `learnerPython`, as do measurements.
 * Null: without it these tests are left out.
 */
export const warmPython: string | null = inject('warmPython') ?? learnerPython;
