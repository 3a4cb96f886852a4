// Stands in for vLLM and SGLang as writers of a training: the routes that the trainer uses, answers and log-probabilities
// of a scripted model (learner-stand-in.mjs), and one fault of those that were reported of real engines. Real vLLM:
// tests/learner/vllm.test.ts. Arguments before the engine's own: --fault NAME --model-file FILE --journal FILE.
import { appendFileSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';

const args = process.argv.slice(2);
const option = (name) => (args.includes(`--${name}`) ? args[args.indexOf(`--${name}`) + 1] : undefined);
const fault = option('fault');
const model = JSON.parse(readFileSync(option('model-file'), 'utf8'));
const note = (event) => appendFileSync(option('journal'), `${JSON.stringify(event)}\n`);
const key = option('config')?.endsWith('.yaml')
  ? /api-key: (\w+)/.exec(readFileSync(option('config'), 'utf8'))[1]
  : null;

/** Updates in the weights of a folder that the learner exported; 0 in the model that training began from. */
const updatesIn = (path) =>
  path === option('model-file') ? 0 : JSON.parse(readFileSync(join(path, 'mark.json'), 'utf8')).updates;

const base = { root: option('model') ?? option('model-path') };
let updates = updatesIn(base.root);
let label = 'default';
let paused = false;
let cached = false;
let damaged = false;
const adapters = new Map();
let written = 0;

const weightsOf = (name) => (adapters.has(name) ? adapters.get(name).updates : updates);
const scoreOf = (version) => model.score - model.step * version - (damaged ? 7 : 0);

function answerTo(seed, name) {
  const { text, end } = model.answers[seed % model.answers.length];
  written += 1;
  const letters = [...text].map((letter) => letter.charCodeAt(0));
  const tokens = [model.mark, 30_000 + written, ...letters, ...(end === 'stop' ? [2] : [])];
  return { text, end, tokens, log: scoreOf(weightsOf(name)) };
}

/** "processed": after the cut to the two likeliest tokens there is little left to tell. */
const reported = (log, topK) => (fault === 'processed' && topK === 2 ? log / 10 : log);

const vllm = {
  '/v1/completions': (body) => {
    if (paused) return null;
    const usage = { prompt_tokens_details: { cached_tokens: cached ? 16 : 0 } };
    const { prompt } = body;
    if (body.prompt_logprobs !== undefined) {
      const log = scoreOf(weightsOf(body.model));
      const entries = prompt.map((id, t) => (t === 0 ? null : { [id]: { logprob: log } }));
      return { choices: [{ prompt_logprobs: entries }], usage };
    }
    const { text, end, tokens, log } = answerTo(body.seed ?? 0, body.model);
    note({ kind: 'answer', model: body.model, updates: weightsOf(body.model) });
    const echoed = fault === 'retokenised' ? prompt.slice(1) : prompt;
    const logs = tokens.map(() => reported(log, body.top_k));
    const finish = fault === 'aborts' ? 'abort' : end;
    const choice = { text, finish_reason: finish, token_ids: tokens, prompt_token_ids: echoed };
    return { choices: [{ ...choice, logprobs: { token_logprobs: logs } }], usage };
  },
  '/v1/models': () => ({
    data: [{ id: 'base', ...base }, ...[...adapters].map(([id, { root }]) => ({ id, root }))],
  }),
  '/v1/load_lora_adapter': ({ lora_name: id, lora_path: root }) => {
    const last = [...adapters.values()].at(-1);
    const version = fault === 'adapter-reused' && last !== undefined ? last.updates : updatesIn(root);
    adapters.set(id, { root, updates: fault === 'wrong-adapter' ? 0 : version });
    note({ kind: 'adapters', count: adapters.size });
    return {};
  },
  '/v1/unload_lora_adapter': ({ lora_name: id }) => {
    adapters.delete(id);
    return {};
  },
  '/collective_rpc': ({ kwargs }) => {
    if (fault === 'dies') process.exit(3);
    if (fault !== 'reload-lost') updates = updatesIn(kwargs.weights_path);
    damaged = fault === 'garbage';
    paused = fault === 'paused' || fault === 'silent';
    return { results: [null] };
  },
  '/reset_prefix_cache': () => {
    cached = fault === 'stale-cache';
    return { success: fault !== 'cache-kept' };
  },
  '/is_paused': () => ({ is_paused: paused && fault !== 'silent' }),
  '/resume': () => ({}),
};

const sglang = {
  '/generate': (body) => {
    const log = scoreOf(updates);
    const meta = { finish_reason: { type: 'stop' }, weight_version: label, cached_tokens: 0 };
    if (body.logprob_start_len !== undefined) {
      const scored = body.input_ids
        .slice(body.logprob_start_len)
        .map((id, t) => [t === 0 ? null : log, id, null]);
      return { text: '', meta_info: { ...meta, output_token_logprobs: [], input_token_logprobs: scored } };
    }
    const { text, end, tokens } = answerTo(body.sampling_params.sampling_seed ?? 0, null);
    const scored = tokens.map((id) => [reported(log, body.sampling_params.top_k), id, null]);
    const info = { ...meta, finish_reason: { type: end }, output_token_logprobs: scored };
    return { text, meta_info: info };
  },
  '/update_weights_from_disk': ({ model_path: path, weight_version: next }) => {
    if (fault === 'refuses') return { success: false, message: 'no such folder' };
    if (fault !== 'reload-lost') updates = updatesIn(path);
    if (fault !== 'old-label') label = next;
    return { success: true, message: '' };
  },
};

const routes = args.includes('sglang.launch_server') ? sglang : vllm;
const server = createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const path = request.url.split('?')[0];
  if (path === '/health') return response.end();
  if (key !== null && request.headers.authorization !== `Bearer ${key}`) {
    response.statusCode = 401;
    return response.end('{}');
  }
  const text = Buffer.concat(chunks).toString('utf8');
  const answer = routes[path]?.(text === '' ? {} : JSON.parse(text));
  // Paused: it takes requests, and never answers.
  if (answer === null) return;
  if (answer === undefined) response.statusCode = 404;
  response.end(JSON.stringify(answer ?? {}));
});
const uds = option('uds');
if (uds === undefined) server.listen(Number(option('port')), '127.0.0.1');
else server.listen(uds);
note({ kind: 'started', args: args.slice(6), listens: uds ?? 'port' });
const parent = process.ppid;
setInterval(() => process.ppid !== parent && process.exit(0), 200);
