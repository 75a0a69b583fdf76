import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { Dialog, DialogActions, DialogCancel, useDialogBusy } from './dialog.tsx'
import { Notice } from './notice.tsx'

interface ConfirmDialogProps {
  open: boolean
  onClose: () => void
  title: string
  /** the consequences */
  children: ReactNode
  action: string
  busyAction: string
  busy: boolean
  onConfirm: () => void
  /** another action, next to the main one */
  also?: ReactNode
  failure?: { title: string; reason: string | undefined } | undefined
}

/** Asks before an action that cannot be undone. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { open, onClose, title, children, action, busyAction, busy, onConfirm, also, failure } = props
  return (
    <Dialog open={open} onClose={onClose} title={title}>
      <div className="flex flex-col gap-3 text-table text-ink-2">
        {children}
        {failure && (
          <Notice tone="red" title={failure.title} announce>
            {failure.reason}
          </Notice>
        )}
      </div>
      <Busy busy={busy} />
      <DialogActions>
        <DialogCancel onClick={onClose} />
        <Button disabled={busy} onClick={onConfirm} className="border-red text-red hover:bg-red-soft">
          {busy ? busyAction : action}
        </Button>
        {also}
      </DialogActions>
    </Dialog>
  )
}

function Busy({ busy }: { busy: boolean }) {
  useDialogBusy(busy)
  return null
}
