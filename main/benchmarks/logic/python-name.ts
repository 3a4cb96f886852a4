import { z } from 'zod';

/** A name that can stand in Python source without being anything but a name. */
export const identifierSchema = z
  .string()
  // MBPP has names with a blank behind them.
  .trim()
  .regex(/^[\p{L}_][\p{L}\p{N}_]*$/u, 'is not a name of Python');
