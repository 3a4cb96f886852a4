import type { Gpu } from '../../../../preload/contract';
import type { Section } from '../../../base';
import { jsonIn, numberFact, textFact, valueAt } from './json-facts';
import { shortCommand } from './process-table';
import {
  gpuIdOf,
  gpuProcess,
  notNegative,
  percent,
  type ReadingContext,
  type VendorReading,
} from './vendor-reading';

const MEBIBYTE = 1_048_576;

/** Reads `rocm-smi --json`: a flat object a card. Its keys changed between versions, so they are matched by their words. */
export function readRocm(answer: Section, stderr: string, context: ReadingContext): VendorReading {
  const parsed = jsonIn(answer.text);
  if (typeof parsed !== 'object' || parsed === null) {
    const why = stderr.trim().split('\n', 1)[0]?.slice(0, 160) ?? '';
    return {
      driver: null,
      gpus: [],
      problems: [`rocm-smi gave no readable answer. ${why}`.trim()],
    };
  }
  const cards = Object.entries(parsed).filter(([name]) => /^card\d{1,4}$/.test(name));
  const system = valueAt(parsed, 'system');
  const processes = processesOf(system, context);
  const problems =
    cards.length > 1 && processes.length > 0
      ? ['rocm-smi does not say which process is on which card; amd-smi would.']
      : [];
  return {
    driver: textFact(factNamed(system, /^driver version$/i)),
    gpus: cards.map(([name, card]) =>
      rocmGpu(Number(name.slice(4)), card, cards.length === 1 ? processes : []),
    ),
    problems,
  };
}

function rocmGpu(index: number, card: unknown, processes: Gpu['processes']): Gpu {
  const number = (key: RegExp): number | null => numberFact(factNamed(card, key));
  const bytes = (key: RegExp): number | null => {
    const value = notNegative(number(key));
    return value === null ? null : Math.round(value / MEBIBYTE);
  };
  return {
    id: gpuIdOf(textFact(factNamed(card, /^unique id$/i))) ?? `amd-card-${index}`,
    index,
    name:
      textFact(factNamed(card, /^card series$/i)) ?? textFact(factNamed(card, /^card model$/i)) ?? 'AMD GPU',
    vendor: 'amd',
    sliceOf: null,
    utilisation: percent(number(/^GPU use \(%\)$/i)),
    memoryUsedMib: bytes(/^VRAM Total Used Memory \(B\)$/i),
    memoryTotalMib: bytes(/^VRAM Total Memory \(B\)$/i),
    temperatureC: number(/^Temperature \(Sensor junction\)/i) ?? number(/^Temperature \(Sensor edge\)/i),
    powerW: notNegative(number(/^(Average|Current Socket) Graphics Package Power/i)),
    powerLimitW: notNegative(number(/^Max Graphics Package Power/i)),
    problems: [],
    processes,
  };
}

/** "PID4711": "python3, 2, 1073741824, 0, 0": name, cards, bytes of VRAM, ... */
function processesOf(system: unknown, context: ReadingContext): Gpu['processes'] {
  if (typeof system !== 'object' || system === null) return [];
  return Object.entries(system).flatMap(([key, value]) => {
    const pid = /^PID([1-9]\d{0,9})$/.exec(key)?.[1];
    if (pid === undefined || typeof value !== 'string') return [];
    const [name = '', , bytes = ''] = value.split(',').map((cell) => cell.trim());
    const memory = notNegative(numberFact(bytes));
    const shown = textFact(name);
    return [
      gpuProcess(
        Number(pid),
        memory === null ? null : Math.round(memory / MEBIBYTE),
        shown === null ? null : shortCommand(shown),
        context,
      ),
    ];
  });
}

function factNamed(record: unknown, key: RegExp): unknown {
  if (typeof record !== 'object' || record === null) return undefined;
  return Object.entries(record).find(([name]) => key.test(name))?.[1];
}
