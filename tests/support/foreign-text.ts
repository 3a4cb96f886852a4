import { hideKnown, nameTable } from '../../main/app/logic/hide-names';
import { parsedJson, parsedJsonWithin, parseSections } from '../../main/base';
import { hideSecrets } from '../../main/base/hide-secrets';
import { dataSetOf, problemFiles } from '../../main/benchmarks/logic/hub-files';
import { importName } from '../../main/benchmarks/logic/import-options';
import { JsonListSplitter } from '../../main/benchmarks/logic/json-list-splitter';
import { testsOtherFunction } from '../../main/benchmarks/logic/other-function';
import { PickledString } from '../../main/benchmarks/logic/pickled-string';
import { isPythonJson, rawElements, rawFields } from '../../main/benchmarks/logic/raw-json';
import { recordedRow, rowsOfObject } from '../../main/benchmarks/logic/recorded-row';
import { formOf, PUBLISHED_FORMS } from '../../main/benchmarks/logic/row-formats';
import { withinRowSize } from '../../main/benchmarks/logic/row-size';
import { parseAnswerLine } from '../../main/benchmarks/logic/source-answer';
import { statementExamples } from '../../main/benchmarks/logic/statement-examples';
import { parseTableLine } from '../../main/benchmarks/logic/table-lines';
import { readExhibit } from '../../main/exhibits/logic/read-exhibit';
import { mayShareProcess } from '../../main/grading/logic/shares-process';
import { parseFound } from '../../main/jobs/logic/search-script';
import { parseAccounting, parseJobLine } from '../../main/jobs/logic/slurm/accounting';
import { parseCluster } from '../../main/jobs/logic/slurm/cluster';
import { parseQueue } from '../../main/jobs/logic/slurm/queue';
import { parseRoom } from '../../main/machines/logic/clean-scripts';
import { parseTrials } from '../../main/machines/logic/doctor/import-trial';
import { readAmd } from '../../main/machines/logic/gpus/amd-reading';
import { lostCardSentences } from '../../main/machines/logic/gpus/driver-problem';
import { jsonIn } from '../../main/machines/logic/gpus/json-facts';
import { parseSliceList, parseSliceUsage } from '../../main/machines/logic/gpus/mig-slices';
import { NVIDIA_QUERY } from '../../main/machines/logic/gpus/nvidia-fields';
import { readNvidia } from '../../main/machines/logic/gpus/nvidia-reading';
import { parseProcessTable, shortCommand } from '../../main/machines/logic/gpus/process-table';
import { parseXidEvents } from '../../main/machines/logic/gpus/xid-events';
import { parseDigests } from '../../main/machines/logic/manifest';
import { readNodeProbe } from '../../main/machines/logic/node-probe';
import { readFacts } from '../../main/machines/logic/probe/machine-facts';
import { parseSshConfig } from '../../main/machines/logic/ssh-config';
import { plainText } from '../../main/machines/logic/ssh-prompt';
import { tokenCounts } from '../../main/metrics/diversity/algorithm-measures';
import { readStatement } from '../../main/pocket/statement';
import { extractProgram } from '../../main/search';
import { parsePython } from '../../main/search/python-syntax';
import { readCompletion, readModels } from '../../main/servers/logic/chat-answer';
import { parseChatRequest } from '../../main/servers/logic/chat-request';
import { diagnose } from '../../main/servers/logic/diagnose';
import { ENGINES } from '../../main/servers/logic/engines';
import { readSamples } from '../../main/servers/logic/prometheus';
import { StreamAnswer } from '../../main/servers/logic/stream-answer';
import { readWeightsProbe } from '../../main/servers/logic/weights-probe';
import { readRecipe } from '../../main/trainings/logic/recipe';
import { ConsoleReader } from '../../main/trainings/logic/watch/console-reader';
import { readEvent } from '../../main/trainings/logic/watch/event-message';
import { errorAtEnd, sentenceAtEnd } from '../../main/trainings/logic/watch/log-ending';
import { ProgressBars } from '../../main/trainings/logic/watch/log-lines';
import { pythonLiteral } from '../../main/trainings/logic/watch/python-literal';
import { RecordReader } from '../../main/trainings/logic/watch/record-reader';
import { parseStepRollouts } from '../../main/trainings/logic/watch/step-rollouts';
import { generatedSample, parseWorkflow } from '../../main/trainings/logic/watch/workflow-rollouts';
import { portsInLog, serverLaunchSchema } from '../../preload/contract';
import { answerParts } from '../../renderer/training/rollout-list';

/** What reads text that others wrote; `units`: what makes its worst texts when it is repeated, behind `begin`. */
export type ForeignReader = {
  readonly name: string;
  readonly read: (text: string) => unknown;
  readonly begin?: string;
  readonly end?: string;
  readonly units?: readonly string[];
};

const launch = serverLaunchSchema.parse({
  id: 'l',
  name: 'L',
  engine: 'vllm',
  machineId: 'local',
  weights: 'org/model',
  model: 'm',
  gpus: 2,
});

/** Every reader gets these too. */
const COMMON = [
  ...[
    ' ',
    '\n',
    '\t',
    '\r',
    'a',
    '0',
    '-',
    '/',
    '.',
    '"',
    "'",
    '\\"',
    '(',
    '[',
    '{',
    '}',
    ',',
    ':',
    '=',
    '<',
    '`',
    '_',
  ],
  ...[
    'a ',
    'a\n',
    ' \n',
    '0 0.0',
    'a=',
    '"a":',
    '{"a":',
    '[[',
    '():',
    '```',
    '```python\n',
    'x.',
    '\\',
    '\ufffd',
    '\u001b]',
    'é',
  ],
];

const MANY_NAMES = nameTable(
  Array.from({ length: 11_000 }, (_, at) => ({ name: `Run ${at} of the sweep`, as: '<name>' })),
);

/** Like the stream's pieces that a socket gives. */
const PIECE = 16_384;

function inPieces(text: string, take: (piece: string) => void): void {
  for (let at = 0; at < text.length; at += PIECE) take(text.slice(at, at + PIECE));
}

/** Sections of a machine's answer that all have this text. */
function answers(text: string, ...names: readonly string[]) {
  return names.map((name) => ({ name, code: 0, note: NVIDIA_QUERY, text }));
}

const GPU_CONTEXT = { processes: new Map(), ago: () => '', xids: [] };
const GPU_UUID = 'GPU-5b1a6a0c-0000-4000-8000-000000000001';

function readConsole(text: string, form: 'python-dict' | 'pairs'): void {
  const reader = new ConsoleReader({ form, stepKey: null, names: {}, agentAt: () => null });
  inPieces(text, (piece) => reader.push(piece, () => {}));
}

/** As an import does: the size before the form, the form before the values. */
function readRow(text: string): void {
  const row = withinRowSize(text);
  if (!row.ok) return;
  formOf(row.value, 'auto');
  for (const { read } of PUBLISHED_FORMS) read(row.value);
}

function readRecorded(text: string): void {
  const row = withinRowSize(text);
  const value = row.ok ? parsedJson(row.value) : null;
  recordedRow(value);
  if (typeof value === 'object' && value !== null) rowsOfObject(value);
}

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** The table of all readers of foreign text that is held in memory as a whole. */
export const FOREIGN_READERS: readonly ForeignReader[] = [
  // Answers of models, and programs.
  { name: 'a fenced answer', read: (text) => extractProgram(text, 'last-fence') },
  {
    name: 'a program in a fence',
    read: (text) => extractProgram(text, 'python-fence'),
    begin: '```python\n',
    end: '\n```',
    units: [
      'x = 1\n',
      '(',
      'x = [',
      'a b ',
      'if x:\n ',
      'def f(:\n',
      '{1:',
      'x if y else ',
      'This is, some text: of a model. ',
    ],
  },
  {
    name: 'which tests share a process',
    read: mayShareProcess,
    units: ['io.', 'io..', 'time..', '; import ', ':from a'],
  },
  {
    name: 'tokens of a program',
    read: (text) => tokenCounts([text]),
    units: ['\\"', '"""$', "'''$", '"\\\n'],
  },
  { name: 'the syntax of a program', read: parsePython, units: ['(', 'not ', '-', 'x[', '1+', 'lambda:'] },
  { name: 'parts of an answer', read: answerParts, units: ['\r```!', '```\n', '\n```a\nb'] },
  {
    name: 'which function a test calls',
    read: (text) =>
      testsOtherFunction({
        statement: text,
        starterCode: '',
        publicTests: [{ kind: 'check', source: 'f()' }],
        privateTests: [],
      }),
    units: ['def ', 'def  a', 'class\t'],
  },
  { name: 'the reason at the end of a log', read: sentenceAtEnd, units: ['The disk is full.', 'A', ' \n'] },
  { name: 'the end of a log', read: errorAtEnd, units: ['Error', 'Exception:', 'Error\n'] },
  // Servers.
  {
    name: 'a completion',
    read: (text) => readCompletion(200, text),
    begin: '{"choices":[',
    units: ['{"message":'],
  },
  { name: 'a list of models', read: (text) => readModels(200, text), begin: '{"data":[' },
  { name: 'a chat request', read: parseChatRequest, begin: '{"messages":[' },
  {
    name: 'a stream',
    read: (text) => {
      const answer = new StreamAnswer();
      inPieces(text, (piece) => answer.read(piece));
    },
    begin: 'data: {"choices":[',
    units: ['data: {}\n', 'data:'],
  },
  { name: 'metrics', read: readSamples, begin: 'a{', units: ['a="b",', 'A="\\"', 'a{}', 'A'] },
  {
    name: "a server's log",
    read: (text) => diagnose(ENGINES.vllm, launch, text, null),
    units: [
      'Free memory on device ',
      'model ',
      'HTTP 401 ',
      'ProcessGroupNCCL',
      'Model architectures [',
      'max seq len (1)',
    ],
  },
  {
    name: 'a line of a starting server',
    read: (text) => Object.values(ENGINES).map(({ progressOf }) => progressOf(text)),
    units: ['oading ', 'pulling a', 'Capturing batches', 'Capturing CUDA', 'Fetching 1 files: 1%|'],
  },
  { name: 'weights on a machine', read: readWeightsProbe, units: ['-r 1 a a 1 ', '-r 1 1 1 1 1\n'] },
  // Machines.
  {
    name: 'a command line',
    read: hideSecrets,
    units: ['--token ', 'token=', 'a-', '://a:', 'bearer ', 'sk-'],
  },
  {
    name: 'a message of a report, in a lab of 11,000 names',
    read: (text) => hideKnown(text, MANY_NAMES),
    units: ['run 1 of the sweep ', 'run 10999 of the ', 'a '],
  },
  { name: 'a short command line', read: shortCommand, units: ['--api-key=', 'token '] },
  { name: 'processes', read: parseProcessTable, begin: '1 a 1:00', units: ['1 a 1:00 b\n'] },
  {
    name: 'sections and facts',
    read: (text) => readFacts(parseSections(text)),
    units: ['0 0 0 - !', ' 0 0 0 - !'],
  },
  {
    name: 'errors of a driver',
    read: (text) => parseXidEvents(text, 10),
    units: ['[0]', 'NVRM: Xid (0): 0, '],
  },
  {
    name: 'lost cards',
    read: lostCardSentences,
    units: ['Unable to determine the device handle for gpu ', ' \n'],
  },
  {
    name: 'slices of a card',
    read: parseSliceUsage,
    units: ['<mig_device>', '<mig_device a', '<mig_device></mig_device>'],
  },
  { name: 'a list of slices', read: parseSliceList, units: ['GPU 0: ', '(UUID: GPU-'] },
  { name: 'JSON of rocm-smi', read: jsonIn, units: ['\n ', '\n['] },
  {
    name: 'all that nvidia-smi answers',
    read: (text) =>
      readNvidia(
        answers(text, 'nvidia', 'nvidia.query', 'nvidia.list', 'nvidia.xml', 'nvidia.processes'),
        GPU_CONTEXT,
      ),
    units: [
      ', ',
      `${GPU_UUID}, `,
      `${GPU_UUID}, 1, 1 MiB\n`,
      `GPU 0: A (UUID: ${GPU_UUID})\n`,
      '  MIG 1g.5gb Device 0: (UUID: MIG-1)\n',
      'Unable to determine the device handle for gpu 0000:01:00.0: Unknown Error\n',
    ],
  },
  {
    name: 'all that amd-smi answers',
    read: (text) =>
      readAmd(answers(text, 'amd.list', 'amd.static', 'amd.metric', 'amd.process'), GPU_CONTEXT),
    begin: '[',
    units: ['{"gpu":0,"uuid":"a"},', '{"gpu_data":[', '{"process_list":['],
  },
  {
    name: 'all that rocm-smi answers',
    read: (text) => readAmd(answers(text, 'rocm.answer', 'rocm.said'), GPU_CONTEXT),
    begin: '{"card0":{',
    units: ['"card1":{},', '"PID1":"a,1,1",', 'WARNING: \n{'],
  },
  { name: 'packages that can be imported', read: parseTrials, begin: 'a 0 ', units: ['a 0 0\n'] },
  { name: 'digests', read: (text) => parseDigests(text, 'folder'), units: [`${'0'.repeat(64)}  a\n`] },
  {
    name: 'what takes room on a machine',
    read: parseRoom,
    begin: 'tool learner-',
    units: ['0', 'tool a 0 0 free\n', '-1.', ' '],
  },
  { name: 'the programs of Node', read: readNodeProbe, units: ['node 0'] },
  { name: 'ports that a log names', read: portsInLog, begin: 'http://', units: ['http://a:1', 'a', 'a:'] },
  { name: "ssh's configuration", read: parseSshConfig, begin: 'Host', units: ['Host ', '"a'] },
  { name: "ssh's prompt", read: plainText, units: ['\u001b[0', '\u001b]:'] },
  // Jobs.
  { name: 'sacct', read: parseAccounting, units: ['1|', '1|2|3\n'] },
  { name: 'scontrol', read: parseJobLine, units: ['JobId=', ' ArrayJobId=1'] },
  { name: 'squeue', read: parseQueue, units: ['1|', '1|2|3\n'] },
  { name: 'a cluster', read: parseCluster, units: ['gpu:', ',gpu:a', 'gpu:1,', 'part|'] },
  { name: 'lines found in a log', read: parseFound, units: ['1 2 3\n'] },
  // Trainings.
  {
    name: 'a literal of Python',
    read: (text) => pythonLiteral(text, 0),
    begin: '{',
    units: ["'a': ", "{'a': ", 'tensor('],
  },
  {
    name: 'progress bars',
    read: (text) => new ProgressBars().push(text),
    units: ['1%|', ']1%|', ' 1%| | 1/2 [', '\t'],
  },
  {
    name: 'a console log of dictionaries',
    read: (text) => readConsole(text, 'python-dict'),
    units: ["{'a': 1, ", "Global step 1: {'a': ", ' 1%| | 1/2 [', "{'a': {\n", '\r'],
  },
  {
    name: 'a console log of pairs',
    read: (text) => readConsole(text, 'pairs'),
    units: ['step:1 - ', 'a:1 - b:2\n', 'a=1 ', ' - ', 'a:'],
  },
  {
    name: "a sample of MARTI's",
    read: (text) => generatedSample(text, 'a', 1),
    begin: 'Sample:\n',
    units: ['\nReward: 0', '\n '],
  },
  {
    name: "verl's rollouts",
    read: (text) => parseStepRollouts(text, 'a'),
    units: ['{"input": "a", "output": "b", "step": 1}\n', '{"input": "'],
  },
  {
    name: "MARTI's workflow",
    read: (text) => parseWorkflow(text, String, () => 1),
    begin: 'file 1 ./a/llm_logs/log_',
    units: ['/a/llm_logs/log_', '\nfile 1 ./a/llm_logs/log_1_1.txt'],
  },
  {
    name: 'an event file',
    read: (text) => {
      const reader = new RecordReader();
      inPieces(text, (piece) => reader.push(bytes(piece), () => {}));
    },
    units: ['\u0000', '\u0018\u0000\u0000\u0000'],
  },
  {
    name: 'an event',
    read: (text) => readEvent(bytes(text), (part) => `${part.length}`),
    units: ['*\u0002\n\u0000'],
  },
  { name: 'a recipe', read: readRecipe, begin: '{"id":' },
  // Benchmarks, exhibits and what the pocket policies read.
  { name: 'elements of a row', read: rawElements, begin: '[', units: ['"a",', '[],', '"\\\\'] },
  { name: 'fields of a row', read: rawFields, begin: '{', units: ['"a":1,', '"a":['] },
  { name: 'JSON of Python', read: isPythonJson, units: ['NaN', '-Infinity', '"a"'] },
  {
    name: 'a pickle',
    read: (text) => {
      const pickle = new PickledString();
      inPieces(text, (piece) => pickle.push(bytes(piece)));
    },
    begin: '\u0080',
  },
  {
    name: 'a row of a benchmark',
    read: readRow,
    begin: '{"task_id":"a","prompt":"a","entry_point":"f","canonical_solution":"","base_input":[',
    units: ['[1],', '{"a":', '"prompt":"", ', '>>> f(1)\\n1\\n'],
  },
  {
    name: 'a recorded row',
    read: readRecorded,
    begin: '{"task_id":"a","samples":[',
    units: ['"a",', '{"a":'],
  },
  {
    name: 'entries of a JSON list',
    read: (text) => {
      const list = new JsonListSplitter(100_000);
      // It says by an error that a text is no list.
      const isRead = (piece: string): boolean => {
        try {
          return list.push(bytes(piece)).length >= 0;
        } catch {
          return false;
        }
      };
      inPieces(text, isRead);
    },
    begin: '[',
    units: ['1,', '"a",', '[],', '"\\\\'],
  },
  {
    name: 'the files of a data set',
    read: (text) => {
      const dataSet = dataSetOf(parsedJsonWithin(text, { depth: 64, parts: 1_000_000 }));
      // Names that an answer has, and names as the text has them.
      problemFiles([...(dataSet?.files ?? []), ...text.split('\n')]);
    },
    begin: '{"siblings":[',
    units: ['{"rfilename":"test-1.jsonl"},', 'test-00000-of-00001.parquet\n', 'a/test.jsonl.gz\n', '0-1\n'],
  },
  {
    name: 'a line of the program that reads tables',
    read: parseTableLine,
    begin: 'place {',
    units: ['"place":'],
  },
  {
    name: 'an answer of the Python that parses tests',
    read: parseAnswerLine,
    begin: '["',
    units: ['\\u202e', '", ', '1,'],
  },
  { name: 'a statement', read: statementExamples, units: ['---', '-----Input-----\n', '--- a'] },
  {
    name: 'a task of the pocket world',
    read: readStatement,
    units: ['It must: ', '\rInput:', 'Input:1\nOutput: 1\n'],
  },
  { name: 'the name of a file', read: importName, units: ['.a', '.jsonl', '-1-of-1', '/'] },
  { name: 'an exhibit', read: readExhibit, begin: '{"id":' },
];

/** The worst texts of a reader, by the unit that is repeated: about `characters` long. */
export function worstTexts(
  { begin = '', end = '', units = [] }: ForeignReader,
  characters: number,
): ReadonlyMap<string, string> {
  // The last character is one that most patterns do not expect, so that they give up late.
  return new Map(
    [...units, ...COMMON].map((unit) => [
      unit,
      `${begin}${unit.repeat(Math.ceil(characters / unit.length))}\u0001\n${end}`,
    ]),
  );
}
