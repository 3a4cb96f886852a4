import type { Gpu } from '../../../../preload/contract';
import { counted, type ScriptPart, type Section, sectionOf } from '../../../base';
import { firstNumber, jsonIn, listIn, numberFact, textFact, valueAt } from './json-facts';
import { shortCommand } from './process-table';
import { readRocm } from './rocm-reading';
import {
  gpuIdOf,
  gpuProcess,
  notNegative,
  percent,
  type ReadingContext,
  type VendorReading,
  wholeNumber,
} from './vendor-reading';

const NO_SUCH_PROGRAM = 127;

/** Reads what `AMD_PART` wrote; null where the machine has neither amd-smi nor rocm-smi. */
export function readAmd(sections: readonly Section[], context: ReadingContext): VendorReading | null {
  const part = sectionOf(sections, 'amd');
  const list = sectionOf(sections, 'amd.list');
  const rocm = sectionOf(sections, 'rocm.answer');
  if (list !== null) return readAmdSmi(sections, list, context);
  if (rocm !== null) return readRocm(rocm, sectionOf(sections, 'rocm.said')?.text ?? '', context);
  if (part === null || part.code === NO_SUCH_PROGRAM) return null;
  return { driver: null, gpus: [], problems: ['The tool of the AMD driver did not answer in time.'] };
}

function readAmdSmi(sections: readonly Section[], list: Section, context: ReadingContext): VendorReading {
  const problems: string[] = [];
  const answer = (question: string): readonly unknown[] => {
    const section = sectionOf(sections, `amd.${question}`);
    const items = listIn(jsonIn(section?.text ?? ''), 'gpu_data');
    if (items.length === 0) problems.push(`amd-smi ${question} gave no readable answer.`);
    return items;
  };
  const statics = answer('static');
  const metrics = answer('metric');
  const processes = answer('process');
  const ofGpu = (items: readonly unknown[], gpu: unknown): unknown =>
    items.find((item) => valueAt(item, 'gpu') === gpu);

  const gpus = listIn(jsonIn(list.text), 'gpu_data').flatMap((item): readonly Gpu[] => {
    const gpu = valueAt(item, 'gpu');
    const facts = ofGpu(statics, gpu);
    const id =
      gpuIdOf(textFact(valueAt(item, 'uuid'))) ??
      gpuIdOf(textFact(valueAt(facts, 'asic', 'asic_serial'))) ??
      gpuIdOf(textFact(valueAt(item, 'bdf')));
    if (id === null) {
      problems.push('amd-smi listed a GPU without a usable id; it is left out.');
      return [];
    }
    return [
      amdGpu(id, wholeNumber(numberFact(gpu)), facts, ofGpu(metrics, gpu), ofGpu(processes, gpu), context),
    ];
  });
  return { driver: textFact(valueAt(statics[0], 'driver', 'version')), gpus, problems };
}

function amdGpu(
  id: string,
  index: number | null,
  facts: unknown,
  metric: unknown,
  processes: unknown,
  context: ReadingContext,
): Gpu {
  const memory = valueAt(metric, 'mem_usage');
  const limit = valueAt(facts, 'limit');
  const temperatures = valueAt(metric, 'temperature');
  return {
    id,
    index,
    name:
      textFact(valueAt(facts, 'asic', 'market_name')) ??
      textFact(valueAt(facts, 'board', 'product_name')) ??
      'AMD GPU',
    vendor: 'amd',
    sliceOf: null,
    utilisation: percent(numberFact(valueAt(metric, 'usage', 'gfx_activity'))),
    memoryUsedMib: notNegative(
      firstNumber(valueAt(memory, 'used_vram'), valueAt(memory, 'used_visible_vram')),
    ),
    memoryTotalMib: notNegative(firstNumber(valueAt(memory, 'total_vram'), valueAt(facts, 'vram', 'size'))),
    temperatureC: firstNumber(valueAt(temperatures, 'hotspot'), valueAt(temperatures, 'edge')),
    powerW: notNegative(
      firstNumber(valueAt(metric, 'power', 'socket_power'), valueAt(metric, 'power', 'current_socket_power')),
    ),
    powerLimitW: notNegative(
      firstNumber(
        valueAt(limit, 'socket_power'),
        valueAt(limit, 'ppt0', 'socket_power_limit'),
        valueAt(limit, 'max_power'),
      ),
    ),
    problems: eccProblems(metric),
    processes: listIn(valueAt(processes, 'process_list'), '').flatMap((item) => {
      const info = valueAt(item, 'process_info');
      const pid = wholeNumber(numberFact(valueAt(info, 'pid')));
      if (pid === null || pid === 0) return [];
      const name = textFact(valueAt(info, 'name'));
      const memoryMib = mebibytes(valueAt(info, 'memory_usage', 'vram_mem'));
      return [gpuProcess(pid, memoryMib, name === null ? null : shortCommand(name), context)];
    }),
  };
}

function eccProblems(metric: unknown): string[] {
  const errors = numberFact(valueAt(metric, 'ecc', 'total_uncorrectable_count')) ?? 0;
  return errors > 0
    ? [`${counted(errors, 'memory error')} (ECC) that could not be corrected: results may be wrong.`]
    : [];
}

/** {"value": 12, "unit": "MB"} as MiB (the tool says MB and means MiB). */
function mebibytes(value: unknown): number | null {
  const amount = notNegative(numberFact(value));
  if (amount === null) return null;
  switch (valueAt(value, 'unit')) {
    case 'GB':
      return amount * 1_024;
    case 'MB':
      return amount;
    case 'KB':
      return amount / 1_024;
    default:
      return amount / 1_048_576;
  }
}

const QUERY_SECONDS = 8;

/** What rocm-smi is asked for, where amd-smi does not answer. */
const ROCM_QUESTIONS =
  '--showuniqueid --showproductname --showuse --showmeminfo vram --showtemp --showpower --showmaxpower --showdriverversion --showpids';

/** Asks amd-smi (ROCm 6 and later), else rocm-smi, for JSON. */
export const AMD_PART: ScriptPart = {
  name: 'amd',
  body: `
  if command -v amd-smi >/dev/null 2>&1 && limited ${QUERY_SECONDS} amd-smi list --json >"$work/amd.list" 2>&1 && grep -q '"gpu"' "$work/amd.list"; then
    section amd.list 0
    cat "$work/amd.list"
    for question in static metric process; do
      limited ${QUERY_SECONDS} amd-smi "$question" --json >"$work/amd.answer" 2>/dev/null; code=$?
      section "amd.$question" "$code"
      cat "$work/amd.answer"
      [ "$question" != process ] || sed -n 's/.*"pid": *\\([0-9][0-9]*\\).*/\\1/p' "$work/amd.answer" >"$work/amd.pids"
    done
    return 0
  fi
  command -v rocm-smi >/dev/null 2>&1 || return 127
  limited ${QUERY_SECONDS} rocm-smi ${ROCM_QUESTIONS} --json >"$work/rocm" 2>"$work/rocm.said"; code=$?
  section rocm.answer "$code"
  cat "$work/rocm"
  section rocm.said 0
  cat "$work/rocm.said"
  tr ',' '\\n' <"$work/rocm" | sed -n 's/.*"PID\\([0-9][0-9]*\\)".*/\\1/p' >"$work/amd.pids"`,
};
