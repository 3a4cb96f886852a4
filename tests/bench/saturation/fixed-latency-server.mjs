// A chat-completions server with C slots that answers each request after a fixed time, in a process of its own. A
// request beyond the slots waits. Every 10 ms it notes how many slots are busy; GET /busy gives these notes, in
// milliseconds since the first request: node fixed-latency-server.mjs <slots> <latency ms> [<answers file>]
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

const [slots, latencyMs] = process.argv.slice(2, 4).map(Number);
const answersFile = process.argv[4];
/** By problem id: answers that are given in turn. */
const answers = answersFile === undefined ? {} : JSON.parse(readFileSync(answersFile, 'utf8'));
const STEP_MS = 10;

let busy = 0;
let served = 0;
let first = null;
let last = 0;
let mark = 0;
/** Slot-milliseconds that were busy in each step. */
const steps = [];
const waiting = [];

/** Adds what was busy since the last change. */
function account() {
  const now = performance.now();
  while (first !== null && mark < now) {
    const at = Math.floor((mark - first) / STEP_MS);
    const end = Math.min(now, first + (at + 1) * STEP_MS);
    steps[at] = (steps[at] ?? 0) + busy * (end - mark);
    mark = end === mark ? now : end;
  }
}

function begin(job) {
  account();
  busy += 1;
  setTimeout(() => {
    account();
    busy -= 1;
    served += 1;
    last = performance.now();
    job();
    const next = waiting.shift();
    if (next !== undefined) begin(next);
  }, latencyMs);
}

function send(response, value) {
  const body = JSON.stringify(value);
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) });
  response.end(body);
}

function answerTo(request) {
  const problem = request.metadata?.problem_id ?? '';
  const own = answers[problem];
  if (own !== undefined) return own[request.seed % own.length];
  return `Here is a program.\n\n\`\`\`python\nprint(${request.seed})\n\`\`\`\n`;
}

function answer(response, asked) {
  send(response, {
    choices: [{ message: { role: 'assistant', content: answerTo(asked) }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 100, completion_tokens: 40 },
  });
}

const server = createServer((request, response) => {
  if (request.url === '/v1/models') return send(response, { data: [{ id: 'fixed-latency' }] });
  if (request.url === '/busy') {
    account();
    return send(response, { slots, stepMs: STEP_MS, steps, served, spanMs: last - (first ?? last) });
  }
  // Whoever watches model servers also asks for what this one has not, its metrics for one.
  if (request.method !== 'POST') return response.writeHead(404).end();
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    const asked = JSON.parse(Buffer.concat(chunks).toString());
    // The look whether the server is ready is no part of the run.
    if (!asked.metadata?.problem_id) return answer(response, asked);
    if (first === null) {
      first = performance.now();
      mark = first;
    }
    const reply = () => answer(response, asked);
    if (busy < slots) begin(reply);
    else waiting.push(reply);
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
