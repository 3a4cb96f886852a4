import type { Gpu } from '../../../../preload/contract';
import { linesOf, printableText, type Section, sectionOf } from '../../../base';
import { cardProblems, holdBackReason } from './card-problems';
import { lostCardSentences, nvidiaProblem } from './driver-problem';
import { type ListedSlice, parseSliceList, parseSliceUsage, type SliceUsage } from './mig-slices';
import {
  cellNumber,
  cellText,
  isGpuUuid,
  isNvidiaQuery,
  type NvidiaRow,
  readNvidiaRow,
} from './nvidia-fields';
import { NVIDIA_PROCESS_COLUMNS } from './nvidia-script';
import {
  gpuProcess,
  notNegative,
  percent,
  type ReadingContext,
  type VendorReading,
  wholeNumber,
} from './vendor-reading';
import { cardFailures, type XidEvent, xidProblems } from './xid-events';

/** Exit code of `nvidiaPart` where the program does not exist. */
const NO_SUCH_PROGRAM = 127;

type NvidiaProcess = { gpuId: string; pid: number; memoryMib: number | null };

/** Reads the output of `nvidiaPart`: whatever could be read, with a sentence for the rest. */
export function readNvidia(
  sections: readonly Section[],
  context: ReadingContext & { readonly xids: readonly XidEvent[] },
): (VendorReading & { readonly columns: string | null }) | null {
  const part = sectionOf(sections, 'nvidia');
  const query = sectionOf(sections, 'nvidia.query');
  if (query === null)
    return part === null || part.code === NO_SUCH_PROGRAM
      ? null
      : {
          driver: null,
          gpus: [],
          problems: [nvidiaProblem('', part.code) ?? 'nvidia-smi gave no answer.'],
          columns: null,
        };

  const cards = sections
    .filter(({ name }) => name === 'nvidia.card')
    .map(({ code, text, note }) => {
      const [id = '', columns = ''] = note.split(' ');
      return { id, code, text, columns };
    });
  const { rows, unread } = cardRows([{ ...query, columns: query.note }, ...cards]);
  const list = sectionOf(sections, 'nvidia.list');
  const slices = list === null ? [] : parseSliceList(list.text);
  const usage = parseSliceUsage(sectionOf(sections, 'nvidia.xml')?.text ?? '');
  const processList = sectionOf(sections, 'nvidia.processes');
  const { processes, unread: unreadProcesses } = readProcesses(processList);

  const gpus = rows.flatMap((row): readonly Gpu[] => {
    if (row.id === null) return [];
    const own = slices.filter(({ parent }) => parent === row.id);
    const reason = holdBackReason(row, cardFailures(context.xids, row.busId));
    const held = reason === null ? {} : { heldBack: reason };
    return [
      { ...cardOf(row, row.id, processes, context), ...held },
      ...own.map((slice) => ({ ...sliceOf(slice, row, usage, processes, context), ...held })),
    ];
  });
  const problems = [
    ...queryProblem(query, list, rows.length),
    ...lostCardSentences([query, ...(list === null ? [] : [list])].map(({ text }) => text).join('\n')),
    ...cards.flatMap(({ id, code, text }) =>
      code === 0 ? [] : [`The GPU ${id} did not answer: ${firstLine(text)}`],
    ),
    ...unread,
    ...processListProblem(processList, rows.length, unreadProcesses),
  ];
  const driver = rows.find((row) => row.driver !== null)?.driver ?? null;
  const columns = query.code === 0 && isNvidiaQuery(query.note) ? query.note : null;
  return { driver, gpus, problems: [...new Set(problems)], columns };
}

/** `columns`: the names of the columns, separated by commas. */
function cardRows(
  answers: readonly { readonly code: number; readonly text: string; readonly columns: string }[],
) {
  const rows = new Map<string, NvidiaRow>();
  const unread: string[] = [];
  for (const { code, text, columns } of answers) {
    for (const line of linesOf(text)) {
      const row = readNvidiaRow(line, columns.split(','));
      if (row?.id != null && isGpuUuid(row.id)) rows.set(row.id, row);
      else if (row?.id != null)
        unread.push(`nvidia-smi listed a GPU with an invalid UUID (${shown(row.id)}); it is left out.`);
      else if (row !== null) unread.push('nvidia-smi listed a GPU without its UUID; it is left out.');
      else if (code === 0 && !/no devices were found/i.test(line))
        unread.push(`A line of nvidia-smi could not be read: ${shown(line)}`);
    }
  }
  const ordered = [...rows.values()].sort((a, b) => (cellNumber(a.index) ?? 0) - (cellNumber(b.index) ?? 0));
  return {
    rows: ordered,
    unread: unread.filter((sentence) => !/determine the device handle/i.test(sentence)),
  };
}

/** Where single cards answered although the whole query failed, the lost card is the problem, not the failed query. */
function queryProblem(query: Section, list: Section | null, rows: number): readonly string[] {
  const problem = nvidiaProblem(query.text, query.code);
  if (problem === null || (rows > 0 && query.code !== 0 && list?.code === 0)) return [];
  return [problem];
}

function processListProblem(section: Section | null, rows: number, unread: number): readonly string[] {
  if (rows === 0) return [];
  if (section !== null && section.code === 0)
    return unread === 0
      ? []
      : [`${unread} ${unread === 1 ? 'line' : 'lines'} of nvidia-smi's list of processes could not be read.`];
  return ['nvidia-smi did not list the processes on the GPUs: it is not known who uses them.'];
}

/** `unread`: lines that are no process. */
function readProcesses(section: Section | null): {
  readonly processes: readonly NvidiaProcess[];
  readonly unread: number;
} {
  const processes: NvidiaProcess[] = [];
  let unread = 0;
  for (const line of section === null || section.code !== 0 ? [] : linesOf(section.text)) {
    const cells = line.split(',').map((cell) => cell.trim());
    const [gpuId = '', pid = '', memory = ''] = cells;
    const isRow = cells.length === NVIDIA_PROCESS_COLUMNS.length;
    if (isRow && isGpuUuid(gpuId) && /^\d{1,10}$/.test(pid) && Number(pid) > 0) {
      processes.push({ gpuId, pid: Number(pid), memoryMib: notNegative(cellNumber(cellText(memory))) });
    } else if (!/^no running processes|^\[?N\/A/i.test(line)) unread += 1;
  }
  return { processes, unread };
}

/** Output of a machine, for use in a sentence. */
function shown(text: string): string {
  return printableText(text).slice(0, 120);
}

function cardOf(
  row: NvidiaRow,
  id: string,
  processes: readonly NvidiaProcess[],
  context: ReadingContext & { readonly xids: readonly XidEvent[] },
): Gpu {
  return {
    id,
    index: wholeNumber(cellNumber(row.index)),
    name: printableText(row.name ?? 'NVIDIA GPU'),
    vendor: 'nvidia',
    sliceOf: null,
    utilisation: percent(cellNumber(row.utilisation)),
    memoryUsedMib: notNegative(cellNumber(row.memoryUsed)),
    memoryTotalMib: notNegative(cellNumber(row.memoryTotal)),
    temperatureC: cellNumber(row.temperature),
    powerW: notNegative(cellNumber(row.power)),
    powerLimitW: notNegative(cellNumber(row.powerLimit)),
    problems: [...cardProblems(row), ...xidProblems(context.xids, row.busId, context.ago)],
    processes: processes
      .filter(({ gpuId }) => gpuId === id)
      .map(({ pid, memoryMib }) => gpuProcess(pid, memoryMib, null, context)),
  };
}

/** Use, heat and power of a single slice are not reported by the driver. */
function sliceOf(
  slice: ListedSlice,
  parent: NvidiaRow,
  usages: readonly SliceUsage[],
  processes: readonly NvidiaProcess[],
  context: ReadingContext,
): Gpu {
  const usage = usages.find((usage) => usage.parent === slice.parent && usage.index === slice.index);
  const direct = processes.filter(({ gpuId }) => gpuId === slice.id);
  const sliceProcesses = direct.length > 0 ? direct : (usage?.processes ?? []);
  return {
    id: slice.id,
    index: slice.index,
    name: printableText(`${parent.name ?? 'NVIDIA GPU'} MIG ${slice.profile}`),
    vendor: 'nvidia',
    sliceOf: slice.parent,
    utilisation: null,
    memoryUsedMib: usage?.memoryUsedMib ?? null,
    memoryTotalMib: usage?.memoryTotalMib ?? null,
    temperatureC: null,
    powerW: null,
    powerLimitW: null,
    problems: [],
    processes: sliceProcesses.map(({ pid, memoryMib }) => gpuProcess(pid, memoryMib, null, context)),
  };
}

function firstLine(text: string): string {
  return linesOf(text).map(printableText)[0]?.slice(0, 160) ?? 'no reason given.';
}
