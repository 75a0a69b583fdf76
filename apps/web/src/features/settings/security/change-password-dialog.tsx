import { useState } from 'react'
import { useApi } from '../../../api/api.tsx'
import { useChange } from '../../../api/use-change.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { DialogForm } from '../../../ui/dialog-form.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { toast } from '../../../ui/toast.ts'
import { changePassword, type PasswordEntries, passwordProblem } from './change-password.ts'

const reloadAfterMs = 2_000

interface ChangePasswordDialogProps {
  open: boolean
  onClose: () => void
  username: string
}

export function ChangePasswordDialog({ open, onClose, username }: ChangePasswordDialogProps) {
  return (
    <Dialog open={open} onClose={onClose} title="Change password" description={`For ${username}`}>
      <ChangePasswordForm username={username} onClose={onClose} />
    </Dialog>
  )
}

const empty: PasswordEntries = { current: '', next: '', confirmed: '' }

function ChangePasswordForm({ username, onClose }: Omit<ChangePasswordDialogProps, 'open'>) {
  const api = useApi()
  const [entries, setEntries] = useState(empty)
  const [problem, setProblem] = useState<string>()
  const change = useChange({
    mutationFn: () => changePassword(api, username, entries),
    onSuccess: () => {
      toast.success('Password changed successfully. Please log in with your new password.')
      // its sessions have ended: not even closing the dialog keeps this page
      setTimeout(() => window.location.reload(), reloadAfterMs)
      onClose()
    },
    onError: (error) => setProblem(error.message || 'Failed to change password'),
  })

  const submit = () => {
    const found = passwordProblem(entries)
    setProblem(found)
    if (!found) change.mutate()
  }
  const field = (name: keyof PasswordEntries) => ({
    type: 'password',
    value: entries[name],
    onChange: (text: string) => setEntries({ ...entries, [name]: text }),
  })

  return (
    <DialogForm
      onSubmit={submit}
      onCancel={onClose}
      action="Change password"
      busyAction="Changing..."
      busy={change.isPending}
      failure={problem === undefined ? undefined : { reason: problem }}
    >
      <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
      <TextField label="Current password" autoComplete="current-password" {...field('current')} />
      <TextField
        label="New password"
        autoComplete="new-password"
        hint="At least 8 characters"
        {...field('next')}
      />
      <TextField label="Confirm new password" autoComplete="new-password" {...field('confirmed')} />
    </DialogForm>
  )
}
