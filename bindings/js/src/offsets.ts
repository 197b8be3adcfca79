// From bytes, which the engine counts, to UTF-16 units, which JavaScript counts.

const NOT_ASCII = /[^\x00-\x7f]/;

/**
 * The UTF-16 offsets of ascending byte offsets. Reads the text once, and not at all if it is ASCII.
 *
 * An offset inside a character cannot come from the engine; it is given the end of that character.
 */
export function utf16Offsets(text: string, bytes: readonly number[]): number[] {
  if (!NOT_ASCII.test(text)) return [...bytes];
  const units: number[] = [];
  let unit = 0;
  let byte = 0;
  for (const wanted of bytes) {
    while (byte < wanted && unit < text.length) {
      const code = text.charCodeAt(unit);
      if (code < 0x80) {
        byte += 1;
        unit += 1;
      } else if (code < 0x800) {
        byte += 2;
        unit += 1;
      } else if (code >= 0xd800 && code < 0xdc00) {
        byte += 4;
        unit += 2;
      } else {
        byte += 3;
        unit += 1;
      }
    }
    units.push(unit);
  }
  return units;
}

/** The same for offsets in any order. */
export function offsetTable(text: string, bytes: Iterable<number>): (byte: number) => number {
  if (!NOT_ASCII.test(text)) return (byte) => byte;
  const sorted = [...new Set(bytes)].sort((one, other) => one - other);
  const units = utf16Offsets(text, sorted);
  const table = new Map(sorted.map((byte, index) => [byte, units[index] as number]));
  return (byte) => table.get(byte) ?? byte;
}
