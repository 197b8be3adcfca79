/** `jsonseam/ai`: hooks of the Vercel AI SDK, versions 6 and 7. An answer that was cut off is never passed off as whole. */

import type { PipelineOptions, RepairError, Repaired } from './core.js';

/** What is being repaired. */
export type Subject = 'text' | 'tool-call' | 'output';

export interface HookOptions extends PipelineOptions {
  /** Takes answers that were cut off. */
  allowTruncated?: boolean;
  /** Called after each repair that changed something. */
  onRepair?: (repaired: Repaired, subject: Subject) => void;
  /** Called for each refusal. */
  onRefusal?: (error: RepairError, subject: Subject) => void;
}

/** What is used of the SDK's `Output`. */
export interface OutputLike {
  parseCompleteOutput(options: { text: string }, context: any): Promise<any>;
  parsePartialOutput?(options: { text: string }): Promise<any>;
  createElementStreamTransform?(): any;
}

/** What is used of a part of the SDK. */
export interface PartLike {
  type: string;
  input?: unknown;
  finishReason?: unknown;
}

/** What is used of a middleware of the SDK. */
export interface ToolCallMiddleware {
  readonly specificationVersion: 'v3';
  wrapGenerate(options: { doGenerate: () => PromiseLike<any> } & Record<string, any>): Promise<any>;
  wrapStream(options: { doStream: () => PromiseLike<any> } & Record<string, any>): Promise<any>;
  transformParams(options: { params: any } & Record<string, any>): Promise<any>;
}

export interface Hooks {
  /** For `repairText` (version 7) and `experimental_repairText` (6) of `generateObject` and `streamObject`. Null if refused or cut off. */
  repairText(call: { text: string; error?: unknown }): Promise<string | null>;
  /** For `repairToolCall` (7) and `experimental_repairToolCall` (6). Null if refused or cut off, and for tools that do not exist. */
  repairToolCall<Call extends { input: string }>(call: { toolCall: Call; error?: unknown }): Promise<Call | null>;
  /**
   * Around `Output.object(…)` and its like: repairs the whole text, unless the finish reason says that it was cut off.
   *
   * While the answer comes, `partialOutputStream` gives what is settled of it and `elementStream` the elements that are final, at the cost of what is new.
   * A partial value has no key, number or literal that is not whole.
   */
  repairedOutput<Of extends OutputLike>(output: Of): Of;
  /**
   * For `wrapLanguageModel({ model, middleware: toolCallMiddleware })`, for the SDK itself and for what takes its models, such as Mastra:
   * repairs the arguments of calls in answers and in the history. A call that was cut off, or would have to be closed, stays as it is.
   */
  toolCallMiddleware: ToolCallMiddleware;
  /** For `extractJsonMiddleware({ transform })`: the repaired text, or the text itself where it is refused or cut off. */
  jsonTransform(text: string): string;
}

/** The hooks with settings of their own. Default preset `standard`. */
export declare function createHooks(options?: HookOptions): Hooks;

export declare const repairText: Hooks['repairText'];
export declare const repairToolCall: Hooks['repairToolCall'];
export declare const repairedOutput: Hooks['repairedOutput'];
export declare const toolCallMiddleware: Hooks['toolCallMiddleware'];
export declare const jsonTransform: Hooks['jsonTransform'];
