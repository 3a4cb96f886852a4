/** Most characters of each text of a template, far more than any published prompt has. */
export const LONGEST_TEMPLATE = 20_000;

/** A user text without the problem in it would ask the same of every problem. */
export function namesTheProblem(userText: string): boolean {
  return userText.includes('{statement}') || userText.includes('{starter}');
}
