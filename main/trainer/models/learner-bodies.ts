import { floatsTensor, idsTensor, type Tensor } from './tensor';

/** An answer as the learner sees it: token ids of the prompt and of the answer, its end token included. */
export type TokenSample = { readonly prompt: Int32Array; readonly tokens: Int32Array };

/** More tokens than this are sent in several requests; gradients add up in the learner. */
const MAX_TOKENS_PER_REQUEST = 500_000;

/** Token ids as a piece of a model's input. */
export function chunk(tokens: Int32Array): { type: 'encoded_text'; tokens: Tensor } {
  return { type: 'encoded_text', tokens: idsTensor(tokens) };
}

/** Shifted by one, as the wire has it: the target at t follows the input at t. Prompt positions have weight 0. */
export function forwardInput(
  samples: readonly TokenSample[],
  weightsOf: (sample: TokenSample) => ArrayLike<number>,
): { readonly forward_input: unknown } {
  const data = samples.map((sample) => {
    const { prompt, tokens } = sample;
    const all = new Int32Array(prompt.length + tokens.length);
    all.set(prompt);
    all.set(tokens, prompt.length);
    const weights = new Float32Array(all.length - 1);
    weights.set(weightsOf(sample), prompt.length - 1);
    return {
      model_input: { chunks: [chunk(all.subarray(0, -1))] },
      loss_fn_inputs: { target_tokens: idsTensor(all.subarray(1)), weights: floatsTensor(weights) },
    };
  });
  return { forward_input: { data, loss_fn: 'cross_entropy' } };
}

/** Weights with which every token of the answer is scored. */
export function onesOf({ tokens }: TokenSample): Float32Array {
  return new Float32Array(tokens.length).fill(1);
}

/** No token of the answer moves the loss. */
export function isZero(slopes: ArrayLike<number>): boolean {
  return Array.prototype.every.call(slopes, (slope) => slope === 0);
}

/** In order, each of at most MAX_TOKENS_PER_REQUEST tokens (or one sample). */
export function partsOf(samples: readonly TokenSample[]): readonly (readonly TokenSample[])[] {
  const parts: TokenSample[][] = [];
  let left = 0;
  for (const sample of samples) {
    const length = sample.prompt.length + sample.tokens.length;
    if (length > left || parts.length === 0) {
      parts.push([]);
      left = MAX_TOKENS_PER_REQUEST;
    }
    parts.at(-1)?.push(sample);
    left -= length;
  }
  return parts;
}
