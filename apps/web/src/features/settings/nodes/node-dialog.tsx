import type { SourceKind } from '@pulse/contract'
import { Dialog } from '../../../ui/dialog.tsx'
import type { NodeDialogSubject } from './dialog-subject.ts'
import { kindTexts } from './kinds.ts'
import { NodeEditor } from './node-editor.tsx'

interface NodeDialogProps {
  kind: SourceKind
  /** undefined: closed */
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
