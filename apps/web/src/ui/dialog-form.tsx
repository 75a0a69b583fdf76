import type { FormEvent, ReactNode } from 'react'
import { Button } from './button.tsx'
import { DialogActions, DialogCancel, useDialogBusy } from './dialog.tsx'
import { Notice } from './notice.tsx'

interface DialogFormProps {
  /** the fields */
  children: ReactNode
  onSubmit: () => void
  onCancel: () => void
  /** label of the submit button */
  action: string
  busyAction: string
  /** its call is pending, so the dialog stays open until the answer */
  busy: boolean
  /** the form cannot be submitted yet */
  incomplete?: boolean
  failure?: { title?: string; reason?: string | undefined } | undefined
}

/** A form with its submit button and error. Used inside a Dialog. */
export function DialogForm(props: DialogFormProps) {
  const { children, onSubmit, onCancel, action, busyAction, busy, incomplete = false, failure } = props
  useDialogBusy(busy)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!busy && !incomplete) onSubmit()
  }
  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-4">
      {children}
      {failure && (
        <Notice tone="red" announce {...(failure.title !== undefined && { title: failure.title })}>
          {failure.reason}
        </Notice>
      )}
      <DialogActions>
        <DialogCancel onClick={onCancel} />
        <Button type="submit" variant="primary" disabled={busy || incomplete}>
          {busy ? busyAction : action}
        </Button>
      </DialogActions>
    </form>
  )
}
