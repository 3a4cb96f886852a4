/** A line of a list of environment variables, as typed. */
export type VariableRow = { readonly key: number; readonly name: string; readonly value: string };

/** Names of variables that hold secrets more often than not. */
const SECRET = /(TOKEN|SECRET|PASSWORD|PASSWD|API_?KEY|CREDENTIAL)/i;
/** Of one that holds only the path of a secret. */
const FILE = /_FILE$/i;

export function variableRows(env: Readonly<Record<string, string>>): readonly VariableRow[] {
  return Object.entries(env).map(([name, value], key) => ({ key, name, value }));
}

/** The environment that the rows mean, what is wrong with them, and names that look like secrets. */
export function readVariables(rows: readonly VariableRow[]): {
  readonly env: Record<string, string>;
  readonly errors: readonly string[];
  readonly secrets: readonly string[];
} {
  const env: Record<string, string> = {};
  const errors: string[] = [];
  for (const { name: typed, value } of rows) {
    const name = typed.trim();
    if (name === '' && value === '') continue;
    if (!/^[A-Za-z_]\w*$/.test(name)) {
      errors.push(`“${name}” is not a variable name: use letters, digits and _, not starting with a digit.`);
    } else if (name in env) errors.push(`${name} is set twice.`);
    else env[name] = value;
  }
  const secrets = rows
    .filter(({ name, value }) => SECRET.test(name) && !FILE.test(name) && value !== '')
    .map(({ name }) => name.trim());
  return { env, errors, secrets };
}
