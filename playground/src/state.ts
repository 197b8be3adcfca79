// What a run is made of, and how it travels in a link.

export interface State {
  text: string;
  preset: 'strict' | 'standard' | 'lenient';
  root: 'any' | 'object' | 'array';
  finish: '' | 'stop' | 'length';
  /** As typed: names by comma, `?` after an optional one. */
  keys: string;
  enable: string[];
  disable: string[];
}

export const FRESH: State = { text: '', preset: 'standard', root: 'any', finish: '', keys: '', enable: [], disable: [] };

/** Longest fragment. What is longer than this is no link that anyone can paste. */
export const MAX_FRAGMENT = 16 * 1024;

/** Longest text that a link may unfold to. */
const MAX_TEXT = 4 * 1024 * 1024;

export function keysOf(typed: string): { keys: string[]; optional: string[] } {
  const names = typed.split(',').map((name) => name.trim()).filter(Boolean);
  return {
    keys: names.filter((name) => !name.endsWith('?')),
    optional: names.filter((name) => name.endsWith('?')).map((name) => name.slice(0, -1).trim()).filter(Boolean),
  };
}

/** The fragment for a state; `undefined` if it would be too long. */
export async function toFragment(state: State): Promise<string | undefined> {
  const said = Object.fromEntries(Object.entries(state).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(FRESH[name as keyof State])));
  const bytes = await through(new TextEncoder().encode(JSON.stringify(said)), new CompressionStream('deflate-raw'));
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  const fragment = `1.${btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')}`;
  return fragment.length > MAX_FRAGMENT ? undefined : fragment;
}

/** The state in a fragment; `undefined` if it is none. Nothing in it is trusted. */
export async function fromFragment(fragment: string): Promise<State | undefined> {
  if (!fragment.startsWith('1.') || fragment.length > MAX_FRAGMENT) return undefined;
  try {
    const binary = atob(fragment.slice(2).replaceAll('-', '+').replaceAll('_', '/'));
    const bytes = await through(Uint8Array.from(binary, (character) => character.charCodeAt(0)), new DecompressionStream('deflate-raw'));
    const said = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as Record<string, unknown>;
    const text = (name: string) => (typeof said[name] === 'string' ? (said[name] as string) : undefined);
    const names = (name: string) => (Array.isArray(said[name]) ? (said[name] as unknown[]).filter((item): item is string => typeof item === 'string' && /^[a-z0-9/-]{1,64}$/.test(item)) : []);
    const one = <T extends string>(name: string, of: readonly T[], otherwise: T): T => of.find((item) => item === said[name]) ?? otherwise;
    return {
      text: text('text') ?? '',
      preset: one('preset', ['strict', 'standard', 'lenient'], FRESH.preset),
      root: one('root', ['any', 'object', 'array'], FRESH.root),
      finish: one('finish', ['', 'stop', 'length'], FRESH.finish),
      keys: text('keys') ?? '',
      enable: names('enable'),
      disable: names('disable'),
    };
  } catch {
    return undefined;
  }
}

async function through(bytes: Uint8Array<ArrayBuffer>, transform: CompressionStream | DecompressionStream): Promise<Uint8Array> {
  const reader = new Blob([bytes]).stream().pipeThrough(transform).getReader();
  const parts: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.length;
    if (length > MAX_TEXT) throw new RangeError('a link that unfolds to too much');
    parts.push(value);
  }
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
