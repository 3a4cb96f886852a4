/** The value of a JSON text; undefined when it is not valid JSON, e.g. because it was cut off. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
