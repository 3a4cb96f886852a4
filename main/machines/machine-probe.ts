import type { GpuReading, MachineFacts, Refusal, Reservation } from '../../preload/contract';
import { failed, ok, type Result } from '../base';
import { type KnownCard, knownCards, vanishedCards, withReading } from './logic/gpus/history';
import {
  type MachineReading,
  PROBE_SECONDS,
  type ProbePlan,
  probeScript,
  readProbe,
} from './logic/probe/machine-reading';
import { leftOutSentence } from './logic/reservation-files';
import type { AsyncResult, Machine } from './machine';

/** A younger result is reused. */
const FRESH_MS = 2_000;
/** Memory and cores do not change while it is up; its free disk space does, slowly. */
const FACTS_MS = 600_000;
/** After a driver hung, its tools are not run again for so long: another one would only hang as well. */
const HUNG_PAUSE_MS = 60_000;
/** The script ends by itself well before; this is for a dead connection. */
const RUN_TIMEOUT_MS = (PROBE_SECONDS + 13) * 1_000;

/** The known facts about one machine, apart from its connection. */
type KnownFacts = {
  readonly facts: MachineFacts | null;
  readonly gpus: GpuReading | null;
  readonly reservations: readonly Reservation[];
  /** See `MachineView`. */
  readonly reservationProblem: string | null;
};

/** Probes one machine and keeps the results, also while the machine cannot be reached. */
export class MachineProbe {
  readonly #now: () => number;
  readonly #reservationRoot: string;
  readonly #onProbed: () => void;
  #known: KnownFacts = { facts: null, gpus: null, reservations: [], reservationProblem: null };
  #cards: readonly KnownCard[] = [];
  #factsAtMs = Number.NEGATIVE_INFINITY;
  #probedAtMs = Number.NEGATIVE_INFINITY;
  #hungAtMs = Number.NEGATIVE_INFINITY;
  #nvidiaQuery: string | null = null;
  #running: Promise<Result<null, Refusal>> | null = null;

  constructor(options: {
    readonly now: () => number;
    readonly reservationRoot: string;
    /** Called after every successful probe. */
    readonly onProbed: () => void;
  }) {
    this.#now = options.now;
    this.#onProbed = options.onProbed;
    this.#reservationRoot = options.reservationRoot;
  }

  /** Without reservations that have expired since the last probe. */
  lastReading(): KnownFacts {
    const now = new Date(this.#now()).toISOString();
    return { ...this.#known, reservations: this.#known.reservations.filter(({ until }) => until > now) };
  }

  get probedAtMs(): number {
    return this.#probedAtMs;
  }

  /** It may be another computer by now, or have rebooted: everything is read again. */
  forgetFacts(): void {
    this.#factsAtMs = Number.NEGATIVE_INFINITY;
    this.#probedAtMs = Number.NEGATIVE_INFINITY;
    this.#hungAtMs = Number.NEGATIVE_INFINITY;
    this.#nvidiaQuery = null;
    this.#cards = [];
  }

  /** Probes unless there is a fresh result. Callers during a probe share it. */
  async probe(machine: Machine): AsyncResult<null> {
    if (this.#running !== null) return this.#running;
    if (this.#now() - this.#probedAtMs < FRESH_MS) return ok(null);
    return this.#startProbe(machine);
  }

  /** A probe that starts after this call, so that it sees earlier changes there. */
  async probeAgain(machine: Machine): AsyncResult<null> {
    if (this.#running !== null) await this.#running;
    return this.#running ?? this.#startProbe(machine);
  }

  #startProbe(machine: Machine): Promise<Result<null, Refusal>> {
    const running = this.#runProbe(machine).finally(() => {
      this.#running = null;
    });
    this.#running = running;
    return running;
  }

  async #runProbe(machine: Machine): AsyncResult<null> {
    const startMs = this.#now();
    const plan: ProbePlan = {
      withFacts: startMs - this.#factsAtMs >= FACTS_MS,
      withGpus: startMs - this.#hungAtMs >= HUNG_PAUSE_MS,
      nvidiaQuery: this.#nvidiaQuery,
      reservationRoot: this.#reservationRoot,
    };
    const answer = await machine.run(probeScript(plan), { timeoutMs: RUN_TIMEOUT_MS });
    const atMs = this.#now();
    if (!answer.ok) return answer;
    const { code, stdout, stderr } = answer.value;
    if (code !== 0)
      return failed({
        code: 'unavailable',
        message:
          `${machine.spec.name} could not be probed (exit code ${code}). ${stderr.trim().slice(-300)}`.trim(),
      });
    this.#store(readProbe(stdout, atMs / 1_000, iso), plan, atMs);
    this.#onProbed();
    return ok(null);
  }

  #store(reading: MachineReading, plan: ProbePlan, atMs: number): void {
    this.#probedAtMs = atMs;
    if (reading.facts !== null) this.#factsAtMs = atMs;
    if (reading.hung) this.#hungAtMs = atMs;
    this.#nvidiaQuery = reading.nvidiaQuery ?? this.#nvidiaQuery;
    this.#known = {
      facts: reading.facts ?? this.#known.facts,
      gpus: plan.withGpus ? this.#gpuReading(reading, iso(atMs / 1_000)) : this.#known.gpus,
      reservations: reading.reservations,
      reservationProblem: leftOutSentence(reading.leftOut),
    };
  }

  #gpuReading(probed: MachineReading, at: string): GpuReading | null {
    if (probed.gpus === null) return null;
    const { driver, gpus, problems } = probed.gpus;
    const before = this.#known.gpus;
    // A hanging driver reports no cards: the last reading stays, with its own time and the problem.
    if (probed.hung && gpus.length === 0 && before !== null) return { ...before, problems: [...problems] };
    const reading = {
      at,
      driver,
      gpus: [...gpus],
      problems: [...problems, ...(gpus.length === 0 ? [] : vanishedCards(this.#cards, gpus))],
      history: withReading(before?.history ?? {}, at, gpus),
    };
    this.#cards = knownCards(this.#cards, at, gpus);
    return reading;
  }
}

function iso(seconds: number): string {
  return new Date(seconds * 1_000).toISOString();
}
