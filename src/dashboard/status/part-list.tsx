// What the service stands on, of one kind, and the command or setting that mends what is missing.
import type { JSX } from 'preact'
import { WithRemedy } from './remedy.tsx'
import { FoldingSection } from '../frame/folding-section.tsx'
import { StateLabel, worstState } from '../frame/state-label.tsx'
import { CardTable, type Column } from '../frame/table.tsx'
import type { ServicePart } from '../../telemetry/service-status.ts'

const COLUMNS: readonly Column<ServicePart>[] = [
  { label: 'Name', isRowHead: true, cell: ({ name }) => name },
  { label: 'State', cell: ({ state }) => <StateLabel state={state} /> },
  {
    label: 'Detail',
    look: 'prose',
    cell: ({ detail, remedy }) => <WithRemedy detail={detail} remedy={remedy} />,
  },
]

export function PartList({
  title,
  parts,
}: {
  title: string
  parts: readonly ServicePart[]
}): JSX.Element | null {
  if (parts.length === 0) return null
  return (
    <FoldingSection id={title.toLowerCase()} title={title} gist={<StateLabel state={worstState(parts)} />}>
      <CardTable name="parts" columns={COLUMNS} rows={parts} />
    </FoldingSection>
  )
}
