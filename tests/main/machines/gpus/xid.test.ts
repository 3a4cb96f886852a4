import { expect, test } from 'vitest';
import { busKey, parseXidEvents, xidProblems } from '../../../../main/machines/logic/gpus/xid-events';

const LOG = `[  100.000000] NVRM: Xid (PCI:0000:44:00): 79, pid=4711, GPU has fallen off the bus.
[ 1843.312000] NVRM: Xid (PCI:0000:c4:00): 31, pid=812, name=python, Ch 00000008, intr 00000000. MMU Fault
[ 1850.000000] NVRM: Xid (PCI:0000:c4:00): 31, pid=813, name=python, Ch 00000008
[ 1900.5] [drm] something else
[ 2000.5] NVRM: Xid (PCI:0000:44:00): 63, pid='<unknown>', name=<unknown>, Row Remapper`;
const UPTIME = 3_843;
const ago = (seconds: number) => `${seconds} s ago`;

test('an error is reported at the card whose address it names, with its meaning', () => {
  expect(xidProblems(parseXidEvents(LOG, UPTIME), '00000000:44:00.0', ago)).toEqual([
    'XID 79 in the kernel log (last at 3743 s ago). It fell off the bus; the machine needs a reboot, often a power cycle.',
    'XID 63 in the kernel log (last at 1843 s ago). A bad row or page of memory was retired; this takes effect after a reset of the GPU.',
  ]);
  expect(xidProblems(parseXidEvents(LOG, UPTIME), '00000000:45:00.0', ago)).toEqual([]);
});

test('a repeated error is reported once, and a program error names the program', () => {
  expect(xidProblems(parseXidEvents(LOG, UPTIME), '00000000:C4:00.0', ago)).toEqual([
    'XID 31 in the kernel log (last at 1993 s ago, 2 times). Most often a fault of the program that ran, not of the card.',
  ]);
});

test('a program error of the day before yesterday is of no interest, a card error is', () => {
  const twoDays = UPTIME + 2 * 86_400;
  expect(xidProblems(parseXidEvents(LOG, twoDays), '0000:c4:00', ago)).toEqual([]);
  expect(xidProblems(parseXidEvents(LOG, twoDays), '0000:44:00', ago)).toHaveLength(2);
});

test('all ways to write an address are one', () => {
  const keys = ['00000000:C4:00.0', '0000:c4:00.0', '0000:c4:00', 'c4:00'].map(busKey);
  expect(new Set(keys)).toEqual(new Set(['0:196:0']));
});
