// `jsonseam/ai`: the hooks of the Vercel AI SDK, versions 6 and 7. Nothing of the SDK is imported.

import type * as types from '../../types/ai.d.ts';
import { RepairError, truncated, whole } from '../common.ts';
import { createPipeline } from './core.ts';

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

  return {
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

    repairedOutput: ((inner: types.OutputLike) => ({
      ...inner,
      parseCompleteOutput: async ({ text }: { text: string }, context: { finishReason?: string }) => {
        const isCut = CUTS.has(context?.finishReason ?? '');
        if (!isCut || allowTruncated) return inner.parseCompleteOutput({ text: mended(text, 'output') ?? text }, context);
        onRefusal?.(truncated(text), 'output');
        // What does not parse is refused by the SDK, with its own error; what happens to parse must be refused here.
        if (isJson(text)) throw truncated(text);
        return inner.parseCompleteOutput({ text }, context);
      },
    })) as types.Hooks['repairedOutput'],

    jsonTransform: (text) => mended(text, 'text') ?? text,
  };
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
export const jsonTransform: types.Hooks['jsonTransform'] = (text) => hooks().jsonTransform(text);
