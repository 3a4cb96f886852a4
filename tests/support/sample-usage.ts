import { usageNotes } from '../../main/app/usage/usage-notes';
import { type MonthlyUse, usageOf } from '../../main/app/usage/usage-table';
import type { Payload, Usage, UsageProject } from '../../preload/contract';

const PROJECTS: readonly (UsageProject | null)[] = [
  { kind: 'reproduction', id: 'reproduction-1', name: 'Table 2: heterogeneous teams, paper scale' },
  { kind: 'experiment', id: 'experiment-1', name: 'Five methods, five seeds' },
  { kind: 'study', id: 'study-1', name: 'Quickstart' },
  { kind: 'training', id: 'training-1', name: 'Heter-MARS², Qwen3-8B + AReaL-8B' },
  null,
];
const NAMES = ['Qwen3-8B on vLLM', 'Heter-MARS², seed 11', 'python train.py --config configs/ablation.yaml'];
const MONTHS = ['2026-11', '2026-10', '2026-09'];

/** What a lab of two machines used in three months; `isUsed` false: nothing. */
export function sampleUsage(isUsed: boolean, { month = null, by = 'project' }: Payload<'job.usage'>): Usage {
  const uses = isUsed
    ? Array.from({ length: 36 }, (_, i): MonthlyUse => {
        const project = PROJECTS[i % PROJECTS.length] ?? null;
        const hours = 3 + ((i * 37) % 90) / 4;
        const answers = project?.kind === 'study' || project?.kind === 'reproduction';
        return {
          month: MONTHS[i % 3] ?? '2026-11',
          job: {
            id: `job-${i}`,
            name: NAMES[(i + Math.floor(i / 3)) % 3] ?? '',
            machineId: i % 2 === 0 ? 'gpu-a' : 'gpu-b',
          },
          project,
          gpuHours: hours * ([1, 2, 4, 8][i % 4] ?? 1),
          hours,
          promptTokens: answers ? 1_200_000 + i * 71_311 : 0,
          completionTokens: answers ? 4_100_000 + i * 191_377 : 0,
          isOpen: i === 1,
        };
      })
    : [];
  const notes = usageNotes({
    noticed: isUsed ? 2 : 0,
    unread: 0,
    uncounted: isUsed ? 1 : 0,
    hasProjects: isUsed,
    ...{ damaged: [], unattributed: [] },
  });
  return usageOf(uses, { month, by }, ({ kind }) => kind !== 'job', notes);
}
