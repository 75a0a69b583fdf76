import { formatFixed, formatNumber } from '../../lib/format.ts'
import { useEntity } from '../../live/use-live.ts'
import { usedOfTotal } from '../../parts/cells/cells.tsx'
import { Temperature } from '../../parts/node-summary/cells.tsx'
import { describeNode, type SummaryUsage } from '../../parts/node-summary/rows.ts'
import { Figure, Figures, UsageFigure } from './figures.tsx'

const noCounts = {}

export function NodeFigures({ id }: { id: string }) {
  const node = useEntity('nodes', id)
  if (!node) return null
  const row = describeNode(node, noCounts)
  const { cpuPercent, cores, memory, disk, temperature, outage } = row
  const stale = row.staleSince !== undefined
  const load = outage === 'offline' ? [] : node.loadAverage
  return (
    <Figures>
      <UsageFigure label="CPU" percent={cpuPercent} scale="cpu" stale={stale} note={coresText(cores)} />
      <UsageFigure
        label="Memory"
        percent={memory?.percent}
        scale="memory"
        stale={stale || memory?.staleSince !== undefined}
        note={amountText(memory)}
      />
      <UsageFigure
        label="Disk"
        percent={disk?.percent}
        scale="disk"
        stale={stale || disk?.staleSince !== undefined}
        note={amountText(disk)}
      />
      {load.length > 0 && (
        <Figure label="Load average" note="1, 5 and 15 minutes">
          {load.map((one) => formatFixed(one, 2)).join(', ')}
        </Figure>
      )}
      {temperature !== undefined && (
        <Figure label="CPU temperature">
          <Temperature celsius={temperature} stale={stale} />
        </Figure>
      )}
    </Figures>
  )
}

const coresText = (cores: number | undefined) =>
  cores ? `${formatNumber(cores)} ${cores === 1 ? 'core' : 'cores'}` : undefined

const amountText = (usage: SummaryUsage | undefined) => usage && usedOfTotal(usage.used, usage.total)
