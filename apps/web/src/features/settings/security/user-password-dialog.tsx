import { putUser, type User } from '@pulse/contract'
import { useState } from 'react'
import { Dialog } from '../../../ui/dialog.tsx'
import { DialogForm } from '../../../ui/dialog-form.tsx'
import { failureOf } from '../../../api/reason.ts'
import { useUserChange } from '../use-access-change.ts'
import {
  entryProblem,
  newPasswordEntry,
  PasswordEntryFields,
  passwordOf,
  PasswordShown,
} from './user-password.tsx'

interface UserPasswordDialogProps {
  user: User | undefined
  onClose: () => void
}

export function UserPasswordDialog({ user, onClose }: UserPasswordDialogProps) {
  const [done, setDone] = useState<{ userId: string; password: string }>()
  const password = done?.userId === user?.id ? done?.password : undefined
  const close = () => {
    setDone(undefined)
    onClose()
  }
  return (
    <Dialog
      open={user !== undefined}
      onClose={close}
      title="Set password"
      description={user?.name}
      locked={password !== undefined}
    >
      {user &&
        (password === undefined ? (
          <PasswordForm key={user.id} user={user} onClose={close} onChanged={setDone} />
        ) : (
          <PasswordShown name={user.name} password={password} onDone={close} />
        ))}
    </Dialog>
  )
}

interface PasswordFormProps {
  user: User
  onClose: () => void
  onChanged: (done: { userId: string; password: string }) => void
}

function PasswordForm({ user, onClose, onChanged }: PasswordFormProps) {
  const [entry, setEntry] = useState(newPasswordEntry)
  const [tried, setTried] = useState(false)
  const change = useUserChange(
    (api, password: string) => api.call(putUser, { params: { id: user.id }, body: { password } }),
    (_user, password) => onChanged({ userId: user.id, password }),
  )
  const problem = entryProblem(entry)

  const enter = (next: typeof entry) => {
    setEntry(next)
    if (next.mode === entry.mode) return
    setTried(false)
    change.reset()
  }
  const submit = () => {
    setTried(true)
    if (!problem) change.mutate(passwordOf(entry))
  }

  return (
    <DialogForm
      onSubmit={submit}
      onCancel={onClose}
      action="Set password"
      busyAction="Saving..."
      busy={change.isPending}
      failure={failureOf('Failed to set password', change.error)}
    >
      <PasswordEntryFields entry={entry} onChange={enter} error={tried ? problem : undefined} />
      <p className="text-xs text-ink-2">The user is signed out everywhere.</p>
    </DialogForm>
  )
}
