import type { SourceKind } from '@pulse/contract'
import { useState } from 'react'
import { AdminOnly } from '../../../parts/sections/admin-only.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { TemperaturePanel } from '../temperature/temperature-panel.tsx'
import { DiscoveryPanel } from './discovery-panel.tsx'
import { kindTexts } from './kinds.ts'
import { NodeEditor } from './node-editor.tsx'
import type { NodeDialogSubject } from './node-form.ts'
import { NodePanel } from './node-panel.tsx'
import { useNodes } from './use-nodes.ts'

export const PveSection = () => <NodeSection kind="pve" />
export const PbsSection = () => <NodeSection kind="pbs" />
export const PmgSection = () => <NodeSection kind="pmg" />

function NodeSection({ kind }: { kind: SourceKind }) {
  return (
    <AdminOnly to="to see and change what is monitored">
      <Nodes kind={kind} />
    </AdminOnly>
  )
}

function Nodes({ kind }: { kind: SourceKind }) {
  const [subject, setSubject] = useState<NodeDialogSubject>()
  const nodes = useNodes(subject !== undefined)
  return (
    <div className="flex flex-col gap-4">
      <NodePanel
        kind={kind}
        nodes={nodes}
        onAdd={() => setSubject({})}
        onEdit={(node) => setSubject({ node })}
      />
      <DiscoveryPanel kind={kind} nodes={nodes.data} onAdd={(server) => setSubject({ server })} />
      {kind === 'pve' && nodes.data?.some(({ type }) => type === kind) && <TemperaturePanel />}
      <NodeDialog kind={kind} subject={subject} onClose={() => setSubject(undefined)} />
    </div>
  )
}

interface NodeDialogProps {
  kind: SourceKind
  /** undefined while closed */
  subject: NodeDialogSubject | undefined
  onClose: () => void
}

export function NodeDialog({ kind, subject, onClose }: NodeDialogProps) {
  const { product } = kindTexts[kind]
  return (
    <Dialog
      open={subject !== undefined}
      onClose={onClose}
      title={`${subject?.node ? 'Edit' : 'Add'} ${product}`}
      wide
    >
      {subject && <NodeEditor kind={kind} subject={subject} onClose={onClose} />}
    </Dialog>
  )
}
