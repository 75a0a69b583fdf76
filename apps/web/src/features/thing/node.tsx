import { memo, useCallback } from 'react'
import { useEntity, useLive } from '../../live/use-live.ts'
import { allChangesOf } from '../../parts/changes/all-changes.ts'
import { ChangesCard } from '../../parts/changes/changes-card.tsx'
import { HistoryGroup } from '../../parts/history/history-group.tsx'
import { HistoryCharts } from '../../parts/history/history-charts.tsx'
import { nodeKey } from '../../parts/nodes/nodes.ts'
import { cephOf } from '../../parts/storage/ceph.ts'
import { CephDetails } from '../../parts/storage/ceph-details.tsx'
import { displayName } from '../../lib/display-name.ts'
import { Alerts } from './alerts.tsx'
import { NodeDisks } from './node-disks.tsx'
import { NodeFigures } from './node-figures.tsx'
import { NodeGuests } from './node-guests.tsx'
import { NodeHead } from './node-head.tsx'
import { NodeStorages } from './node-storages.tsx'
import { NodeSystem } from './node-system.tsx'
import { Section, SectionBody } from './section.tsx'
import { ZfsPools } from './zfs-pools.tsx'

/** Each part subscribes to what it shows, so that an update draws the figures only. */
export const Node = memo(function Node({ id }: { id: string }) {
  const name = useNodeText(id, displayName)
  const wireId = useNodeText(id, (node) => node.id)
  const key = useNodeText(id, nodeKey)
  return (
    <HistoryGroup kind="nodes" id={id}>
      <NodeHead id={id} />
      <NodeFigures id={id} />
      <Alerts resourceId={wireId} name={name} />
      <Section title="History">
        <SectionBody>
          <HistoryCharts kind="nodes" id={id} name={name} alertId={wireId} />
        </SectionBody>
      </Section>
      <Section title="Changes" more={{ to: allChangesOf({ kind: 'nodes', id }), text: 'All changes' }}>
        <ChangesCard kind="nodes" id={id} name={name} />
      </Section>
      <NodeGuests nodeKey={key} />
      <NodeSystem id={id} />
      <NodeStorages nodeKey={key} />
      <ZfsPools nodeKey={key} />
      <NodeDisks nodeKey={key} />
      <NodeCeph id={id} />
    </HistoryGroup>
  )
})

type NodeRecord = NonNullable<ReturnType<typeof useEntity<'nodes'>>>

/** A text of the record that rarely changes. */
const useNodeText = (id: string, read: (node: NodeRecord) => string): string =>
  useLive(['nodes'], (live) => {
    const node = live.get('nodes', id)
    return node ? read(node) : ''
  })

/** The Ceph cluster of its connection. */
function NodeCeph({ id }: { id: string }) {
  const source = useNodeText(id, (node) => node.source)
  const instance = useNodeText(id, (node) => node.instance)
  const isThere = useLive(
    ['cephClusters'],
    useCallback((live) => cephOf(live, { source, instance }) !== undefined, [source, instance]),
  )
  if (!isThere) return null
  return (
    <Section title="Ceph" more={{ to: '/proxmox/storage', text: 'All storages' }}>
      <SectionBody>
        <CephDetails source={source} instance={instance} />
      </SectionBody>
    </Section>
  )
}
