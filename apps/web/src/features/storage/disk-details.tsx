import { memo } from 'react'
import { useEntity } from '../../live/use-live.ts'
import { ChangesFold } from '../../parts/changes/changes-fold.tsx'
import { HistoryCharts } from '../../parts/history/history-charts.tsx'
import { DetailsCell } from '../../parts/list/details.tsx'

/** Below an expanded disk. */
export const DiskDetails = memo(function DiskDetails({ id, colSpan }: { id: string; colSpan: number }) {
  const disk = useEntity('physicalDisks', id)
  if (!disk) return null
  return (
    <DetailsCell colSpan={colSpan}>
      <HistoryCharts kind="physicalDisks" id={id} name={`${disk.node} ${disk.devPath}`} alertId={disk.id} />
      <ChangesFold kind="physicalDisks" id={id} name={`${disk.devPath} ${disk.model}`.trim()} />
    </DetailsCell>
  )
})
