import { ok } from '../../main/base';
import type { Machine } from '../../main/machines';
import type { ExaminationDeps } from '../../main/machines/doctor/examination';
import { examinationsFor } from '../../main/machines/doctor/examinations';
import type { Finding } from '../../main/machines/logic/doctor/finding';

/** What the doctor finds of one check, with nothing else being examined. */
export async function findingOf(
  machine: Machine,
  id: string,
  deps: Partial<ExaminationDeps> = {},
): Promise<Finding> {
  const examination = examinationsFor(machine.spec).find(({ checks }) =>
    checks.some((check) => check.id === id),
  );
  const findings = await examination?.run({
    machine,
    clock: { now: () => Date.now() },
    signal: new AbortController().signal,
    readGpus: async () => ok(null),
    ...deps,
  });
  const finding = findings?.[examination?.checks.findIndex((check) => check.id === id) ?? -1];
  if (finding === undefined) throw new Error(`There is no check "${id}" of ${machine.spec.kind}`);
  return finding;
}
