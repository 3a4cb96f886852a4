import { linesOf } from '../../../base';

/** A line of the kernel's log in which the NVIDIA driver reports an error of a GPU. */
export type XidEvent = {
  readonly bus: string;
  readonly code: number;
  readonly text: string;
  readonly secondsAgo: number;
};

/** Faults of a program, not of the card (NVIDIA's table of XID errors): of interest for a day. */
const PROGRAM_FAULTS = new Set([13, 31, 43, 45, 68]);
const DAY_SECONDS = 86_400;

/** Errors after which the card's results may be wrong, or it no longer answers, until a reset or reboot. */
const CARD_FAILURES = new Set([48, 61, 62, 64, 74, 79, 95, 119, 120, 140]);

/** Actions for errors of the card (the same table). */
const MEANINGS: ReadonlyMap<number, string> = new Map([
  [
    48,
    'A memory error that could not be corrected; restart what runs on it, and reset the GPU if it comes again.',
  ],
  [61, 'A fault of the internal controller; reset the GPU.'],
  [62, 'A fault of the internal controller; reset the GPU.'],
  [63, 'A bad row or page of memory was retired; this takes effect after a reset of the GPU.'],
  [64, 'A bad row or page of memory could not be retired; have the card checked.'],
  [74, 'An NVLink error; several GPUs together may fail. Have the link checked.'],
  [79, 'It fell off the bus; the machine needs a reboot, often a power cycle.'],
  [92, 'Many corrected memory errors; have the card checked.'],
  [94, 'A memory error that was contained: only the affected program had to end.'],
  [95, 'A memory error that was not contained; reset the GPU.'],
  [119, 'Its firmware stopped answering; reset the GPU or reboot.'],
  [120, 'Its firmware failed; reset the GPU or reboot.'],
  [140, 'A memory error that could not be recovered from; reset the GPU.'],
]);

/**
 * Lines such as "[ 1843.3] NVRM: Xid (PCI:0000:44:00): 79, pid=7, GPU has fallen off the bus." Their times count from
 * the boot, as `uptimeSeconds` does.
 */
export function parseXidEvents(text: string, uptimeSeconds: number): readonly XidEvent[] {
  return linesOf(text).flatMap((line) => {
    const at = line.search(/NVRM: Xid \(/i);
    if (at === -1) return [];
    const [, stamp] = /\[\s*(\d+(?:\.\d+)?)\]/.exec(line.slice(0, at)) ?? [];
    const [, bus, code, rest = ''] =
      /^.{11}(?:PCI:)?([0-9a-f:.]+)\): (\d+)(?:$|, ([\s\S]*))/i.exec(line.slice(at)) ?? [];
    if (stamp === undefined || bus === undefined || code === undefined) return [];
    const secondsAgo = Math.max(0, Math.round(uptimeSeconds - Number(stamp)));
    return [{ bus: busKey(bus), code: Number(code), text: rest.slice(0, 160), secondsAgo }];
  });
}

/** Codes of one GPU's failures since the machine was booted, each once, sorted. */
export function cardFailures(events: readonly XidEvent[], busId: string | null): readonly number[] {
  if (busId === null) return [];
  const codes = events.filter(({ bus, code }) => bus === busKey(busId) && CARD_FAILURES.has(code));
  return [...new Set(codes.map(({ code }) => code))].sort((a, b) => a - b);
}

/** Sentences about one GPU, the last event of each code; `at` gives the time of an event as a text. */
export function xidProblems(
  events: readonly XidEvent[],
  busId: string | null,
  at: (secondsAgo: number) => string,
): readonly string[] {
  if (busId === null) return [];
  const last = new Map<number, { event: XidEvent; times: number }>();
  for (const event of events) {
    if (event.bus !== busKey(busId)) continue;
    if (PROGRAM_FAULTS.has(event.code) && event.secondsAgo > DAY_SECONDS) continue;
    const previous = last.get(event.code);
    const isLater = previous === undefined || event.secondsAgo <= previous.event.secondsAgo;
    last.set(event.code, { event: isLater ? event : previous.event, times: (previous?.times ?? 0) + 1 });
  }
  return [...last.values()].map(({ event, times }) => {
    const often = times === 1 ? '' : `, ${times} times`;
    const meaning = PROGRAM_FAULTS.has(event.code)
      ? 'Most often a fault of the program that ran, not of the card.'
      : (MEANINGS.get(event.code) ?? `The driver said: ${event.text}`);
    return `XID ${event.code} in the kernel log (last at ${at(event.secondsAgo)}${often}). ${meaning}`;
  });
}

/** "00000000:44:00.0", "0000:44:00.0", "0000:44:00" name the same card: domain, bus and device as numbers. */
export function busKey(bus: string): string {
  const parts = bus.replace(/\.\d+$/, '').split(':');
  const [device = '', number = '', domain = '0'] = parts.reverse();
  return [domain, number, device].map((part) => Number.parseInt(part, 16)).join(':');
}
