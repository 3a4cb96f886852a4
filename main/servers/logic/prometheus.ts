/** One line of the text that engines give at /metrics. */
export type Sample = {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
};

/**
 * The samples of a page in Prometheus' text format (its "exposition formats"), in its order. Skips comments, other
 * lines, and values that are not finite numbers.
 */
export function readSamples(text: string): readonly Sample[] {
  const samples: Sample[] = [];
  for (const line of text.split('\n')) {
    const parts = /^([A-Za-z_:][\w:]*)(?:\{(.*)\})?\s+(\S+)/.exec(line);
    const value = Number(parts?.[3]);
    if (parts === null || !Number.isFinite(value)) continue;
    samples.push({ name: parts[1] ?? '', labels: readLabels(parts[2] ?? ''), value });
  }
  return samples;
}

function readLabels(text: string): Readonly<Record<string, string>> {
  const labels: Record<string, string> = {};
  for (const [, name, value] of text.matchAll(/(?<!\w)([A-Za-z_]\w*)="((?:[^"\\]|\\.)*)"/g)) {
    if (name !== undefined && value !== undefined) labels[name] = value;
  }
  return labels;
}

/**
 * The sum over all label sets of the first of these names that has samples; null if none has. All ranks of tensor
 * parallelism report the same numbers, so only the first rank counts.
 */
export function sumOf(samples: readonly Sample[], names: readonly string[]): number | null {
  const values = valuesOf(samples, names);
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0);
}

/** As `sumOf`, but the largest value: for shares, which cannot be added. */
export function maximumOf(samples: readonly Sample[], names: readonly string[]): number | null {
  const values = valuesOf(samples, names);
  return values.length === 0 ? null : Math.max(...values);
}

function valuesOf(samples: readonly Sample[], names: readonly string[]): readonly number[] {
  for (const name of names) {
    const values = samples.filter((sample) => sample.name === name && (sample.labels.tp_rank ?? '0') === '0');
    if (values.length > 0) return values.map(({ value }) => value);
  }
  return [];
}
