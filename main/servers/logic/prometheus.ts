/** One line of the text that engines give at /metrics. */
export type Sample = {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
};

/**
 * The samples of a page in Prometheus' text format (its "exposition formats"), in its order. Comments and lines that
 * are none are passed over, and so are values that are no finite numbers.
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
  for (const [, name, value] of text.matchAll(/([A-Za-z_]\w*)="((?:[^"\\]|\\.)*)"/g)) {
    if (name !== undefined && value !== undefined) labels[name] = value;
  }
  return labels;
}

/**
 * The sum over all label sets of the first of these names that is there; null where none is. Ranks of one engine
 * tell the same numbers again, so only the first rank of tensor parallelism counts.
 */
export function sumOf(samples: readonly Sample[], names: readonly string[]): number | null {
  const values = valuesOf(samples, names);
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0);
}

/** The largest instead: for shares, which do not add up. */
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
