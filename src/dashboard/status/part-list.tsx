// What the service stands on, of one kind, and the command or setting that mends what is missing.
import type { JSX } from 'preact'
import { WithRemedy } from '../frame/remedy.tsx'
import { StateLabel } from '../frame/state-label.tsx'
import type { ServicePart } from '../../telemetry/service-status.ts'

export function PartList({
  title,
  parts,
}: {
  title: string
  parts: readonly ServicePart[]
}): JSX.Element | null {
  if (parts.length === 0) return null
  return (
    <section>
      <h2>{title}</h2>
      <table class="parts cards">
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">State</th>
            <th scope="col">Detail</th>
          </tr>
        </thead>
        <tbody>
          {parts.map((part) => (
            <tr>
              <th scope="row">{part.name}</th>
              <td>
                <StateLabel state={part.state} />
              </td>
              <td>
                <WithRemedy detail={part.detail} remedy={part.remedy} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
