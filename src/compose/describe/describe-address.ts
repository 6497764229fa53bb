// What is wrong with the address at which the service is told to listen, for `doctor`.
import { faultOfHost } from '../../http/server.ts'
import type { ServicePart } from '../../telemetry/service-status.ts'

/** Only of a wrong address there is something to say: the running service tells where it listens. */
export async function describeAddress(host: string): Promise<ServicePart[]> {
  const fault = await faultOfHost(host)
  return fault === null
    ? []
    : [{ kind: 'setting', name: 'HOST', state: 'failing', detail: fault.message, remedy: null }]
}
