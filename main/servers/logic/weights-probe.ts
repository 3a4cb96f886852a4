import { z } from 'zod';
import { shellPath, shellWord } from '../../base';
import type { ModelShape } from './fit';

/** A model's weights on a machine. */
export type WeightsProbe = {
  /** The folder or file that holds them there; null: they are not there. */
  readonly path: string | null;
  /** Of the files that an engine would load; null where there are none. */
  readonly bytes: number | null;
  /** From config.json; null where there is none that can be read. */
  readonly shape: ModelShape | null;
};

/** Before each part of the answer. */
const MARK = '@mars2-weights@';

/**
 * A shell script that finds weights: a folder, a file, or a name in the hub's cache. `parseWeights` parses its output.
 */
export function weightsScript(weights: string): string {
  return `path=${shellPath(weights)}
if [ ! -e "$path" ]; then
  hub=\${HF_HUB_CACHE:-\${HF_HOME:-$HOME/.cache/huggingface}/hub}
  cached=$hub/models--${shellWord(weights.replace(/:[\s\S]*/, '').replaceAll('/', '--'))}
  path=
  if [ -d "$cached/snapshots" ]; then
    revision=$(cat "$cached/refs/main" 2>/dev/null)
    if [ -n "$revision" ] && [ -d "$cached/snapshots/$revision" ]; then path=$cached/snapshots/$revision
    else for one in "$cached"/snapshots/*/; do [ -d "$one" ] && path=\${one%/}; done; fi
  fi
fi
echo "${MARK}path"
echo "$path"
[ -n "$path" ] || exit 0
echo "${MARK}files"
if [ -d "$path" ]; then ls -lnL "$path" 2>/dev/null; else ls -lnL "$path"; fi
echo "${MARK}config"
cat "$path/config.json" 2>/dev/null || true
`;
}

/** Whole numbers from 1; configurations of some models nest those of their text part. */
const count = z.int().positive();
const partSchema = z.object({
  num_hidden_layers: count,
  num_attention_heads: count,
  num_key_value_heads: count.nullish(),
  head_dim: count.nullish(),
  hidden_size: count.nullish(),
  max_position_embeddings: count.nullish(),
  torch_dtype: z.string().nullish(),
  dtype: z.string().nullish(),
});
const configSchema = z.union([
  partSchema,
  z.object({ text_config: partSchema }).transform((config) => config.text_config),
]);

/** Parses the output of `weightsScript`. */
export function readWeightsProbe(output: string): WeightsProbe {
  const part = (name: string): string => {
    const start = output.indexOf(`${MARK}${name}\n`);
    if (start < 0) return '';
    const from = start + MARK.length + name.length + 1;
    const end = output.indexOf(MARK, from);
    return end < 0 ? output.slice(from) : output.slice(from, end);
  };
  const folder = part('path').trim();
  if (folder === '') return { path: null, bytes: null, shape: null };
  return { path: folder, bytes: bytesOf(part('files')), shape: readShape(part('config')) };
}

/** Adds up the files of the first kind that exists: engines load only one kind. */
function bytesOf(listing: string): number | null {
  const files = listing.split('\n').flatMap((line) => {
    // -rw-r--r-- 1 1000 1000 4902257696 May  1 12:00 model-00001-of-00005.safetensors
    const [mode = '', , , , bytes = '', ...rest] = line.trim().split(/\s+/);
    const isFile = mode.startsWith('-') && /^\d+$/.test(bytes) && rest.length > 0;
    return isFile ? [{ bytes: Number(bytes), name: rest.at(-1) ?? '' }] : [];
  });
  for (const ending of ['.safetensors', '.gguf', '.bin', '.pt', '.pth']) {
    const matching = files.filter(({ name }) => name.endsWith(ending));
    if (matching.length > 0) return matching.reduce((sum, { bytes }) => sum + bytes, 0);
  }
  return null;
}

function readShape(text: string): ModelShape | null {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return null;
  }
  const parsed = configSchema.safeParse(json);
  if (!parsed.success) return null;
  const config = parsed.data;
  const headDim =
    config.head_dim ?? (config.hidden_size == null ? null : config.hidden_size / config.num_attention_heads);
  if (headDim === null) return null;
  return {
    layers: config.num_hidden_layers,
    attentionHeads: config.num_attention_heads,
    kvHeads: config.num_key_value_heads ?? config.num_attention_heads,
    headDim,
    contextTokens: config.max_position_embeddings ?? null,
  };
}
