// Marks by which programs tell a model who speaks: in a page's words they have nothing to do but to deceive one.

/** Read in small letters. */
const MARKS =
  /<\|[a-z_]{2,24}\|>|<\/?(?:start|end)_of_turn>|\[\/?inst\]|<<\/?sys>>|<\/?(?:system|assistant|user|tool_call|function_calls?)(?:[_-]?(?:prompt|message|instructions?|reminder))?>|#{2,3} ?(?:system|assistant|human|user|instruction|response) ?:|(?:^|\n) ?(?:human|assistant) ?: [^\n]{0,200}\n ?(?:assistant|human|system) ?:/u

export const hasTemplateMarks = (folded: string): boolean => MARKS.test(folded)
