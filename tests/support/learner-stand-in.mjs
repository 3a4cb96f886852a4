// Stands in for `python -m mars2_learner serve`: the same wire, answers from a script, log-probabilities by formula. The
// model is a JSON file: see ScriptedModel in scripted-learners.ts. What was asked of it is in journal.jsonl beside it.
import { appendFileSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const args = process.argv.slice(2);
if (args.includes('check')) {
  const rest = { devices: [], cores: 2, memory_bytes: 64e9, free_disk_bytes: 1e12 };
  const step = { device: 'cpu', seconds: 0, error: null };
  process.stdout.write(`${JSON.stringify({ versions: { torch: 'stand-in' }, ...rest, step })}\n`);
  process.exit(0);
}
const option = (name) => args[args.indexOf(`--${name}`) + 1];
const model = JSON.parse(readFileSync(option('model'), 'utf8'));
const journal = join(dirname(option('address-file')), 'journal.jsonl');
const note = (event) => appendFileSync(journal, `${JSON.stringify(event)}\n`);
/** Numbers its answers, over all sessions: no two are the same tokens. */
let written = existsSync(journal) ? readFileSync(journal, 'utf8').split('\n').length : 0;
let updates = 0;

const ids = (tensor) => [...new Int32Array(Uint8Array.from(Buffer.from(tensor.data, 'base64')).buffer)];
const floats = (tensor) => [...new Float32Array(Uint8Array.from(Buffer.from(tensor.data, 'base64')).buffer)];
const tensor = (dtype, numbers) => {
  const array = dtype === 'int32' ? Int32Array.from(numbers) : Float32Array.from(numbers);
  return { dtype, shape: [numbers.length], data: Buffer.from(array.buffer).toString('base64') };
};

/** One id a pair of characters: never those with which an answer was written. */
function canonical(text) {
  const found = [];
  for (let i = 0; i < text.length; i += 2)
    found.push(20_000 + text.charCodeAt(i) + (text.charCodeAt(i + 1) || 0));
  return found;
}

const scoresOf = ({ forward_input }) =>
  forward_input.data.map(({ loss_fn_inputs }) => ({
    logprobs: tensor(
      'float32',
      floats(loss_fn_inputs.weights).map((weight) => (weight === 0 ? 0 : model.score - model.step * updates)),
    ),
  }));
const dataOf = ({ forward_input }) =>
  forward_input.data.map(({ model_input, loss_fn_inputs }) => ({
    tokens: [...ids(model_input.chunks[0].tokens), ids(loss_fn_inputs.target_tokens).at(-1)],
    weights: floats(loss_fn_inputs.weights),
  }));

const operations = {
  get_server_capabilities: () => ({
    ...{ wire: 1, model: 'scripted', architecture: 'none', parameters: 1, trainable: 1, vocab_size: 100_000 },
    ...{ context_length: 100_000, special: { eos: [2], pad: 0 }, tokenizer_digest: '', dtype: 'float32' },
    ...{
      device: 'cpu',
      world_size: 1,
      lora: args.includes('--lora-rank') ? { rank: 1, alpha: 1, targets: [] } : null,
      updates,
      torch: '',
      transformers: '',
    },
    ...{ chat_template: true, peak_memory_bytes: null },
  }),
  render: ({ messages }) => ({
    tokens: tensor('int32', canonical(messages.map(({ content }) => content).join('\n'))),
  }),
  asample: async ({ prompt, sampling_params: given }) => {
    const { text, end } = model.answers[given.seed % model.answers.length];
    const version = updates;
    await pause(model.delayMs + (given.seed % 4));
    const letters = [...text].map((letter) => letter.charCodeAt(0));
    written += 1;
    const tokens = [model.mark, 30_000 + written, ...letters, ...(end === 'stop' ? [2] : [])];
    process.stdout.write('wrote an answer\n');
    note({ kind: 'answer', prompt: ids(prompt.chunks[0].tokens), tokens, text, end, version, given });
    const logprobs = tokens.map((_, t) => model.score - model.step * version + (t % 2 === 0 ? model.gap : 0));
    const sequence = {
      tokens: tensor('int32', tokens),
      logprobs: tensor('float32', logprobs),
      text,
      stop_reason: end,
    };
    return { sequences: [sequence], prompt_tokens: 1, updates: version };
  },
  forward: (body) => {
    note({ kind: 'score', by: body.by, data: dataOf(body), version: updates });
    return { loss_fn_outputs: scoresOf(body), metrics: {} };
  },
  forward_backward: (body) => {
    note({ kind: 'gradient', data: dataOf(body), version: updates });
    return { loss_fn_outputs: scoresOf(body), metrics: { 'loss:sum': 0 } };
  },
  zero_grad: () => ({}),
  optim_step: () => {
    updates += 1;
    return { metrics: { grad_norm: 1, updates, peak_memory_bytes: 1 } };
  },
  save_weights: ({ name }) => {
    const path = join(option('state-dir'), name);
    mkdirSync(path, { recursive: true });
    writeFileSync(join(path, 'state.json'), JSON.stringify({ mark: model.mark, updates }));
    return { path, bytes: 1, sha256: '' };
  },
  load_weights: ({ name }) => {
    const state = JSON.parse(readFileSync(join(option('state-dir'), name, 'state.json'), 'utf8'));
    if (state.mark !== model.mark) throw new Error(`a state of ${state.mark}`);
    updates = state.updates;
    note({ kind: 'loaded', version: updates });
    return { updates };
  },
  save_weights_for_sampler: ({ name }) => {
    const path = join(option('export-dir'), name);
    mkdirSync(path, { recursive: true });
    writeFileSync(join(path, 'mark.json'), JSON.stringify({ mark: model.mark, updates }));
    // By these names folders with weights are told from others.
    const isAdapter = args.includes('--lora-rank');
    for (const file of isAdapter ? ['adapter_config.json', 'adapter_model.safetensors'] : ['config.json'])
      writeFileSync(join(path, file), '{}');
    return { path, files: [] };
  },
};

const server = createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const operation = request.url.replace('/api/v1/', '');
  if (operation === 'healthz') return response.end('{"status":"ok"}');
  const body = JSON.parse(Buffer.concat(chunks).toString('utf8'));
  note({ kind: 'begin', operation });
  let answer;
  try {
    answer = await operations[operation](body);
  } catch (error) {
    response.statusCode = 500;
    answer = { error: String(error), category: 'server' };
  }
  // Before the answer: whoever has it may end this process.
  note({ kind: 'end', operation });
  response.end(JSON.stringify(answer));
});
server.listen(0, '127.0.0.1', () => {
  const address = option('address-file');
  writeFileSync(
    `${address}.partial`,
    JSON.stringify({ host: '127.0.0.1', port: server.address().port, pid: process.pid }),
  );
  renameSync(`${address}.partial`, address);
});
// As the learner does: without its trainer it has nothing to do.
setInterval(() => process.ppid !== Number(option('parent')) && process.exit(0), 500);
