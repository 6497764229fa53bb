// What a sub-command of `verbatim models` says when it fails, and with which code it ends.
import { CommanderError } from 'commander'
import { ModelMissingError } from '../../score/models/catalog.ts'
import { DigestMismatchError } from '../../score/models/download/transfer-file.ts'
import { HubRefusedError, HubUnavailableError } from '../../score/models/hub.ts'
import { MODELS_EXIT, UsageError } from './models-settings.ts'

/** The sentence and the exit code for whatever went wrong. */
export function explainFailure(error: unknown, signal: AbortSignal): { code: number; text: string } {
  if (signal.aborted)
    return { code: MODELS_EXIT.interrupted, text: 'Interrupted. The next run resumes here.' }
  const text = error instanceof Error ? error.message : String(error)
  if (error instanceof UsageError || error instanceof CommanderError) return { code: MODELS_EXIT.usage, text }
  if (error instanceof HubUnavailableError) return { code: MODELS_EXIT.unavailable, text }
  if (error instanceof DigestMismatchError) return { code: MODELS_EXIT.damaged, text }
  if (error instanceof HubRefusedError || error instanceof ModelMissingError)
    return { code: MODELS_EXIT.missing, text }
  return { code: MODELS_EXIT.unexpected, text }
}
