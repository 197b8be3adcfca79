declare module '*.txt' {
  const text: string;
  export default text;
}

declare module 'cases' {
  const cases: Record<string, import('./answer.ts').Case[]>;
  export default cases;
}
