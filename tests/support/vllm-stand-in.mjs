/**
 * A stand-in for `vllm serve`, for computers without a GPU: it plays the log and the API of the real one, nothing else.
 * STAND_IN says how it behaves, STAND_IN_STEP_MS how long each step of its start takes. Where STAND_IN_STEPS names a file,
 * it takes as many steps as that has bytes.
 */
import { existsSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

const behaviour = process.env.STAND_IN ?? '';
const stepMs = Number(process.env.STAND_IN_STEP_MS ?? 5);
const given = process.argv.slice(2);
const argument = (name, fallback) => (given.includes(name) ? given[given.indexOf(name) + 1] : fallback);
const port = Number(argument('--port', '8000'));
const model = argument('--served-model-name', given[1]);

const stepsFile = process.env.STAND_IN_STEPS;
let steps = 0;
async function step() {
  steps += 1;
  if (stepsFile === undefined) await sleep(stepMs);
  else while (statSync(stepsFile).size < steps) await sleep(20);
}

const say = (line) => process.stdout.write(`INFO 11-21 18:00:00 [core.py:58] ${line}\n`);
function die(...lines) {
  process.stderr.write(`${lines.join('\n')}\n`);
  process.exit(1);
}
const taken = () => die('OSError: [Errno 98] Address already in use');

say('vLLM API server version 0.0.0 (a stand-in)');
say(`CUDA_VISIBLE_DEVICES=${process.env.CUDA_VISIBLE_DEVICES}`);
say(`non-default args: ${given.join(' ')}`);
// Once: the file records that it has happened.
if (behaviour.startsWith('port-taken-once ')) {
  const file = behaviour.slice('port-taken-once '.length);
  if (!existsSync(file)) {
    writeFileSync(file, '');
    taken();
  }
}
if (stepsFile !== undefined) await step();
say(`Starting to load model ${given[1]}...`);
for (let shard = 0; shard <= 4; shard++) {
  process.stderr.write(
    `\rLoading safetensors checkpoint shards: ${String(shard * 25).padStart(3)}% Completed | ${shard}/4 [00:00<00:01,  1.00it/s]`,
  );
  await step();
}
process.stderr.write('\n');
if (behaviour === 'out-of-memory') {
  die(
    'Traceback (most recent call last):',
    'torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 270.00 MiB. GPU 0 has a total capacity of 23.64 GiB.',
    'RuntimeError: Engine core initialization failed. See root cause above.',
  );
}
say('Loading weights took 1.00 seconds');
await step();
say('GPU KV cache size: 100,000 tokens');
if (behaviour === 'hangs') {
  process.stderr.write('RuntimeError: NCCL error: unhandled system error\n');
  await new Promise(() => setInterval(() => undefined, 1_000));
}

const served = behaviour === 'wrong-model' ? 'somebody-else' : model;
let running = 0;
let generated = 0;

const send = (response, status, body) => {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
};

async function answer(response, { max_tokens: tokens = 16, stream = false }) {
  running += 1;
  try {
    if (behaviour.startsWith('slow-answers ')) await sleep(Number(behaviour.split(' ')[1]));
    generated += tokens;
    const usage = { prompt_tokens: 5, completion_tokens: tokens, total_tokens: tokens + 5 };
    if (!stream) {
      const text = `served by ${process.pid}`;
      send(response, 200, {
        choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: 'length' }],
        usage,
      });
      return;
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (let token = 0; token < tokens; token++) {
      await sleep(1);
      response.write(`data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: ' x' } }] })}\n\n`);
    }
    response.write(`data: ${JSON.stringify({ choices: [], usage })}\n\n`);
    response.end('data: [DONE]\n\n');
  } finally {
    running -= 1;
  }
}

const server = createServer((request, response) => {
  if (request.url === '/v1/models') {
    const adapters = given.includes('--lora-modules') ? [argument('--lora-modules').split('=')[0]] : [];
    send(response, 200, {
      object: 'list',
      data: [served, ...adapters].map((id) => ({ id, object: 'model' })),
    });
  } else if (request.url === '/metrics') {
    const label = `{engine="0",model_name="${served}"}`;
    response.end(
      [
        '# HELP vllm:num_requests_running Number of requests in model execution batches.',
        `vllm:num_requests_running${label} ${running}.0`,
        `vllm:num_requests_waiting${label} 0.0`,
        `vllm:kv_cache_usage_perc${label} 0.25`,
        `vllm:generation_tokens_total${label} ${generated}.0`,
        '',
      ].join('\n'),
    );
  } else if (request.url === '/v1/chat/completions') {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => void answer(response, JSON.parse(body)));
  } else send(response, 404, { error: { message: 'Not Found' } });
});
server.on('error', taken);
server.listen(port, '127.0.0.1', () => process.stdout.write('INFO:     Application startup complete.\n'));
process.on('SIGTERM', () => process.exit(0));
