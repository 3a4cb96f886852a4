import type { MachineFacts } from '../../../../preload/contract';
import { boundedScript, hasTimedOut, parseSections, sectionOf } from '../../../base';
import { AMD_PART, readAmd } from '../gpus/amd-reading';
import { readNvidia } from '../gpus/nvidia-reading';
import { nvidiaPart } from '../gpus/nvidia-script';
import { PROCESS_PART, parseProcessTable } from '../gpus/process-table';
import type { VendorReading } from '../gpus/vendor-reading';
import { parseXidEvents } from '../gpus/xid-events';
import { type ReservationReading, readReservations, reservationsPart } from '../reservation-files';
import { CLOCK_PART, DISK_PART, FACTS_PART, readClock, readFacts } from './machine-facts';

/**
 * Seconds after which a probe answers with its results so far: enough for several nvidia-smi in a row, each with a
 * limit.
 */
export const PROBE_SECONDS = 12;

export type ProbePlan = {
  readonly withFacts: boolean;
  /** False after the driver hung: another nvidia-smi would only hang as well. */
  readonly withGpus: boolean;
  /** Field names that worked the last time; null: all that we know. */
  readonly nvidiaQuery: string | null;
  readonly reservationRoot: string;
};

export type MachineReading = ReservationReading & {
  /** null when not requested, or when the machine did not get to it in time. */
  readonly facts: MachineFacts | null;
  /** null when neither vendor's tool exists, or when not requested. */
  readonly gpus: VendorReading | null;
  readonly nvidiaQuery: string | null;
  /** A GPU's driver did not answer in time. */
  readonly hung: boolean;
};

/** One script for the whole probe: one round trip. */
export function probeScript(plan: ProbePlan): string {
  return boundedScript({
    seconds: PROBE_SECONDS,
    parts: [
      CLOCK_PART,
      reservationsPart(plan.reservationRoot),
      ...(plan.withFacts ? [FACTS_PART, DISK_PART] : []),
      ...(plan.withGpus ? [nvidiaPart(plan.nvidiaQuery), AMD_PART] : []),
    ],
    ...(plan.withGpus ? { afterwards: PROCESS_PART } : {}),
  });
}

/**
 * Reads the script's output. `atSeconds` is the time of the probe by our own clock (since 1970), which all times in the
 * result follow, except the ends of reservations. `iso` writes such a time as an ISO date.
 */
export function readProbe(
  output: string,
  atSeconds: number,
  iso: (seconds: number) => string,
): MachineReading {
  const sections = parseSections(output);
  const clock = readClock(sections);
  const ago = (seconds: number): string => iso(Math.round(atSeconds - seconds));
  const processes = parseProcessTable(sectionOf(sections, 'processes')?.text ?? '');
  const xids =
    clock.uptime === null ? [] : parseXidEvents(sectionOf(sections, 'clock')?.text ?? '', clock.uptime);
  const nvidia = readNvidia(sections, { processes, ago, xids });
  const amd = readAmd(sections, { processes, ago });
  const isLate = (name: string): boolean => hasTimedOut(sectionOf(sections, name)?.code ?? 0);
  return {
    facts: readFacts(sections),
    gpus: merged(nvidia, amd),
    // The machine's clock decides whether one has expired: all its users share it.
    ...readReservations(sections, clock.now ?? atSeconds, iso),
    nvidiaQuery: nvidia?.columns ?? null,
    hung: isLate('nvidia') || isLate('amd') || isLate('nvidia.query'),
  };
}

function merged(a: VendorReading | null, b: VendorReading | null): VendorReading | null {
  if (a === null || b === null) return a ?? b;
  return {
    driver: a.driver ?? b.driver,
    gpus: [...a.gpus, ...b.gpus],
    problems: [...a.problems, ...b.problems],
  };
}
