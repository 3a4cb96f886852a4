import { z } from 'zod';

/** A Python identifier, which is safe to put into source code. */
export const identifierSchema = z
  .string()
  // Some names in MBPP end in a blank.
  .trim()
  .regex(/^[\p{L}_][\p{L}\p{N}_]*$/u, 'is not a name of Python');
