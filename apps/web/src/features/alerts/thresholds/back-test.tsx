import { lazyPart } from '../../../ui/code/lazy-part.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { Dock } from './dock.tsx'
import { useEditing } from './editing.tsx'
import type { ThresholdTable } from './tables.ts'
import { testedBy } from './tested.ts'
import { UntestedLine } from './untested-line.tsx'

const Panel = lazyPart(
  'Back-test',
  async () => ({ default: (await import('./back-test-panel.tsx')).BackTestPanel }),
  {
    fallback: () => <Skeleton className="m-3 h-16" />,
    renderFailure: ({ error }) => (
      <p className="p-3 text-table">{`The back-test could not be loaded: ${error.message}`}</p>
    ),
  },
)

/** What the threshold edited last in this table would have done. Nothing loads before one is edited. */
export function BackTestOf({ table }: { table: ThresholdTable }) {
  const { last } = useEditing()
  const tested = testedBy(last, table.kind)
  if (!tested) return null
  if ('why' in tested)
    return (
      <Dock>
        <UntestedLine why={tested.why} />
      </Dock>
    )
  const metric = table.metrics.find(({ key }) => key === tested.metric)!
  return (
    <Dock>
      <Panel tested={tested} header={metric.header} noun={table.noun} />
    </Dock>
  )
}
