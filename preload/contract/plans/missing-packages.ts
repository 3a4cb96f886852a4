import { counted } from './number-text';
/** How many programs failed for want of packages that the Python that grades has not, in a sentence. */
export function missingPackagesText(packages: readonly string[], programs: number): string {
  const failures = counted(programs, 'program');
  return `The Python that grades has no ${packages.join(', ')}: ${failures} failed for it.`;
}
