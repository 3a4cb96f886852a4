/** The name, or the first of its numbered forms ("name-2") that is not taken. */
export function firstFree(name: string, joint: string, taken: ReadonlySet<string>): string {
  let free = name;
  for (let number = 2; taken.has(free); number += 1) free = `${name}${joint}${number}`;
  return free;
}
