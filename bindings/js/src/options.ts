// Options are checked by name and by kind before they go over the border; what the values mean is checked there.

const kinds = {
  string: (value: unknown) => typeof value === 'string',
  boolean: (value: unknown) => typeof value === 'boolean',
  count: (value: unknown) => Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) < 2 ** 32,
  names: (value: unknown) => Array.isArray(value) && value.every((name) => typeof name === 'string'),
  casts: (value: unknown) => typeof value === 'boolean' || kinds.names(value),
  function: (value: unknown) => typeof value === 'function',
  object: (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value),
  json: (value: unknown) => typeof value === 'object' && value !== null,
  schema: (value: unknown) => typeof value === 'function' || typeof value === 'boolean' || kinds.object(value),
};
type Kind = keyof typeof kinds;

const described: Record<Kind, string> = {
  string: 'a string',
  boolean: 'true or false',
  count: 'a whole number from 0 to 4294967295',
  names: 'a list of strings',
  casts: 'true, false or a list of names',
  function: 'a function',
  object: 'an object',
  json: 'a list or an object',
  schema: 'a schema',
};

/** What a pipeline is made of. */
export const SETTINGS = {
  config: 'string',
  preset: 'string',
  root: 'string',
  maxRisk: 'string',
  candidates: 'string',
  maxCandidates: 'count',
  enable: 'names',
  disable: 'names',
  order: 'names',
  maxInputBytes: 'count',
  maxDepth: 'count',
  maxEdits: 'count',
} as const satisfies Record<string, Kind>;

/** What is said about one completion. */
export const PER_CALL = { finishReason: 'string' } as const satisfies Record<string, Kind>;

/** Refuses unknown names and wrong kinds with a `TypeError`. */
export function checkOptions(options: unknown, known: Record<string, Kind>, what = 'options'): asserts options is Record<string, unknown> {
  if (!kinds.object(options)) throw new TypeError(`${what} must be an object, not ${shown(options)}`);
  for (const [name, value] of Object.entries(options as object)) {
    const kind = Object.hasOwn(known, name) ? known[name] : undefined;
    if (kind === undefined) throw new TypeError(`unknown option ${quoted(name)}${suggestion(name, Object.keys(known))}`);
    if (value !== undefined && !kinds[kind](value)) throw new TypeError(`the option \`${name}\` must be ${described[kind]}`);
  }
}

/** The settings among checked options, as the engine reads them: equal settings give equal texts. */
export function settingsText(options: Record<string, unknown>): string {
  let settings = '';
  // U+0000 ends a name and a value, and a lone surrogate does not get over the border. U+0001 means as little, and is refused in their place.
  const add = (name: string, value: unknown) => (settings += `${name}\0${String(value).replace(/\0|\p{Surrogate}/gu, '\u0001')}\0`);
  for (const name of Object.keys(SETTINGS)) {
    const value = options[name];
    if (Array.isArray(value)) {
      add(`${name}[]`, '');
      for (const item of value) add(name, item);
    } else if (value !== undefined) add(name, value);
  }
  return settings;
}

/** What kind of thing something is, never what it holds. */
export function shown(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'undefined' ? 'undefined' : `${/^[aeiou]/.test(typeof value) ? 'an' : 'a'} ${typeof value}`;
}

function quoted(name: string): string {
  return /^[\w-]{1,40}$/.test(name) ? `\`${name}\`` : '(with an unusual name)';
}

function suggestion(name: string, known: string[]): string {
  const flat = (text: string) => text.toLowerCase().replace(/[-_]/g, '');
  const near = known
    .map((other) => [distance(flat(name), flat(other)), other] as const)
    .sort(([one], [other]) => one - other)[0];
  if (near && near[0] <= Math.max(1, Math.floor(name.length / 3))) return `; did you mean \`${near[1]}\`?`;
  return `; known are ${known.join(', ')}`;
}

/** The number of characters to change, add or remove. */
function distance(one: string, other: string): number {
  if (one.length > 60) return Infinity;
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let i = 1; i <= one.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= other.length; j += 1) {
      const cost = one[i - 1] === other[j - 1] ? 0 : 1;
      next.push(Math.min((row[j] as number) + 1, (next[j - 1] as number) + 1, (row[j - 1] as number) + cost));
    }
    row = next;
  }
  return row[other.length] as number;
}
