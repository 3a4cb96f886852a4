/** Names that many files of samples have: the folder's name then tells them apart. */
const generic = new Set(['samples', 'solutions', 'completions', 'data', 'results']);

/**
 * "HumanEval" of "/data/HumanEval.jsonl.gz"; "codegen samples" of "/data/codegen/samples.jsonl"; "sanitized test" of
 * "/mbpp/sanitized/test-00000-of-00001.parquet".
 */
export function importName(path: string): string {
  const parts = path.split(/[\\/]/).filter((part) => part !== '');
  const stem = (parts.at(-1) ?? '').replace(/(?:\.(?:jsonl?|ndjson|gz|parquet))+$/i, '');
  const base = stem.replace(/-\d+-of-\d+$/, '');
  const folder = parts.at(-2);
  const isGeneric = base !== stem || generic.has(base.toLowerCase());
  return isGeneric && folder !== undefined ? `${folder} ${base}` : base;
}

/** A name as an id of the library: lower case, digits, dots and dashes. */
export function idOfName(name: string): string {
  const id = name
    .toLowerCase()
    .replace(/[^a-z0-9.]+/g, '-')
    .slice(0, 60)
    .replace(/^[.-]+|[.-]+$/g, '');
  return id === '' ? 'import' : id;
}
