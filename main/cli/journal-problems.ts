import { ask, type Host, printStatus } from './host';

/** Prints what is missing in a study's journals; true if something is missing. */
export async function printProblems(workbench: Host, studyId: string): Promise<boolean> {
  const outcomes = await ask(workbench, 'study.outcomes', { studyId });
  const problems = outcomes.ok ? outcomes.value.runs.flatMap(({ problem }) => problem ?? []) : [];
  for (const { message, hint } of problems) printStatus(`Warning: ${message}${hint ? `\n${hint}` : ''}`);
  return problems.length > 0;
}
