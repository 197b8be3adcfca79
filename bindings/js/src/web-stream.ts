// Browsers have no streams of Node.

export function makeTransform(): never {
  throw new TypeError('`jsonrepairTransform` needs the streams of Node; `repairTransformStream` works everywhere');
}
