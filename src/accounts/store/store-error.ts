// What can be wrong with a store, in words for the operator. Both engines report their troubles through it, so that
// the command line and the log say the same sentence for the same trouble.
import { OperatorError } from '../../errors.ts'

export type StoreTrouble =
  | 'locked'
  | 'corrupt'
  | 'read_only'
  | 'full'
  | 'unreachable'
  | 'refused'
  | 'too_new'
  | 'unmigrated'

/** A store that cannot be used. `message` is for the operator's eyes: it names the file or host, never a password. */
export class StoreError extends OperatorError {
  override readonly name = 'StoreError'
  readonly trouble: StoreTrouble

  constructor(trouble: StoreTrouble, message: string, cause?: unknown) {
    super(message, { cause })
    this.trouble = trouble
  }
}
