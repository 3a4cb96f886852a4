import {
  MAX_USAGE_ROWS,
  type Usage,
  type UsageAmount,
  type UsageProject,
  type UsageRequest,
  type UsageRow,
} from '../../../preload/contract/index';
import { sharedNames } from '../../../preload/contract/plans/index';
import { assertNever, compareText } from '../../base/index';

const MS_PER_HOUR = 3_600_000;

/** What one job, or the servers of a study that no job can be named for, used in one month. */
export type MonthlyUse = {
  readonly month: string;
  readonly job: { readonly id: string; readonly name: string; readonly machineId: string } | null;
  /** For use without a job: the model that answered. */
  readonly model?: string;
  readonly project: UsageProject | null;
  readonly gpuHours: number;
  readonly hours: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly isOpen: boolean;
};

/** The month of a time in UTC. */
export function monthOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 7);
}

/** A span of time cut at the ends of months; one without length, as of a job that ended at once, is of its month too. */
export function splitByMonth(
  fromMs: number,
  toMs: number,
): readonly { readonly month: string; readonly hours: number }[] {
  if (fromMs >= toMs) return [{ month: monthOf(fromMs), hours: 0 }];
  const parts: { month: string; hours: number }[] = [];
  for (let at = fromMs; at < toMs; ) {
    const day = new Date(at);
    const next = Math.min(toMs, Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + 1));
    parts.push({ month: monthOf(at), hours: (next - at) / MS_PER_HOUR });
    at = next;
  }
  return parts;
}

/** Whether what a row names is still listed, so that it has a screen. */
export type IsListed = (target: NonNullable<UsageRow['target']>) => boolean;

/** The table of what was used, by project, job or month. */
export function usageOf(
  uses: readonly MonthlyUse[],
  { month, by }: UsageRequest,
  isListed: IsListed,
  notes: readonly string[],
): Usage {
  const selected = month === null ? uses : uses.filter((use) => use.month === month);
  const shared = new Set(selected.flatMap((use) => (use.job === null ? answersId(use) : [])));
  const groups = new Map<string, { readonly head: RowHead; readonly uses: MonthlyUse[] }>();
  for (const use of selected) {
    const head = headOf(use, by, shared);
    const group = groups.get(head.id) ?? { head, uses: [] };
    group.uses.push(use);
    groups.set(head.id, group);
  }
  const rows = [...groups.values()].map(({ head, uses: own }): UsageRow => {
    const target = head.target !== null && isListed(head.target) ? head.target : null;
    return { ...head, target, ...amountOf(own), isOpen: own.some(({ isOpen }) => isOpen) };
  });
  rows.sort(by === 'month' ? (a, b) => compareText(b.id, a.id) : mostFirst);
  return {
    months: [...new Set(uses.map((use) => use.month))].sort().reverse(),
    rows: withDistinctAbout(rows).slice(0, MAX_USAGE_ROWS),
    leftOut: Math.max(0, rows.length - MAX_USAGE_ROWS),
    total: amountOf(selected),
    notes: [...notes],
  };
}

type RowHead = Pick<UsageRow, 'id' | 'label' | 'about' | 'target'>;

const BY_HAND: RowHead = { id: 'none', label: 'Started by hand', about: 'no project', target: null };

/** Rows of one name and kind also say the id of their project or job. */
function withDistinctAbout(rows: readonly UsageRow[]): UsageRow[] {
  const nameOf = ({ label, about }: UsageRow): string => `${about} ${label}`;
  const shared = sharedNames(rows.map(nameOf));
  return rows.map((row) => {
    const [, id = ''] = row.id.split(' ');
    return shared.has(nameOf(row)) ? { ...row, about: `${row.about}, ${id}` } : row;
  });
}

/** Of what a project's servers of one model answered. A server's job has the name of its model. */
function answersId({ job, model = '', project }: MonthlyUse): string {
  return `model ${project?.id ?? ''} ${job?.name ?? model}`;
}

/** `shared`: answers of which no single job is known. The jobs that may have given them stand in one row with them. */
function headOf(use: MonthlyUse, by: UsageRequest['by'], shared: ReadonlySet<string>): RowHead {
  switch (by) {
    case 'month':
      return { id: use.month, label: use.month, about: '', target: null };
    case 'project': {
      if (use.project === null) return BY_HAND;
      const { kind, id, name } = use.project;
      return { id: `${kind} ${id}`, label: name || id, about: kind, target: { kind, id } };
    }
    case 'job': {
      const of = use.project === null ? '' : `${use.project.kind} ${use.project.name}`;
      const answers = answersId(use);
      if (use.job === null || shared.has(answers)) {
        return {
          id: answers,
          label: use.job?.name ?? use.model ?? '',
          about: `answers for ${of}`,
          target: null,
        };
      }
      const { id, name, machineId } = use.job;
      const about = `on ${machineId}${of === '' ? '' : `, ${of}`}`;
      return { id: `job ${id}`, label: name || id, about, target: { kind: 'job', id } };
    }
    default:
      return assertNever(by);
  }
}

function amountOf(uses: readonly MonthlyUse[]): UsageAmount {
  const sum = (of: (use: MonthlyUse) => number): number => uses.reduce((total, use) => total + of(use), 0);
  return {
    gpuHours: sum(({ gpuHours }) => gpuHours),
    hours: sum(({ hours }) => hours),
    jobs: new Set(uses.flatMap(({ job }) => job?.id ?? [])).size,
    promptTokens: sum(({ promptTokens }) => promptTokens),
    completionTokens: sum(({ completionTokens }) => completionTokens),
  };
}

function mostFirst(a: UsageRow, b: UsageRow): number {
  const tokens = (row: UsageRow): number => row.promptTokens + row.completionTokens;
  return b.gpuHours - a.gpuHours || tokens(b) - tokens(a) || b.hours - a.hours || compareText(a.id, b.id);
}
