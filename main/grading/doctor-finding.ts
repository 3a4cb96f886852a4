import type { DoctorCheck } from '../../preload/contract';
import { numpyHint, packagesText } from './logic/choose-python';
import { type LauncherOptions, openLauncher } from './open-launcher';

/** The doctor's finding about grading on this computer: the Python is chosen as for grading itself. */
export async function gradingFinding(
  options: LauncherOptions,
): Promise<Pick<DoctorCheck, 'state' | 'found' | 'todo' | 'isAbsent'>> {
  const opened = await openLauncher(options);
  if (!opened.ok) {
    const { message, hint } = opened.error;
    return { state: 'warning', found: message, todo: hint ?? null, isAbsent: true };
  }
  const { kind, python, choice, packages, dispose } = opened.value;
  await dispose();
  const where = kind === 'bare' ? 'without a sandbox, as the settings allow' : 'in the sandbox';
  const has = packages.length === 0 ? 'It has none of the packages that programs import.' : '';
  const listed = packages.length === 0 ? '' : ` with ${packagesText({ packages })}`;
  const sentences = [`Python ${python} in ${choice.path} grades ${where}${listed}.`, has, choice.reason];
  const text = sentences.filter((sentence) => sentence !== '').join(' ');
  if (packages.some(({ name }) => name === 'numpy')) return { state: 'good', found: text, todo: null };
  return {
    state: 'warning',
    found: `${text} Programs that import numpy fail here.`,
    todo: numpyHint(choice.path),
  };
}
