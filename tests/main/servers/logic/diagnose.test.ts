import { expect, test } from 'vitest';
import { diagnose, lastLines, type ProcessEnd } from '../../../../main/servers/logic/diagnose';
import { ENGINES, type FailureId } from '../../../../main/servers/logic/engines';
import { type Engine, serverLaunchSchema } from '../../../../preload/contract';

const launch = serverLaunchSchema.parse({
  id: 'l',
  name: 'L',
  engine: 'vllm',
  machineId: 'local',
  weights: 'org/model',
  model: 'm',
  gpus: 2,
});

function explain(engine: Engine, text: string, end: ProcessEnd | null = { code: 1, lost: false }) {
  return diagnose(ENGINES[engine], launch, text, end);
}

/** As the engines say it: one telling line of each. */
test.each<[FailureId, Engine, string, RegExp]>([
  [
    'out-of-memory',
    'vllm',
    'torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 1.16 GiB',
    /more GPUs|Lower/,
  ],
  [
    'out-of-memory',
    'llama-cpp',
    'ggml_backend_cuda_buffer_type_alloc_buffer: cudaMalloc failed: out of memory',
    /GPU/,
  ],
  [
    'gpu-busy',
    'vllm',
    'ValueError: Free memory on device (10.2/79.1 GiB) on startup is less than desired GPU memory utilization (0.9, 71.2 GiB).',
    /another GPU/,
  ],
  ['cache-too-small', 'vllm', 'ValueError: No available memory for the cache blocks.', /share of memory/],
  [
    'cache-too-small',
    'vllm',
    "The model's max seq len (40960) is larger than the maximum number of tokens that can be stored in KV cache (20000).",
    /Set the context/,
  ],
  [
    'cache-too-small',
    'sglang',
    'RuntimeError: Not enough memory. Please try to increase --mem-fraction-static.',
    /share of memory/,
  ],
  [
    'tensor-parallel',
    'vllm',
    'ValueError: Total number of attention heads (40) must be divisible by tensor parallel size (3).',
    /divides 40: 1, 2, 4, 5, 8, 10/,
  ],
  [
    'tensor-parallel',
    'vllm',
    'World size (4) is larger than the number of available GPUs (2) in this node.',
    /2 GPUs/,
  ],
  [
    'context-too-long',
    'vllm',
    'User-specified max_model_len (90000) is greater than the derived max_model_len (max_position_embeddings=40960 or so)',
    /at most 40960/,
  ],
  ['port', 'vllm', 'OSError: [Errno 98] Address already in use', /another port/],
  [
    'port',
    'llama-cpp',
    "start: couldn't bind HTTP server socket, hostname: 127.0.0.1, port: 8080",
    /another port/,
  ],
  ['gated', 'vllm', 'huggingface_hub.errors.GatedRepoError: 403 Client Error.', /hf auth login/],
  [
    'missing-weights',
    'vllm',
    "OSError: org/model is not a local folder and is not a valid model identifier listed on 'https://huggingface.co/models'",
    /org\/model/,
  ],
  ['missing-weights', 'llama-cpp', 'gguf_init_from_file: failed to open GGUF file', /\.gguf/],
  ['missing-weights', 'ollama', 'Error: pull model manifest: file does not exist', /library/],
  [
    'offline',
    'vllm',
    "OSError: We couldn't connect to 'https://huggingface.co' to load the files",
    /copy the folder/,
  ],
  ['offline', 'ollama', 'dial tcp: lookup registry.ollama.ai: no such host', /network/],
  [
    'damaged-weights',
    'vllm',
    'safetensors_rust.SafetensorError: Error while deserializing header: HeaderTooLarge',
    /again/,
  ],
  [
    'architecture',
    'vllm',
    "Model architectures ['FooForCausalLM'] are not supported for now.",
    /newer version/,
  ],
  [
    'architecture',
    'llama-cpp',
    "error loading model architecture: unknown model architecture: 'foo'",
    /newer llama/,
  ],
  [
    'architecture',
    'transformers',
    'The checkpoint you are trying to load has model type `foo` but Transformers does not recognize this architecture.',
    /newer/,
  ],
  [
    'architecture',
    'pytorch',
    'the model could not be loaded: Gemma2ForCausalLM changes its logits after the projection: such models are not trained here',
    /engine such as vLLM/,
  ],
  [
    'missing-weights',
    'pytorch',
    'the model could not be loaded: there is no /models/base, the model that the adapter /a was trained on',
    /Put it back/,
  ],
  [
    'missing-weights',
    'pytorch',
    'the model could not be loaded: there is no model at /a',
    /folder of transformers or peft/,
  ],
  [
    'chat-template',
    'vllm',
    'As of transformers v4.44, default chat template is no longer allowed, so you must provide one',
    /--chat-template/,
  ],
  [
    'driver',
    'vllm',
    'RuntimeError: The NVIDIA driver on your system is too old (found version 11040).',
    /newer driver/,
  ],
  ['no-gpu', 'vllm', 'RuntimeError: Failed to infer device type', /nvidia-smi/],
  [
    'data-type',
    'vllm',
    'ValueError: Bfloat16 is only supported on GPUs with compute capability of at least 8.0.',
    /--dtype half/,
  ],
  [
    'nccl',
    'vllm',
    'torch.distributed.DistBackendError: NCCL error in: ProcessGroupNCCL.cpp:1',
    /NCCL_P2P_DISABLE/,
  ],
  ['disk-full', 'vllm', 'OSError: [Errno 28] No space left on device', /HF_HOME/],
  ['argument', 'vllm', 'vllm: error: unrecognized arguments: --max-modle-len 5', /further arguments/],
  ['module', 'sglang', "ModuleNotFoundError: No module named 'sglang'", /environment/],
])('%s is recognised from the output of %s', (id, engine, line, todo) => {
  const found = explain(engine, `something before\n${line}\nTraceback: and so on\n`);
  expect(found?.id).toBe(id);
  expect(found?.todo).toMatch(todo);
  expect(found?.lines.join('\n')).toContain(line.slice(0, 60));
  expect(found?.cause).toMatch(/\S\.?$/);
});

test.each<[FailureId, ProcessEnd]>([
  ['command-missing', { code: 127, lost: false }],
  ['killed', { code: 137, lost: false }],
])('%s is recognised from the end of the process alone', (id, end) => {
  expect(explain('vllm', 'INFO nothing strange\n', end)?.id).toBe(id);
});

test('an unknown cause is not guessed', () => {
  expect(explain('vllm', 'INFO Application startup complete.\n')).toBeNull();
});

test('a telling line far from the end is shown together with the end', () => {
  const text = `CUDA out of memory\n${Array.from({ length: 50 }, (_, i) => `line ${i}`).join('\n')}\n`;
  const lines = explain('vllm', text)?.lines ?? [];
  expect(lines).toHaveLength(10);
  expect([lines[0], lines[1], lines.at(-1)]).toEqual(['CUDA out of memory', '...', 'line 49']);
});

test('last lines are as people see them: what a carriage return has overwritten is gone', () => {
  expect(lastLines(' 10%\r 50%\r100%\r\n\nend\n')).toEqual(['100%', 'end']);
  expect(lastLines(`${'x'.repeat(1_000)}\n`)[0]).toHaveLength(403);
});
