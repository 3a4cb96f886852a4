import type { Answer, LogPiece, Value } from '../../preload/contract';

/** A log in memory, or one that is made up where it is read, so that it can be of any length. */
export type SampleLog = {
  readonly size: () => number;
  /** Bytes [from, to) as text; both within the size. The sample logs are ASCII, so bytes are characters. */
  readonly slice: (from: number, to: number) => string;
};

export function textLog(text: string): SampleLog {
  return { size: () => text.length, slice: (from, to) => text.slice(from, to) };
}

const WIDTH = 100;

/** Line `number` (from 0) of the made-up log: always 100 bytes with its end. */
function madeUpLine(number: number): string {
  const step = String(number).padStart(12, '0');
  const loss = (2.5 / (1 + number / 1e7) + Math.sin(number) * 0.01).toFixed(4);
  return `step ${step} loss ${loss} reward ${(0.4 + Math.cos(number) * 0.05).toFixed(4)} tokens ${(number * 2_048).toString()}`
    .padEnd(WIDTH - 1, ' ')
    .slice(0, WIDTH - 1)
    .concat('\n');
}

/** A log of so many bytes now (whole lines of 100), made up where it is read. */
export function madeUpLog(size: () => number): SampleLog {
  const whole = (): number => Math.floor(size() / WIDTH) * WIDTH;
  return {
    size: whole,
    slice: (from, to) => {
      const parts: string[] = [];
      for (let line = Math.floor(from / WIDTH); line * WIDTH < to; line++) parts.push(madeUpLine(line));
      const skip = from % WIDTH;
      return parts.join('').slice(skip, skip + to - from);
    },
  };
}

export function readSampleLog(log: SampleLog, offset: number, maxBytes: number): Answer<LogPiece> {
  const size = log.size();
  const from = offset < 0 ? Math.max(0, size + offset) : Math.min(offset, size);
  const to = Math.min(size, from + maxBytes);
  return { ok: true, value: { text: log.slice(from, to), nextOffset: to, size } };
}

/** Searches the first megabytes only: a sample need not be thorough. */
export function searchSampleLog(
  log: SampleLog,
  text: string,
  offset: number,
  limit: number,
): Answer<Value<'job.searchLog'>> {
  const matches: Value<'job.searchLog'>['matches'] = [];
  const end = Math.min(log.size(), 4_000_000);
  let at = 0;
  let number = 0;
  for (const line of log.slice(0, end).split('\n')) {
    number += 1;
    if (at >= offset && line.toLowerCase().includes(text.toLowerCase())) {
      if (matches.length === limit) return { ok: true, value: { matches, isComplete: false } };
      matches.push({ offset: at, line: number, text: line.slice(0, 400) });
    }
    at += line.length + 1;
  }
  return { ok: true, value: { matches, isComplete: end === log.size() } };
}

const E = '\u001B';

/** As training prints: set-up, a progress bar that is overwritten, colours, a warning. */
export const TRAINING_LOG = textLog(
  [
    `${E}[32mINFO${E}[0m 2026-01-05 09:12:04 [trainer.py:88] world size 4, policy Qwen3-8B, seed 1`,
    `${E}[32mINFO${E}[0m 2026-01-05 09:12:31 [rollout.py:41] vLLM engine ready on 2 GPUs`,
    ...Array.from({ length: 60 }, (_, step) => {
      const bars = [10, 40, 70, 100].map(
        (done) => `rollouts ${String(done).padStart(3)} %|${'#'.repeat(done / 10)}`,
      );
      const at = `09:${String(13 + Math.floor(step / 2)).padStart(2, '0')}:${step % 2 === 0 ? '05' : '35'}`;
      return [
        bars.join('\r'),
        `${E}[32mINFO${E}[0m 2026-01-05 ${at} [trainer.py:140] step ${step} reward ${(0.31 + step * 0.004).toFixed(4)} kl ${(0.002 + step * 0.0001).toFixed(5)} length ${1_180 + step * 9}`,
        ...(step === 21
          ? [
              `${E}[33mWARNING${E}[0m 2026-01-05 ${at} [rollout.py:97] 3 of 512 answers were cut at 8192 tokens`,
            ]
          : []),
      ].join('\n');
    }),
    '',
  ].join('\n'),
);

export const FAILED_LOG = textLog(
  [
    '+ python train.py --config configs/marti-8b.yaml',
    'Loading checkpoint shards: 100%|##########| 5/5 [00:41<00:00,  8.3s/it]',
    'Traceback (most recent call last):',
    '  File "/home/lab/marti/train.py", line 214, in <module>',
    '    main(parse_args())',
    '  File "/home/lab/marti/trainer.py", line 151, in step',
    '    loss.backward()',
    `${E}[31mtorch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.37 GiB. GPU 0 has a total capacity of 79.11 GiB of which 1.02 GiB is free.${E}[0m`,
    '',
  ].join('\n'),
);

export const SET_UP_LOG = textLog(
  'Loading cuda/12.4\nLoading python/3.11\n  Activated /home/lab/envs/marti\n',
);

export const VLLM_LOG = textLog(
  [
    'INFO 01-05 09:30:01 [api_server.py:1289] vLLM API server version 0.9.1',
    'INFO 01-05 09:30:02 [config.py:787] Using max model len 40000',
    ...[20, 40, 60, 80, 100].map(
      (done, at) =>
        `Loading safetensors checkpoint shards: ${done}% Completed | ${at + 1}/5 [00:0${at + 1}<00:04, 1.02s/it]`,
    ),
    'INFO 01-05 09:30:41 [gpu_model_runner.py:1604] Model loading took 15.27 GiB and 38.2 seconds',
    'INFO 01-05 09:31:07 [kv_cache_utils.py:716] GPU KV cache size: 384,512 tokens',
    'INFO 01-05 09:31:20 [api_server.py:1336] Starting vLLM API server on http://0.0.0.0:41213',
    ...Array.from(
      { length: 120 },
      (_, at) =>
        `INFO 01-05 09:${String(32 + Math.floor(at / 6)).padStart(2, '0')}:${String((at * 10) % 60).padStart(2, '0')} [loggers.py:118] Engine 000: Avg generation throughput: ${1_812 + ((at * 37) % 400)}.4 tokens/s, Running: ${20 + (at % 9)} reqs, Waiting: ${at % 5} reqs, GPU KV cache usage: ${(21 + (at % 30)).toFixed(1)}%`,
    ),
    '',
  ].join('\n'),
);
