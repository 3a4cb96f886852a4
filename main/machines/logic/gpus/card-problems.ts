import { counted } from '../../../base/index';
import { cellNumber, type NvidiaRow } from './nvidia-fields';

/** Bits of the clocks' event reasons (nvml.h) that slow a card down for its own protection. */
const SLOWDOWNS: readonly (readonly [bit: number, sentence: string])[] = [
  [0x40, 'Slowed down by the hardware because it is too hot: check its cooling.'],
  [0x80, 'Slowed down by the hardware because of its power supply (power brake).'],
  [0x20, 'Slowed down by the driver because it is too hot.'],
];
/** Set together with one of the two hardware reasons above; alone it says no more than that. */
const HARDWARE_SLOWDOWN = 0x8;

/** Sentences about what is wrong with one card. Reaching the power limit is not a problem: a busy card does. */
export function cardProblems(row: NvidiaRow): readonly string[] {
  return [...memoryProblems(row), ...slowdownProblems(row), ...recoveryProblems(row), ...fabricProblems(row)];
}

function memoryProblems(row: NvidiaRow): readonly string[] {
  const errors = cellNumber(row.uncorrectedErrors) ?? 0;
  const problems: string[] = [];
  if (errors > 0) {
    const many = counted(errors, 'memory error');
    problems.push(
      `${many} (ECC) that could not be corrected since the driver was loaded: results may be wrong.`,
    );
  }
  if (isYes(row.pagesPending) || isYes(row.rowsPending))
    problems.push('Bad memory pages will be retired at the next reset or reboot.');
  return problems;
}

/** Newer drivers also write how many. */
function isYes(cell: string | null): boolean {
  return cell !== null && /^(?:yes|true|[1-9]\d{0,9})$/i.test(cell);
}

/**
 * Why a card should be given to nobody who does not ask for it by name: its results may be wrong, or its programs end.
 * null: nothing. `xids`: codes of the kernel's log that say so.
 */
export function holdBackReason(row: NvidiaRow, xids: readonly number[]): string | null {
  const errors = cellNumber(row.uncorrectedErrors) ?? 0;
  const reasons = [
    ...(errors > 0 ? ['uncorrected memory errors (ECC)'] : []),
    ...(isYes(row.pagesPending) || isYes(row.rowsPending) ? ['bad memory that waits for a reset'] : []),
    ...(isYes(row.resetRequired) || recoveryProblems(row).length > 0
      ? ['a reset that the driver asks for']
      : []),
    ...xids.map((code) => `XID ${code}`),
  ];
  return reasons.length === 0 ? null : reasons.join(', ');
}

function slowdownProblems(row: NvidiaRow): readonly string[] {
  const bits = row.slowdowns === null ? 0 : Number.parseInt(row.slowdowns, 16);
  if (Number.isNaN(bits)) return [];
  const slowdowns = SLOWDOWNS.filter(([bit]) => (bits & bit) !== 0).map(([, sentence]) => sentence);
  return slowdowns.length === 0 && (bits & HARDWARE_SLOWDOWN) !== 0
    ? ['Slowed down by the hardware (heat or power).']
    : slowdowns;
}

function recoveryProblems(row: NvidiaRow): readonly string[] {
  const action = row.recovery;
  if (action !== null && !/\bnone\b/i.test(action)) return [`The driver asks for a recovery: ${action}.`];
  return isYes(row.resetRequired) ? ['The driver asks for a reset of this GPU.'] : [];
}

/** NVSwitch machines: until their fabric is up, CUDA fails on every card. Some drivers write "state  Completed". */
function fabricProblems({ fabric }: NvidiaRow): readonly string[] {
  return fabric !== null && /not started|in progress/i.test(fabric)
    ? [
        `Its NVLink fabric is not up (${fabric}): CUDA fails with "system not yet initialized" (802). Ask for \`systemctl restart nvidia-fabricmanager\`.`,
      ]
    : [];
}
