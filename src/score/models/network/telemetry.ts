// Keeps ONNX Runtime from reporting to its maker.
import { env } from 'node:process'

/**
 * From 1.30 on its builds keep an identifier of the machine in the user's cache folder and send Microsoft every start, every
 * model and how long runs took (microsoft/onnxruntime#27379), unless the environment says no before a process opens its
 * first model. This says no for this process and those that it starts. A thread has a copy of the environment which
 * native code does not see, so it has to be called on the thread that starts the others.
 */
export function declineTelemetry(): void {
  env['ORT_DISABLE_TELEMETRY'] = '1'
}
