// Which concepts, said together, make an order to a model. Each alone is said to people every day.
import {
  ANSWER,
  ADDRESS,
  APPEND,
  BASE64,
  DECODE,
  DELETE,
  FOR_GOOD,
  LINK,
  MAIL_ADDRESS,
  OBEY,
  PRIVATE_DATA,
  THIS_FIRST,
  USER,
} from './said-to-models-only.ts'
import { ASSISTANT, IF_YOU_ARE, MODEL, NOTE_TO, READS_THIS } from './addressees.ts'
import { CONCEAL, FORWARD, MUST, OPERATE, PROMOTE, REMEMBER, REPLY } from './asked-of-a-model.ts'
import {
  AUTHORISED,
  BECOME,
  BEFORE,
  DEVICE,
  IGNORE,
  KEEP,
  LIFTED,
  MAKER,
  ONLY_NOW,
  ONLY_PRAISE,
  ORDERS,
  PERSONA,
  SHOW,
  SYSTEM_PROMPT,
  SYSTEM_SPEAKS,
  TASK,
  UNBOUND,
  WORK,
} from './overriding.ts'
import type { Concept } from './concept.ts'

export interface Rule {
  /** Each, or one of each list, is said. The rarest first. */
  said: readonly (Concept | readonly Concept[])[]
  /** The first two are said beside each other. */
  beside?: true
  not?: readonly Concept[]
  /** In so many sentences that follow each other. */
  within: 1 | 2
}

const ACTS = [PROMOTE, OPERATE, FORWARD, CONCEAL, REPLY, APPEND, IGNORE]

export const RULES: readonly Rule[] = [
  // "If you are an AI …", "Dear assistant, …", "AI agents reading this page must …"
  { said: [MODEL, IF_YOU_ARE, [...ACTS, MUST]], beside: true, within: 2 },
  { said: [MODEL, NOTE_TO, ACTS, MUST], beside: true, within: 2 },
  {
    said: [MODEL, NOTE_TO, [PROMOTE, OPERATE, CONCEAL], [ANSWER, USER, CONCEAL, ONLY_PRAISE, FOR_GOOD]],
    beside: true,
    within: 2,
  },
  { said: [MODEL, NOTE_TO, [ANSWER, READS_THIS], ACTS], beside: true, within: 2 },
  { said: [MODEL, READS_THIS, [IF_YOU_ARE, MUST], ACTS], within: 2 },
  { said: [READS_THIS, IF_YOU_ARE, ASSISTANT, ACTS], within: 1 },
  {
    said: [MODEL, MUST, [PROMOTE, OPERATE, APPEND], [THIS_FIRST, LINK, ONLY_PRAISE, OPERATE]],
    beside: true,
    within: 1,
  },
  { said: [MODEL, PROMOTE, MUST, THIS_FIRST, [CONCEAL, USER, ANSWER]], within: 1 },
  // What is done for "the user", behind his back
  { said: [CONCEAL, USER, [FORWARD, OPERATE, OBEY, DELETE, REPLY, SHOW]], within: 2 },
  { said: [CONCEAL, OPERATE, [PRIVATE_DATA, MODEL]], within: 2 },
  { said: [AUTHORISED, [OPERATE, FORWARD]], within: 2 },
  { said: [MAIL_ADDRESS, FORWARD, PRIVATE_DATA, [USER, CONCEAL, MODEL]], within: 2 },
  { said: [ANSWER, APPEND, LINK, ADDRESS], within: 1 },
  { said: [ANSWER, PRIVATE_DATA, ADDRESS, [APPEND, FORWARD]], within: 2 },
  { said: [USER, PRIVATE_DATA, ADDRESS, FORWARD, [ANSWER, CONCEAL, MODEL]], within: 1 },
  // Orders in another coat
  { said: [BASE64, DECODE, OBEY], within: 2 },
  { said: [DECODE, OBEY], beside: true, within: 1 },
  { said: [FOR_GOOD, REMEMBER, USER, PROMOTE], within: 2 },
  { said: [FOR_GOOD, REMEMBER, PROMOTE, [MODEL, ANSWER]], within: 1 },
  { said: [FOR_GOOD, REMEMBER, PROMOTE], beside: true, within: 1 },
  // What it was told, set aside or shown
  { said: [IGNORE, BEFORE, ORDERS], not: [DEVICE, KEEP], beside: true, within: 1 },
  { said: [MAKER, IGNORE, ORDERS], within: 1 },
  { said: [TASK, IGNORE, [ONLY_NOW, REPLY]], not: [DEVICE], within: 1 },
  { said: [TASK, REPLY, ONLY_NOW], not: [DEVICE, WORK], within: 1 },
  { said: [SYSTEM_PROMPT, SHOW], beside: true, within: 2 },
  { said: [SYSTEM_SPEAKS, LIFTED, ORDERS], within: 2 },
  { said: [SYSTEM_SPEAKS, UNBOUND, [BECOME, ORDERS]], within: 2 },
  { said: [LIFTED, BEFORE, ORDERS, [USER, UNBOUND, PERSONA, MAKER]], beside: true, within: 1 },
  { said: [BECOME, UNBOUND, PERSONA], within: 2 },
  // What applicants, authors and sellers would like
  { said: [ONLY_PRAISE, WORK, MODEL, [MUST, IF_YOU_ARE, CONCEAL]], within: 2 },
  { said: [ONLY_PRAISE, WORK, CONCEAL, [ASSISTANT, IGNORE]], within: 2 },
]
