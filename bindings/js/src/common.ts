// What all entries share, so that an error is an instance of the same class wherever it is imported from.

export { createApi } from './pipeline.ts';
export { ConfigError, EngineError, RepairError } from './errors.ts';
export { CallsError, createCalls } from './calls.ts';
export { ContractError, createContracts } from './contract.ts';
export { DROP_IN, droppedIn, truncated, whole } from './gate.ts';
export { PER_CALL, SETTINGS, checkOptions } from './options.ts';
export { createStreams } from './stream.ts';
export { Host } from './host.ts';
export type { Glue, Source } from './host.ts';
