// `jsonseam/ai`: the hooks of the Vercel AI SDK, versions 6 and 7. Nothing of the SDK is imported.

import type * as types from '../../types/ai.d.ts';
import { RepairError, truncated, whole } from '../common.ts';
import { createElements, createPartial } from '../partial.ts';
import { createPipeline, createStream } from './flow.ts';

/** The finish reasons of the SDK that say that there is more, or that something was taken out. */
const CUTS = new Set(['length', 'content-filter', 'error']);

export function createHooks(options: types.HookOptions = {}): types.Hooks {
  const { allowTruncated = false, onRepair, onRefusal, ...settings } = options;
  const pipeline = createPipeline(settings);
  const objects = createPipeline({ ...settings, root: 'object' });

  /** The repaired text; `undefined` if it is refused, or cut off. */
  const mended = (text: string, of: types.Subject, by = pipeline): string | undefined => {
    try {
      const repaired = whole(by.repair(text), text, allowTruncated);
      if (repaired.status === 'repaired' || repaired.text !== text) onRepair?.(repaired, of);
      return repaired.text;
    } catch (error) {
      if (!(error instanceof RepairError)) throw error;
      onRefusal?.(error, of);
      return undefined;
    }
  };

  /** The repaired text of an answer at its end, told to no one: `parseCompleteOutput` tells of it. */
  const settledWhole = (text: string, finishReason: unknown): string | undefined => {
    if (isCutOff(finishReason) && !allowTruncated) return undefined;
    try {
      return whole(pipeline.repair(text), text, allowTruncated).text;
    } catch (error) {
      if (error instanceof RepairError) return undefined;
      throw error;
    }
  };

  /** A message of the history whose calls have objects for arguments: the SDK keeps a call that was invalid as text. */
  const withObjects = <Message extends { role: string; content: unknown }>(message: Message): Message => {
    if (message.role !== 'assistant' || !Array.isArray(message.content)) return message;
    const content = message.content.map((part: types.PartLike) => {
      if (part.type !== 'tool-call' || typeof part.input !== 'string') return part;
      const input = repairedInput(part.input) ?? part.input;
      const value: unknown = isJson(input) ? JSON.parse(input) : undefined;
      return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...part, input: value } : part;
    });
    return { ...message, content };
  };

  /** The repaired arguments of a call; `undefined` if there is nothing to repair, or no way to. */
  const repairedInput = (input: unknown): string | undefined =>
    typeof input !== 'string' || input.trim() === '' || isJson(input) ? undefined : mended(input, 'tool-call', objects);
  const repairedCall = <Part extends { input?: unknown }>(part: Part, isCut: boolean): Part => {
    const input = isCut && !allowTruncated ? undefined : repairedInput(part.input);
    return input === undefined ? part : { ...part, input };
  };

  return {
    toolCallMiddleware: {
      specificationVersion: 'v3',
      wrapGenerate: async ({ doGenerate }) => {
        const result = await doGenerate();
        const calls = result.content.filter(({ type }: types.PartLike) => type === 'tool-call');
        // Of several calls only the last can be cut off.
        const last = isCutOff(result.finishReason) ? calls[calls.length - 1] : undefined;
        return { ...result, content: result.content.map((part: types.PartLike) => (part.type === 'tool-call' ? repairedCall(part, part === last) : part)) };
      },
      wrapStream: async ({ doStream }) => {
        const { stream, ...rest } = await doStream();
        // Whether a call was cut off is known once it is known what follows it.
        let held: types.PartLike | undefined;
        const transform = new TransformStream<types.PartLike, types.PartLike>({
          transform(chunk, controller) {
            if (held) controller.enqueue(repairedCall(held, chunk.type === 'finish' && isCutOff(chunk.finishReason)));
            held = chunk.type === 'tool-call' ? chunk : undefined;
            if (!held) controller.enqueue(chunk);
          },
          flush(controller) {
            if (held) controller.enqueue(held);
          },
        });
        return { ...rest, stream: stream.pipeThrough(transform) };
      },
      transformParams: async ({ params }) => ({ ...params, prompt: params.prompt.map(withObjects) }),
    },

    repairText: async ({ text }) => {
      const repaired = mended(text, 'text');
      // What was valid before fails for another reason, and would fail again.
      return repaired === undefined || repaired === text ? null : repaired;
    },

    repairToolCall: (async ({ toolCall, error }: { toolCall: { input: string }; error: { name?: string } }) => {
      if (error?.name === 'AI_NoSuchToolError') return null;
      const input = mended(toolCall.input, 'tool-call', objects);
      return input === undefined || input === toolCall.input ? null : { ...toolCall, input };
    }) as types.Hooks['repairToolCall'],

    repairedOutput: ((inner: types.OutputLike) => {
      const isArray = inner.createElementStreamTransform?.() !== undefined;
      const output: types.OutputLike = {
        ...inner,
        parseCompleteOutput: async ({ text }: { text: string }, context: { finishReason?: string }) => {
          const isCut = CUTS.has(context?.finishReason ?? '');
          if (!isCut || allowTruncated) return inner.parseCompleteOutput({ text: mended(text, 'output') ?? text }, context);
          onRefusal?.(truncated(text), 'output');
          // What does not parse is refused by the SDK, with its own error; what happens to parse must be refused here.
          if (isJson(text)) throw truncated(text);
          return inner.parseCompleteOutput({ text }, context);
        },
      };
      if (inner.parsePartialOutput) output.parsePartialOutput = createPartial(inner, isArray, () => createStream(settings));
      if (isArray) output.createElementStreamTransform = () => createElements(inner, settledWhole);
      return output;
    }) as types.Hooks['repairedOutput'],

    jsonTransform: (text) => mended(text, 'text') ?? text,
  };
}

/** Whether a finish reason, in whichever way the SDK spells it, says that there is more. */
function isCutOff(reason: unknown): boolean {
  const unified: unknown = typeof reason === 'object' && reason !== null ? (reason as { unified?: unknown }).unified : reason;
  return typeof unified === 'string' && CUTS.has(unified);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

let usual: types.Hooks | undefined;
const hooks = (): types.Hooks => (usual ??= createHooks());

export const repairText: types.Hooks['repairText'] = (call) => hooks().repairText(call);
export const repairToolCall = ((call: never) => hooks().repairToolCall(call)) as types.Hooks['repairToolCall'];
export const repairedOutput = ((inner: never) => hooks().repairedOutput(inner)) as types.Hooks['repairedOutput'];
export const toolCallMiddleware: types.Hooks['toolCallMiddleware'] = {
  specificationVersion: 'v3',
  wrapGenerate: (options) => hooks().toolCallMiddleware.wrapGenerate(options),
  wrapStream: (options) => hooks().toolCallMiddleware.wrapStream(options),
  transformParams: (options) => hooks().toolCallMiddleware.transformParams(options),
};
export const jsonTransform: types.Hooks['jsonTransform'] = (text) => hooks().jsonTransform(text);
