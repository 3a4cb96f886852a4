import type { Result } from '../../main/base';
import type { Refusal } from '../../preload/contract';

/** What was answered; a refusal fails the test with its words. */
export async function unwrap<T>(answer: Result<T, Refusal> | Promise<Result<T, Refusal>>): Promise<T> {
  const result = await answer;
  if (!result.ok) throw new Error(`Refused (${result.error.code}): ${result.error.message}`);
  return result.value;
}
