import { expect, test } from 'vitest';
import { ENGINES } from '../../../../main/servers/logic/engines';
import {
  commandWith,
  gpuIdsOf,
  namedPort,
  refusalOf,
  replicaName,
  withLearner,
} from '../../../../main/servers/logic/launch-command';
import { StartLog } from '../../../../main/servers/logic/start-log';
import { type Engine, type ServerLaunch, serverLaunchSchema } from '../../../../preload/contract';

function launchOf(engine: Engine, change: Partial<ServerLaunch> = {}): ServerLaunch {
  return serverLaunchSchema.parse({
    id: 'l',
    name: 'L',
    engine,
    machineId: 'local',
    weights: 'Qwen/Qwen3-8B',
    model: 'qwen3',
    gpus: 2,
    contextTokens: 40_000,
    ...change,
  });
}

test.each<[Engine, string]>([
  [
    'vllm',
    'vllm serve Qwen/Qwen3-8B --served-model-name qwen3 --host 127.0.0.1 --port 8123 --tensor-parallel-size 2 --gpu-memory-utilization 0.9 --max-model-len 40000',
  ],
  [
    'sglang',
    'python3 -m sglang.launch_server --model-path Qwen/Qwen3-8B --served-model-name qwen3 --host 127.0.0.1 --port 8123 --tp-size 2 --mem-fraction-static 0.9 --context-length 40000 --enable-metrics',
  ],
  [
    'llama-cpp',
    'llama-server --hf-repo Qwen/Qwen3-8B --alias qwen3 --host 127.0.0.1 --port 8123 --n-gpu-layers 999 --ctx-size 40000 --metrics',
  ],
  [
    'transformers',
    'transformers serve Qwen/Qwen3-8B --host 127.0.0.1 --port 8123 --device auto --model-timeout=-1',
  ],
  [
    'pytorch',
    `PYTHONPATH={learner}\${PYTHONPATH:+:$PYTHONPATH} {python} -m mars2_learner.serve --model Qwen/Qwen3-8B --name qwen3 --port 8123 --device cuda --context 40000`,
  ],
])('the command of %s names weights, model, port and GPUs', (engine, line) => {
  expect(commandWith(launchOf(engine), 8_123)).toBe(line);
});

test('Ollama serves at its own port, and loads the model under its name', () => {
  const line = commandWith(launchOf('ollama', { weights: 'qwen3:8b' }), 8_123);
  expect(line).toContain('OLLAMA_HOST=127.0.0.1:8123');
  expect(line).toContain('ollama pull qwen3:8b && ollama cp qwen3:8b qwen3');
});

test.each<Engine>(['vllm', 'sglang', 'llama-cpp', 'ollama', 'transformers', 'pytorch'])(
  'nothing that a user types into the launch of %s becomes a command of its own',
  (engine) => {
    const evil = `a'; touch /tmp/evil; '$(touch /tmp/evil)`;
    const line = commandWith(launchOf(engine, { weights: `/x/${evil}.gguf`, model: evil }), 1_234);
    const bare = line.replaceAll("'\\''", '').replaceAll(/'[^']*'/g, '');
    expect(bare).not.toContain('touch');
  },
);

test('our own engine gets its package and its Python as words of the shell', () => {
  const learner = { program: '/my tools/$&', python: '/env/bin/python' };
  const line = commandWith(launchOf('pytorch', { gpus: 0 }), 8_123, learner);
  expect(line).toContain(
    `PYTHONPATH='/my tools/$&'\${PYTHONPATH:+:$PYTHONPATH} /env/bin/python -m mars2_learner.serve`,
  );
  expect(line).toContain('--device cpu');
  expect(withLearner(ENGINES.pytorch.probe, learner)).toMatch(/^\/env\/bin\/python -c /);
});

test('an unknown port stays to be seen, and further arguments stand as they were typed', () => {
  const line = commandWith(launchOf('vllm', { extraArguments: '  --dtype half  ' }), null);
  expect(line).toContain('--port {port}');
  expect(line.endsWith('--dtype half')).toBe(true);
});

/** Pieces as they come, with the bars of progress that overwrite themselves. */
test.each<[Engine, string, string[]]>([
  [
    'vllm',
    'INFO Starting to load model x\n\rLoading safetensors checkpoint shards:  50% Completed | 2/4 [00:01]\rLoading safetensors checkpoint shards: 100% Completed | 4/4\nINFO Loading weights took 3 s\nCapturing CUDA graphs:  30%|###',
    ['warming up: capturing CUDA graphs, 30 %'],
  ],
  [
    'vllm',
    '\rLoading safetensors checkpoint shards:  25% Completed | 1/4 [00',
    ['weights loading: 1 of 4 files'],
  ],
  [
    'vllm',
    'model-00001-of-00005.safetensors:  12%|#1        | 478M/3.9G',
    ['weights loading: downloading, 12 % of a file'],
  ],
  ['sglang', 'Load weight begin. avail mem=78.9 GB\n', ['weights loading']],
  [
    'sglang',
    'Capturing batches (bs=8 avail_mem=9.1 GB):  75%|####',
    ['warming up: capturing CUDA graphs, 75 %'],
  ],
  [
    'llama-cpp',
    'load_tensors: offloaded 33/37 layers to GPU\n',
    ['weights loading: 33 of 37 layers on the GPU'],
  ],
  ['llama-cpp', "0.00.010.018 I srv    load_model: loading model '/m/a.gguf'\n", ['weights loading']],
  ['llama-cpp', '0.00.797.601 I srv    load_model: initializing, n_slots = 2\n', ['warming up']],
  ['pytorch', 'listens on http://127.0.0.1:8123/v1, loads /models/tiny\n', ['weights loading']],
  ['pytorch', 'listens on http://127.0.0.1:8123/v1, loads /m\nserves tiny\n', ['warming up']],
  ['ollama', 'pulling a3de86cd1c13...  45% of 5.2 GB', ['weights loading: downloading, 45 %']],
])('%s reports the progress of its start', (engine, text, stage) => {
  const note = new StartLog(ENGINES[engine]).read(text);
  const stages = note === null ? [] : [note.text === '' ? note.stage : `${note.stage}: ${note.text}`];
  expect(stages).toEqual(stage);
});

test('a stage that is over does not come again, and a line may come in pieces', () => {
  const log = new StartLog(ENGINES.vllm);
  expect(log.read('INFO Loading wei')).toBeNull();
  expect(log.read('ghts took 2 s\n')).toMatchObject({ stage: 'warming up' });
  expect(log.read('Loading safetensors checkpoint shards: 50% Completed | 1/2\n')).toBeNull();
});

test.each<[Engine, string, object]>([
  [
    'vllm',
    'vllm:num_requests_running{engine="0"} 2.0\nvllm:num_requests_waiting{engine="0"} 7.0\nvllm:gpu_cache_usage_perc{engine="0"} 0.5\nvllm:generation_tokens_total{engine="0"} 900.0\nvllm:generation_tokens_total{engine="1"} 100.0\n',
    { running: 2, waiting: 7, cacheUse: 0.5, generatedTokens: 1_000 },
  ],
  [
    'sglang',
    'sglang:num_running_reqs{tp_rank="0"} 3\nsglang:num_running_reqs{tp_rank="1"} 3\nsglang:num_queue_reqs{tp_rank="0"} 1\nsglang:token_usage{tp_rank="0"} 0.25\nsglang:generation_tokens_total{tp_rank="0"} 12\n',
    { running: 3, waiting: 1, cacheUse: 0.25, generatedTokens: 12 },
  ],
  [
    'llama-cpp',
    '# HELP x\nllamacpp:requests_processing 1\nllamacpp:requests_deferred 0\nllamacpp:tokens_predicted_total 55\n',
    { running: 1, waiting: 0, cacheUse: null, generatedTokens: 55 },
  ],
])('the numbers of %s are read from its own page', (engine, page, numbers) => {
  expect(ENGINES[engine].numbersOf(page)).toEqual(numbers);
  expect(Object.values(ENGINES[engine].numbersOf('<html>'))).toEqual([null, null, null, null]);
});

test.each<[string, Partial<ServerLaunch>, RegExp]>([
  ['an edited command that names no port', { commandLine: 'vllm serve x' }, /write \{port\}/],
  [
    'a fixed port in an edited command of several',
    { commandLine: 'x', port: 8_000, replicas: 2 },
    /\{port\}/,
  ],
  ['too few chosen GPUs', { gpuIds: ['a'] }, /takes 2 GPUs, but 1/],
  ['GPUs that are not enough for all', { gpuIds: ['a', 'b'], replicas: 2 }, /takes 2 x 2 GPUs, but 2/],
])('%s cannot be done on any machine', (_name, change, message) => {
  expect(refusalOf(launchOf('vllm', change))?.message).toMatch(message);
});

test('replicas have their own GPUs, the following ports, and numbers in their names', () => {
  const launch = launchOf('vllm', { gpuIds: ['a', 'b', 'c', 'd'], replicas: 2, port: 65_535 });
  expect(refusalOf(launch)).toBeNull();
  expect([gpuIdsOf(launch, 0), gpuIdsOf(launch, 1)]).toEqual([
    ['a', 'b'],
    ['c', 'd'],
  ]);
  expect(namedPort(launch, 0)).toEqual({ ok: true, value: 65_535 });
  expect(namedPort(launch, 1).ok).toBe(false);
  expect(replicaName(launch, 1)).toBe('L (2 of 2)');
});
