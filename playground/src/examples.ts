// Completions as models write them. The first is that of the README.

import order from '../../examples/completion.txt';
import { FRESH, type State } from './state.ts';

export interface Example extends Partial<State> {
  title: string;
  text: string;
}

export const EXAMPLES: Example[] = [
  { title: 'An order, nine edits', text: order, keys: '' },
  { title: 'Python instead of JSON', text: "{'name': 'Ada', 'active': True, 'manager': None, 'tags': ('a', 'b')}", preset: 'lenient' },
  { title: 'Cut off in a list', text: 'Here are the results:\n\n```json\n{"query": "harbour", "hits": [{"id": 1, "score": 0.93}, {"id": 2, "sco' },
  { title: 'Cut off, says the finish reason', text: '{"city": "Oslo", "population": 717', finish: 'length' },
  { title: 'Quotes inside of a string', text: '{"title": "The "best" of 2026", "pages": 12}', preset: 'lenient' },
  { title: 'Refused: two payloads', text: 'First I thought {"answer": 1}, but on reflection it is {"answer": 2}.', preset: 'strict', root: 'object' },
  { title: 'Refused: no JSON at all', text: 'I am sorry, but I cannot help with that. [sorry]' },
  { title: 'Refused here, repaired by a rule that is off', text: '{"path": "C:\\Users\\ada", "n": 1}', preset: 'strict' },
  { title: 'Typographic quotes and emoji', text: '{“greeting”: “Hei 😀”,\r\n “mood”: “😀😀”,}' },
  { title: 'Keys that were not asked for', text: 'Sure: {answer: "yes", Score: 7}', keys: 'answer, score, note?' },
  { title: 'Valid, and left alone', text: '{"text": "She said: \\"// no comment\\"", "big": 12345678901234567890, "e": 1e400}' },
];

export const stateOf = ({ title: _, ...said }: Example): State => ({ ...FRESH, ...said });
